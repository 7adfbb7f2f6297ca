//! Builds `td/` (with mlir-tblgen) and `dialect/` (with clang++), and writes the linker script that
//! replaces libMLIR-C.so.
//!
//! The compiler is clang++, not g++: MLIR identifies traits and interfaces by type names as the
//! compiler spells them, and the distribution's libMLIR is built with clang. Built with g++, a
//! plugin loads, but the host does not recognize its traits.

#[path = "build/cxx.rs"]
mod cxx;
#[path = "build/ops.rs"]
mod ops;
#[path = "build/passes.rs"]
mod passes;
#[path = "build/records.rs"]
mod records;
#[path = "build/rules.rs"]
mod rules;
#[path = "build/types.rs"]
mod types;

use std::{env, fs, path::Path, path::PathBuf, process::Command};

use cxx::Cxx;

/// Output, td file, arguments.
const TABLES: &[(&str, &str, &[&str])] = &[
    ("CuteDialect.h.inc", "Cute.td", &["-gen-dialect-decls", "-dialect=cute"]),
    ("CuteDialect.cpp.inc", "Cute.td", &["-gen-dialect-defs", "-dialect=cute"]),
    ("CuteTypes.h.inc", "Cute.td", &["-gen-typedef-decls", "-typedefs-dialect=cute"]),
    ("CuteTypes.cpp.inc", "Cute.td", &["-gen-typedef-defs", "-typedefs-dialect=cute"]),
    ("CuteAttrs.h.inc", "Cute.td", &["-gen-attrdef-decls", "-attrdefs-dialect=cute"]),
    ("CuteAttrs.cpp.inc", "Cute.td", &["-gen-attrdef-defs", "-attrdefs-dialect=cute"]),
    ("CuteOps.h.inc", "Cute.td", &["-gen-op-decls"]),
    ("CuteOps.cpp.inc", "Cute.td", &["-gen-op-defs"]),
    ("CuteNvgpuDialect.h.inc", "CuteNvgpu.td", &["-gen-dialect-decls", "-dialect=cute_nvgpu"]),
    ("CuteNvgpuDialect.cpp.inc", "CuteNvgpu.td", &["-gen-dialect-defs", "-dialect=cute_nvgpu"]),
    ("CuteNvgpuTypes.h.inc", "CuteNvgpu.td", &["-gen-typedef-decls", "-typedefs-dialect=cute_nvgpu"]),
    ("CuteNvgpuTypes.cpp.inc", "CuteNvgpu.td", &["-gen-typedef-defs", "-typedefs-dialect=cute_nvgpu"]),
    ("CuteNvgpuAttrs.h.inc", "CuteNvgpu.td", &["-gen-attrdef-decls", "-attrdefs-dialect=cute_nvgpu"]),
    ("CuteNvgpuAttrs.cpp.inc", "CuteNvgpu.td", &["-gen-attrdef-defs", "-attrdefs-dialect=cute_nvgpu"]),
    ("CuteNvgpuOps.h.inc", "CuteNvgpu.td", &["-gen-op-decls"]),
    ("CuteNvgpuOps.cpp.inc", "CuteNvgpu.td", &["-gen-op-defs"]),
    ("CudaDialect.h.inc", "Cuda.td", &["-gen-dialect-decls", "-dialect=cuda"]),
    ("CudaDialect.cpp.inc", "Cuda.td", &["-gen-dialect-defs", "-dialect=cuda"]),
    ("CudaTypes.h.inc", "Cuda.td", &["-gen-typedef-decls", "-typedefs-dialect=cuda"]),
    ("CudaTypes.cpp.inc", "Cuda.td", &["-gen-typedef-defs", "-typedefs-dialect=cuda"]),
    ("CudaAttrs.h.inc", "Cuda.td", &["-gen-attrdef-decls", "-attrdefs-dialect=cuda"]),
    ("CudaAttrs.cpp.inc", "Cuda.td", &["-gen-attrdef-defs", "-attrdefs-dialect=cuda"]),
    ("CudaOps.h.inc", "Cuda.td", &["-gen-op-decls"]),
    ("CudaOps.cpp.inc", "Cuda.td", &["-gen-op-defs"]),
];

