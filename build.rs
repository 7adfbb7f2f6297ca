//! Generates the typed builders and the reference of ops, and keeps the plugin whole: an op whose Rust half is missing must not link.

#[path = "build/builders.rs"]
mod builders;
#[path = "build/reference.rs"]
mod reference;

use std::{env, fs, path::Path, process::Command};

fn main() {
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,defs");

    let llvm = env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
    let records = ["Cute.td", "CuteNvgpu.td"].map(|file| records(Path::new(&llvm), file));
    let out = env::var("OUT_DIR").expect("OUT_DIR");
    let modules = records.each_ref().map(builders::module);
    fs::write(Path::new(&out).join("builders.rs"), modules.concat()).expect("builders.rs is written");
    let sections = records.each_ref().map(reference::section);
    fs::write(Path::new(&out).join("ops.md"), sections.concat()).expect("ops.md is written");
    let names = records.each_ref().map(reference::names);
    fs::write(Path::new(&out).join("ops.txt"), names.concat()).expect("ops.txt is written");

    for input in ["build.rs", "build", "td"] {
        println!("cargo:rerun-if-changed={input}");
    }
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
}

/// All records of a file of `td/`.
fn records(llvm: &Path, file: &str) -> serde_json::Value {
    let mut tblgen = Command::new(llvm.join("bin/llvm-tblgen"));
    tblgen.args(["--dump-json", "-I", "td", "-I"]).arg(llvm.join("include")).arg(Path::new("td").join(file));
    let output = tblgen.output().unwrap_or_else(|e| panic!("{tblgen:?}: {e}"));
    assert!(output.status.success(), "{tblgen:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("tblgen writes JSON")
}
