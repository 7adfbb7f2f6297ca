//! Builds the stubs: for each library of NVIDIA's, assembly with one entry per function, and
//! `src/stub.c`, which finds the function behind it.
//!
//! The libraries are files that `cutec exec` writes where a program finds them, so they are linked
//! here, and embedded in the crate.

#[path = "src/entries.rs"]
mod entries;
#[path = "src/tables.rs"]
mod tables;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use entries::Entries;

/// A library to build.
struct Library {
    /// Its file, which is its soname if it is shared.
    file: &'static str,
    /// The version of CUDA that its functions belong to.
    version: u32,
    /// Whether its symbols have NVIDIA's version node, which has the name of the file.
    versioned: bool,
    /// The error of a call in a program that `cutec exec` did not start:
    /// `cudaErrorInsufficientDriver`, or `CUDA_ERROR_STUB_LIBRARY`.
    not_started: u32,
}

const LIBRARIES: &[Library] = &[
    Library { file: "libcudart.so.12", version: 12, versioned: true, not_started: 35 },
    Library { file: "libcudart.so.13", version: 13, versioned: true, not_started: 35 },
    Library { file: "libcuda.so.1", version: 13, versioned: false, not_started: 34 },
    Library { file: "libcudart_static_12.a", version: 12, versioned: false, not_started: 35 },
    Library { file: "libcudart_static_13.a", version: 13, versioned: false, not_started: 35 },
];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-changed=names");
    let out = PathBuf::from(env::var("OUT_DIR").expect("OUT_DIR"));
    let machine = env::var("CARGO_CFG_TARGET_ARCH").expect("the machine");
    let is_linux = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux");
    let entries = entries::of(&machine).filter(|_| is_linux);
    for library in LIBRARIES {
        match entries {
            Some(entries) => build(library, &out, entries),
            // `cutec exec` says that there is none.
            None => fs::write(out.join(library.file), "").expect("an empty file"),
        }
    }
    match entries {
        Some(_) => without_device_code(&out),
        None => fs::write(out.join(DEVICE), "").expect("an empty file"),
    }
}

/// The library of device code that nvcc links each program with.
const DEVICE: &str = "libcudadevrt.a";

/// Writes [`DEVICE`] without device code. It has a member for this machine, without which nvlink
/// warns that it is for another one.
fn without_device_code(out: &Path) {
    let source = out.join("device.S");
    fs::write(&source, "    .section .note.GNU-stack,\"\",%progbits\n").expect("the assembly is written");
    cc::Build::new().cargo_metadata(false).file(source).out_dir(out).compile("cudadevrt");
}

/// Builds a library.
fn build(library: &Library, out: &Path, entries: Entries) {
    let all = if library.file.contains("cudart") { tables::runtime() } else { tables::driver() };
    // A driver has the functions of all versions.
    let is_driver = !library.file.contains("cudart");
    let mut names = all;
    names.retain(|name| is_driver || name.versions.contains(&library.version));
    let stem = library.file.replace('.', "_");
    let assembly = out.join(format!("{stem}.S"));
    fs::write(&assembly, entries(&names) + &entries::table(&names, library.version))
        .expect("the assembly is written");

    let mut build = cc::Build::new();
    build.debug(false).opt_level(2).pic(true).warnings(true).cargo_metadata(false);
    build.flag("-fvisibility=hidden").flag_if_supported("-fno-stack-protector");
    build.define("STUB_NOT_STARTED", library.not_started.to_string().as_str());
    build.file("src/stub.c").file(&assembly);
    let folder = out.join(&stem);
    fs::create_dir_all(&folder).expect("a folder");
    build.out_dir(&folder);
    if library.file.ends_with(".a") {
        build.compile("stub");
        fs::copy(folder.join("libstub.a"), out.join(library.file)).expect("the archive is copied");
        return;
    }
    let objects = build.compile_intermediates();
    let exports: Vec<_> = names.iter().map(|name| format!("    {};\n", name.name)).collect();
    let node = if library.versioned { library.file } else { "" };
    let script = folder.join("exports");
    let text = format!("{node} {{\n  global:\n{}  local: *;\n}};\n", exports.concat());
    fs::write(&script, text).expect("the list of exports is written");
    let mut link: Command = build.get_compiler().to_command();
    link.args(["-shared", "-Wl,-z,noexecstack", "-Wl,-z,relro"]).args(objects);
    link.arg(format!("-Wl,-soname,{}", library.file));
    link.arg(format!("-Wl,--version-script={}", script.display()));
    link.arg("-Wl,-s").arg("-o").arg(out.join(library.file)).arg("-ldl");
    let status = link.status().unwrap_or_else(|why| panic!("{link:?}: {why}"));
    assert!(status.success(), "{link:?}: {status}");
}