fn main() {
    let out = PathBuf::from(env::var("OUT_DIR").expect("OUT_DIR"));
    // td/ and dialect/ are links here, which `cargo package` follows.
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("CARGO_MANIFEST_DIR"));
    let llvm = PathBuf::from(env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into()));

    for (file, td, args) in TABLES {
        let mut c = Command::new(llvm.join("bin/mlir-tblgen"));
        c.args(*args).arg(root.join("td").join(td)).arg("-I").arg(root.join("td"));
        run(c.arg("-I").arg(llvm.join("include")).arg("-o").arg(out.join(file)));
    }
    let records = ["Cute", "CuteNvgpu"].map(|file| dump(&llvm, &root, &out, file));
    let hosts = dump(&llvm, &root, &out, "Cuda");
    let all: Vec<_> = records.iter().chain([&hosts]).collect();
    fs::write(out.join("rules.rs"), rules::table(&all)).expect("rules.rs is written");
    fs::write(out.join("ops.rs"), ops::table(&records, &hosts)).expect("ops.rs is written");
    let declared = dump(&llvm, &root, &out, "Passes");
    fs::write(out.join("passes.rs"), passes::table(&declared)).expect("passes.rs is written");
    fs::write(out.join("options.rs"), passes::options(&declared)).expect("options.rs is written");
    let generated = ["CuteTypes.cpp.inc", "CuteNvgpuTypes.cpp.inc"]
        .map(|file| fs::read_to_string(out.join(file)).expect("mlir-tblgen writes the file"));
    let dialects: Vec<_> = generated.into_iter().zip(&records).collect();
    fs::write(out.join("types.rs"), types::table(&dialects)).expect("types.rs is written");
    let cxx = Cxx::new(&llvm, &root, &out);
    cxx.library("cute_glue", "Glue.cpp");
    cxx.library("cute_opt_main", "OptMain.cpp");

    // Each artifact gets its own copy of MLIR's (stateless) C API over the shared libMLIR.so, which
    // does not export it. Only executables may register everything; see `cute-tools`.
    fs::write(out.join("libMLIR-C.so"), linker_script(&llvm)).expect("linker script");
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-search=native={}", llvm.join("lib").display());
    println!("cargo:out={}", out.display());
    for dir in ["td", "dialect"] {
        println!("cargo:rerun-if-changed={}", root.join(dir).display());
    }
    for input in ["build.rs", "build"] {
        println!("cargo:rerun-if-changed={input}");
    }
    println!("cargo:rerun-if-env-changed=MLIR_SYS_220_PREFIX");
}

/// All records of a file of `td/`; the JSON stays in `out`, for build scripts above.
fn dump(llvm: &Path, root: &Path, out: &Path, file: &str) -> serde_json::Value {
    let json = out.join(file).with_extension("json");
    let mut c = Command::new(llvm.join("bin/llvm-tblgen"));
    c.arg("--dump-json").arg(root.join("td").join(file).with_extension("td")).arg("-I").arg(root.join("td"));
    run(c.arg("-I").arg(llvm.join("include")).arg("-o").arg(&json));
    serde_json::from_str(&fs::read_to_string(&json).expect("tblgen writes the file")).expect("it is JSON")
}

fn linker_script(llvm: &Path) -> String {
    let mut archives: Vec<_> = fs::read_dir(llvm.join("lib"))
        .expect("LLVM's lib folder")
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .filter(|n| n.starts_with("libMLIRCAPI") && n.ends_with(".a"))
        .filter(|n| !n.contains("ExecutionEngine"))
        .collect();
    archives.sort();
    let paths: Vec<_> = archives.iter().map(|n| llvm.join("lib").join(n).display().to_string()).collect();
    format!("GROUP ( {} )\n", paths.join(" "))
}

fn run(c: &mut Command) {
    let status = c.status().unwrap_or_else(|e| panic!("{c:?}: {e}"));
    assert!(status.success(), "{c:?}: {status}");
}
