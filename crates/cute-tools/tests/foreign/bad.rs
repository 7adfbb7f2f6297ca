//! PTX that is not valid, or that is too large, ends in an error or a finding: within 5 seconds of
//! the processor and 2 GB of memory.

use std::{
    fs,
    process::{Command, Output},
};

const HEAD: &str = ".version 8.7\n.target sm_90\n.address_size 64\n";

/// A kernel with declarations in front of it.
fn after(declarations: &str, body: &str) -> String {
    format!(
        "{HEAD}{declarations}\n.visible .entry k(.param .u64 p)\n{{\n.reg .b32 %r<9>; .reg .b64 %rd<9>;\n\
         ld.param.u64 %rd1, [p];\n{body}\nret;\n}}\n"
    )
}

fn kernel(body: &str) -> String {
    after("", body)
}

const STORE: &str = "mov.u32 %r1, 7; st.global.u32 [%rd1], %r1;";

/// Runs a text with these arguments under the limits.
fn run(text: &[u8], arguments: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("k.ptx"), text).expect("a file");
    let limited = format!("ulimit -t 5 -v 2097152; exec \"$0\" run k.ptx --grid 1 --block 2 {arguments}");
    let mut shell = Command::new("bash");
    shell.current_dir(folder.path()).args(["-c", &limited, env!("CARGO_BIN_EXE_cutec")]);
    shell.output().expect("a shell")
}

/// Checks that a text is refused with a message, and not by the system.
fn refused_with(text: &[u8], arguments: &str, message: &str) {
    let output = run(text, arguments);
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let beginning: String = said.chars().take(2000).collect();
    assert_eq!(output.status.code(), Some(1), "{message}: {beginning}");
    assert!(said.contains(message), "{message}: {beginning}");
}

fn refused(text: &str, message: &str) {
    refused_with(text.as_bytes(), "--arg p:u32[4]", message);
}

