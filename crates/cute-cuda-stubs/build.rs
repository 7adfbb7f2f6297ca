//! Builds the stubs: for each library of NVIDIA's, assembly with one entry per function, and
//! `src/stub.c`, which finds the function behind it.
//!
//! The libraries are files that `cutec exec` writes where a program finds them, so they are linked
//! here, and embedded in the crate.

#[path = "src/tables.rs"]
mod tables;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use tables::Name;

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
    let entries: Option<fn(&[Name]) -> String> = match machine.as_str() {
        "x86_64" if is_linux => Some(x86_64),
        "aarch64" if is_linux => Some(aarch64),
        _ => None,
    };
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
fn build(library: &Library, out: &Path, entries: fn(&[Name]) -> String) {
    let all = if library.file.contains("cudart") { tables::runtime() } else { tables::driver() };
    // A driver has the functions of all versions.
    let is_driver = !library.file.contains("cudart");
    let mut names = all;
    names.retain(|name| is_driver || name.versions.contains(&library.version));
    let stem = library.file.replace('.', "_");
    let assembly = out.join(format!("{stem}.S"));
    fs::write(&assembly, entries(&names) + &table(&names, library.version)).expect("the assembly is written");

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

/// How a function answers without the simulator, as `kind` in `stub.c` has it.
fn kind(name: &str) -> char {
    match name {
        "cudaGetErrorName" | "cudaGetErrorString" => 't',
        "cuGetErrorName" | "cuGetErrorString" => 'o',
        "__cudaRegisterFatBinary" => 'h',
        "cudaCreateChannelDesc" => 's',
        _ => 'c',
    }
}

/// The slots, each of which holds the address behind its function from the first call on, and the
/// names.
fn table(names: &[Name], version: u32) -> String {
    let mut text = String::from(
        "    .data\n    .balign 16\n    .globl cute_cuda_stub_slots\n    .hidden cute_cuda_stub_slots\n\
         cute_cuda_stub_slots:\n",
    );
    for index in 0..names.len() {
        text += &format!("    .quad .Lfirst{index}\n");
    }
    text += "    .section .data.rel.ro,\"aw\"\n    .balign 16\n    .globl cute_cuda_stub_names\n    \
             .hidden cute_cuda_stub_names\ncute_cuda_stub_names:\n";
    for (index, name) in names.iter().enumerate() {
        text += &format!("    .quad .Lname{index}\n    .quad {}\n", kind(name.name) as u32);
    }
    text += "    .section .rodata\n";
    for (index, name) in names.iter().enumerate() {
        text += &format!(".Lname{index}:\n    .asciz \"{}@{version}\"\n", name.name);
    }
    text + "    .section .note.GNU-stack,\"\",%progbits\n"
}

/// A function that starts in the section of code.
fn begin(name: &str) -> String {
    format!("    .balign 16\n    .globl {name}\n    .type {name}, %function\n{name}:\n")
}

/// The entries for x86-64. The first call of each goes through `.Lfind`, which saves the registers
/// of arguments; r11 is free between a caller and a function.
fn x86_64(names: &[Name]) -> String {
    const INTEGERS: [&str; 7] = ["rdi", "rsi", "rdx", "rcx", "r8", "r9", "rax"];
    let mut text = String::from("    .text\n");
    for (index, name) in names.iter().enumerate() {
        let slot = 8 * index;
        text += &begin(name.name);
        text += &format!("    endbr64\n    jmp *cute_cuda_stub_slots+{slot}(%rip)\n");
        text += &format!(
            ".Lfirst{index}:\n    endbr64\n    movl ${index}, %r11d\n    jmp .Lfind\n    .size {0}, .-{0}\n",
            name.name
        );
    }
    // The return address and 7 registers are 64 bytes, and 8 more registers are 128: the stack
    // stays aligned to 16 bytes.
    text += "    .balign 16\n.Lfind:\n    subq $184, %rsp\n";
    for (place, register) in INTEGERS.iter().enumerate() {
        text += &format!("    movq %{register}, {}(%rsp)\n", 8 * place);
    }
    for register in 0..8 {
        text += &format!("    movups %xmm{register}, {}(%rsp)\n", 56 + 16 * register);
    }
    text += "    movl %r11d, %edi\n    movq %rsp, %rsi\n    call cute_cuda_stub_find\n    movq %rax, %r11\n    \
             movq %rdx, %r10\n";
    for (place, register) in INTEGERS.iter().enumerate() {
        text += &format!("    movq {}(%rsp), %{register}\n", 8 * place);
    }
    for register in 0..8 {
        text += &format!("    movups {}(%rsp), %xmm{register}\n", 56 + 16 * register);
    }
    text += "    addq $184, %rsp\n    testq %r11, %r11\n    je .Lnone\n    jmp *%r11\n.Lnone:\n    movq %r10, %rax\n    \
             ret\n";
    text
}

/// The entries for AArch64, as [`x86_64`]; x16 and x17 are free between a caller and a function,
/// and x8 has where a struct is to be.
fn aarch64(names: &[Name]) -> String {
    let mut text = String::from("    .text\n");
    for (index, name) in names.iter().enumerate() {
        let slot = format!("cute_cuda_stub_slots+{}", 8 * index);
        text += &begin(name.name);
        text += &format!(
            "    hint #34\n    adrp x16, {slot}\n    ldr x16, [x16, :lo12:{slot}]\n    br x16\n.Lfirst{index}:\n    hint #36\n    \
             mov w17, #{index}\n    b .Lfind\n    .size {0}, .-{0}\n",
            name.name
        );
    }
    // Frame and return address, x0 to x8, and q0 to q7: 16 + 80 + 128 bytes.
    text += "    .balign 16\n.Lfind:\n    stp x29, x30, [sp, #-224]!\n    mov x29, sp\n";
    let pairs = |op: &str| {
        let integers =
            (0..8).step_by(2).map(|r| format!("    {op} x{r}, x{}, [sp, #{}]\n", r + 1, 16 + 8 * r));
        let floats =
            (0..8).step_by(2).map(|r| format!("    {op} q{r}, q{}, [sp, #{}]\n", r + 1, 96 + 16 * r));
        integers.chain(floats).collect::<String>()
    };
    text += &pairs("stp");
    text += "    str x8, [sp, #80]\n    mov w0, w17\n    add x1, sp, #16\n    bl cute_cuda_stub_find\n    mov x16, x0\n    \
             mov x17, x1\n    ldr x8, [sp, #80]\n";
    text += &pairs("ldp");
    text +=
        "    ldp x29, x30, [sp], #224\n    cbz x16, .Lnone\n    br x16\n.Lnone:\n    mov x0, x17\n    ret\n";
    text
}
