//! Assembly of the entries, one per function, and of the data behind them.

use crate::tables::FunctionName;

/// Writes the entries of functions.
pub type Entries = fn(&[FunctionName]) -> String;

/// The entries for a machine.
pub fn of(machine: &str) -> Option<Entries> {
    match machine {
        "x86_64" => Some(x86_64),
        "aarch64" => Some(aarch64),
        _ => None,
    }
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

/// The data: slots, each of which holds the address behind its function from the first call on,
/// and the names.
pub fn table(names: &[FunctionName], version: u32) -> String {
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
fn x86_64(names: &[FunctionName]) -> String {
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
fn aarch64(names: &[FunctionName]) -> String {
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

#[cfg(test)]
mod tests {
    use std::{fs, path::Path, process::Command};

    use super::*;
    use crate::tables::{driver, runtime};

    /// The assembler of LLVM knows both machines.
    #[test]
    fn each_machine_has_all_functions() {
        let llvm = std::env::var("MLIR_SYS_220_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-22".into());
        let llvm = Path::new(&llvm).join("bin");
        let folder = tempfile::tempdir().expect("a folder");
        let (source, object) = (folder.path().join("e.S"), folder.path().join("e.o"));
        for names in [runtime(), driver()] {
            for machine in ["x86_64", "aarch64"] {
                let entries = of(machine).expect("the machine is known");
                fs::write(&source, entries(&names) + &table(&names, 13)).expect("a source");
                let mut clang = Command::new(llvm.join("clang"));
                clang
                    .arg(format!("--target={machine}-linux-gnu"))
                    .arg("-c")
                    .arg(&source)
                    .arg("-o")
                    .arg(&object);
                let done = clang.output().expect("there is clang");
                assert!(done.status.success(), "{machine}: {}", String::from_utf8_lossy(&done.stderr));
                let mut nm = Command::new(llvm.join("llvm-nm"));
                let listed = nm.arg("--defined-only").arg(&object).output().expect("there is llvm-nm");
                let listed = String::from_utf8(listed.stdout).expect("text");
                let code: Vec<_> = listed.lines().filter_map(|line| line.split_once(" T ")).collect();
                assert!(
                    code.iter().map(|(_, name)| *name).eq(names.iter().map(|name| name.name)),
                    "{machine}"
                );
            }
        }
    }
}