fn accepted(text: &str) {
    let output = run(text.as_bytes(), "--arg p:u32[4]");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn texts_that_end_early() {
    let text = kernel(STORE);
    accepted(&text);
    refused(&text[..text.len() - 3], "k.ptx:6: `PTX`: the brace `{` is not closed");
    refused(&text[..text.find("(.param").expect("parameters") + 3], "is missing");
    refused(HEAD, "kernel");
    refused("", "kernel");
    for end in (0..text.len()).step_by(13) {
        assert_eq!(run(&text.as_bytes()[..end], "--arg p:u32[4]").status.code(), Some(1), "{}", &text[..end]);
    }
}

#[test]
fn numbers_that_are_too_large() {
    // Registers that nothing mentions cost nothing.
    accepted(&kernel(
        ".reg .b32 %q<2147483647>; mov.u32 %q2147483646, 7; st.global.u32 [%rd1], %q2147483646;",
    ));
    refused(&kernel(".reg .b32 %q<99999999999999999999>;"), "a number of registers is missing");
    let shared = ".shared .b8 x[4611686018427387904];";
    refused(&after(shared, "mov.u32 %r1, x;"), "k.ptx:4: `.shared`: `x` has more than 268435456 bytes");
    let shared = ".shared .b8 x[4294967296][4294967296][16];";
    refused(&after(shared, "mov.u32 %r1, x;"), "`x` has more than 268435456 bytes");
    let aligned = ".shared .align 4611686018427387904 .b8 x[4];";
    refused(&after(aligned, "mov.u32 %r1, x;"), "bytes of shared memory");
    let global = ".global .b8 x[200000000]; .global .b8 y[200000000];";
    let both = "mov.u64 %rd2, x; mov.u64 %rd3, y;";
    refused(&after(global, both), "variables of more than 268435456 bytes, up to `y`");
    let local: String = (0..2000).map(|i| format!(".local .b8 l{i}[1048576];\n")).collect();
    refused(&kernel(&(local + "mov.u64 %rd2, l0;")), "the limit is 524288");
    let wide = kernel(STORE).replace("p)", "p, .param .b8 q[100000000])");
    refused(&wide, "the parameters of a kernel have more than 32764 bytes");
    let many: String = (0..100_000).map(|i| format!(", .param .u64 q{i}")).collect();
    let many = kernel(STORE).replace("p)", &format!("p{many})"));
    refused(&many, "the parameters of a kernel have more than 32764 bytes");
    accepted(&kernel(STORE).replace(")\n{", ")\n.maxntid 4294967295, 4294967295, 4294967295\n{"));
}

#[test]
fn nested_texts() {
    let nested = |open: &str, close: &str| open.repeat(100_000) + &close.repeat(100_000);
    refused(&kernel(&nested("{", "}")), "k.ptx:9: `PTX`: more than 256 braces in one another");
    refused(&kernel(&"{".repeat(100_000)), "the brace `{` is not closed");
    let sum = nested("(", ")").replace("()", "(1)");
    refused(&kernel(&format!("mov.u32 %r1, {sum};")), "more than 64 levels of brackets or operators");
    refused(&kernel(&format!("mov.u32 %r1, {}1;", "-".repeat(100_000))), "more than 64 levels");
    let list = nested("{", "}").replace("{}", "{1}");
    refused(&after(&format!(".global .b8 x[1] = {list};"), STORE), "more than 64 levels");
}

#[test]
fn calls_without_end() {
    let deep = "calls nest deeper than 256";
    refused(&after(".func f() { call f, (); ret; }", "call f, ();"), deep);
    let pair = ".func g();\n.func f() { call g, (); ret; }\n.func g() { call f, (); ret; }";
    refused(&after(pair, "call f, ();"), deep);
    let twice = |i: u32| format!(".func f{i}() {{ call f{0}, (); call f{0}, (); ret; }}\n", i + 1);
    let tree: String = (0..100).rev().map(twice).collect();
    let text = after(&format!(".func f100() {{ ret; }}\n{tree}"), "call f0, ();");
    refused_with(text.as_bytes(), "--arg p:u32[4] --budget 100000", "the budget of 100000 instructions");
    refused(&after(".alias f, g; .alias g, f;", "call f, ();"), "`f`, which has no body here");
}

#[test]
fn names_that_are_wrong() {
    refused(&kernel("A: mov.u32 %r1, 1; A: mov.u32 %r1, 2;"), "k.ptx:9: `k`: a second label `A`");
    refused(&kernel("bra NOWHERE;"), "no label `NOWHERE`");
    refused(&kernel(STORE).replace("p)", "p, .param .u64 p)"), "a second symbol `p`");
    refused(&(kernel(STORE) + &kernel(STORE)[HEAD.len()..]), "a second kernel named `k`");
    refused(&kernel(&format!(".loc 7 1 1\n{STORE}")), "k.ptx:9: `.loc`: no `.file` has the number 7");
    let table = "T: .branchtargets A, B;\nbrx.idx %r1, T;\nA: B:";
    for index in ["2", "9", "-1"] {
        let beyond = "k.ptx:11: `brx.idx` in block (0, 0, 0), thread (0, 0, 0): the index is beyond the 2 labels of `T`";
        refused(&kernel(&format!("mov.u32 %r1, {index};\n{table}")), beyond);
    }
    refused(&kernel("ld.param.u64 %rd2, [p+8];"), "8 bytes at byte 8 of parameter 0 of the kernel");
    refused(&kernel("ld.param.u64 %rd2, [p+-8];"), "8 bytes at byte -8 of parameter 0 of the kernel");
}

#[test]
fn versions_and_arguments() {
    accepted(&kernel(STORE).replace("8.7", "9.5"));
    refused(&kernel(STORE).replace("address_size 64", "address_size 32"), "addresses of 32 bits");
    let given = |arguments: &str, message| refused_with(kernel(STORE).as_bytes(), arguments, message);
    given("", "kernel 'k' has 1 parameter (p (.u64)), but --arg was given 0 times");
    given("--arg u32[4] --arg 1", "kernel 'k' has 1 parameter (p (.u64)), but --arg was given 2 times");
    given("--arg p:u32[4] --kernel other", "other");
    let bytes = kernel(STORE).replace("p)", "p, .param .align 8 .b8 q[12])");
    let text = bytes.as_bytes();
    refused_with(text, "--arg p:u32[4] --arg 7", "has 12 bytes: give it an array of 12 bytes");
    refused_with(text, "--arg p:u32[4] --arg u8[11]", "has 12 bytes, but the array has 11");
    refused_with(
        text,
        "--arg p:u32[4] --arg \"tensor_map(p,box=4)\"",
        "has 12 bytes, but a tensor map has 128",
    );
}

#[test]
fn bytes_that_are_no_text() {
    let file = |name: &[u8]| {
        let loc = ".loc 1 1 1\nst.global.u32 [%rd1+4096], %r1;";
        let (head, rest) = (HEAD.as_bytes(), kernel(loc));
        [head, b".file 1 \"", name, b"\"\n", &rest.as_bytes()[HEAD.len()..]].concat()
    };
    refused_with(&file(b"a\0b.cu"), "--arg p:u32[4]", "'k.ptx' has a NUL (byte 54), so it is not a text");
    refused_with(&file(b"\xff\xfe.cu"), "--arg p:u32[4]", "'k.ptx' is not UTF-8 text (byte 53)");
    refused_with(&file("é.cu".as_bytes()), "--arg p:u32[4]", "é.cu:1:1 (k.ptx:11)");
}

#[test]
fn long_texts() {
    let section = ".b8 1\n".repeat((50 << 20) / 6);
    accepted(&format!("{}.section .debug_info\n{{\n{section}}}\n", kernel(STORE)));
    accepted(&kernel(&"mov.u32 %r1, 7;\n".repeat(20_000)));
    let list = "%r1,".repeat(100_000);
    refused(&kernel(&format!("mov.u32 %r1, {{{list}%r1}};")), "the operands do not fit");
    accepted(&format!("{}/* a comment without an end", kernel(STORE)));
}

/// ptxas refuses them too, whether the kernel uses them or not.
#[test]
fn variables_that_no_device_has_room_for() {
    accepted(&after(".const .b8 c[65536];", STORE));
    refused(&after(".const .b8 c[65537];", STORE), "65537 bytes of constant memory: the limit is 65536");
    refused(
        &after(".const .b8 c[4294967296]; .const .b8 d[1];", STORE),
        "4294967296 bytes of constant memory: the limit is 65536",
    );
    refused(
        &after(".global .b8 g[1099511627777];", STORE),
        "a variable of 1099511627777 bytes: no GPU has more than 1099511627776",
    );
}
