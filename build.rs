//! Generates the reference of ops and types, and makes undefined symbols in the plugin a link
//! error.

#[path = "build/arguments.rs"]
mod arguments;
#[path = "build/records.rs"]
mod records;
#[path = "build/reference.rs"]
mod reference;
#[path = "build/syntax.rs"]
mod syntax;
#[path = "build/types.rs"]
mod types;

use std::{env, fs, path::Path};

fn main() {
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,defs");

    // `cute-ffi` dumps the records once, for itself and for us.
    let dumps = env::var("DEP_CUTE_FFI_OUT").expect("cute-ffi says where it writes");
    let records = ["Cute.json", "CuteNvgpu.json", "Cuda.json"].map(|file| {
        let text = fs::read_to_string(Path::new(&dumps).join(file)).expect("cute-ffi dumps the records");
        serde_json::from_str(&text).expect("tblgen writes JSON")
    });
    let out = env::var("OUT_DIR").expect("OUT_DIR");
    let sections = records.each_ref().map(reference::section);
    fs::write(Path::new(&out).join("ops.md"), sections.concat()).expect("ops.md is written");
    let entries = serde_json::Value::from(records.each_ref().map(reference::entries).concat());
    fs::write(Path::new(&out).join("ops.json"), entries.to_string()).expect("ops.json is written");
    let dialects = records.iter().zip(["cute", "cute_nvgpu", "cuda"]);
    let sections: String =
        dialects.clone().map(|(records, dialect)| types::sections(records, dialect)).collect();
    fs::write(Path::new(&out).join("types.md"), sections).expect("types.md is written");
    let entries: Vec<_> = dialects.flat_map(|(records, dialect)| types::entries(records, dialect)).collect();
    let entries = serde_json::Value::from(entries);
    fs::write(Path::new(&out).join("types.json"), entries.to_string()).expect("types.json is written");
    let names = records.each_ref().map(reference::names);
    fs::write(Path::new(&out).join("ops.txt"), names.concat()).expect("ops.txt is written");

    for input in ["build.rs", "build", &dumps] {
        println!("cargo:rerun-if-changed={input}");
    }
}
