//! Generates a function for each op of the dialects, and calls of them by name, from TableGen's
//! records.

#[path = "build/arguments.rs"]
mod arguments;
#[path = "build/ops.rs"]
mod ops;
#[path = "build/records.rs"]
mod records;

use std::{env, fs, path::Path};

fn main() {
    // `cute-ffi` dumps the records once, for all crates.
    let dumps = env::var("DEP_CUTE_FFI_OUT").expect("cute-ffi says where it writes");
    let records = ["Cute.json", "CuteNvgpu.json", "Cuda.json"].map(|file| {
        let text = fs::read_to_string(Path::new(&dumps).join(file)).expect("cute-ffi dumps the records");
        serde_json::from_str(&text).expect("tblgen writes JSON")
    });
    let functions = records.each_ref().map(ops::module).concat() + &ops::by_name(&records);
    let out = env::var("OUT_DIR").expect("OUT_DIR");
    fs::write(Path::new(&out).join("ops.rs"), functions).expect("ops.rs is written");
    for input in ["build.rs", "build", &dumps] {
        println!("cargo:rerun-if-changed={input}");
    }
}
