//! The byte form of programs.

use std::{
    env,
    io::Write,
    process::{Command, Stdio},
};

use cute_sim::{
    Program,
    program::{FormVersion, NotAProgram},
};

use super::kernel;

const BODY: &str = "%i = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %data[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %i, %p : i32, !llvm.ptr<1>";

fn bytes() -> Vec<u8> {
    kernel("%data: !llvm.ptr<1>", BODY).to_bytes()
}

#[test]
fn each_changed_byte_is_noticed() {
    let whole = bytes();
    assert!(Program::from_bytes(&whole).is_ok());
    for at in 0..whole.len() {
        for change in [1, 0x80] {
            let mut changed = whole.clone();
            changed[at] ^= change;
            let expected = match (at, Program::from_bytes(&changed).unwrap_err()) {
                (0..8, NotAProgram::Foreign { length, .. }) => length == whole.len(),
                (8..12, NotAProgram::Version { found, .. }) => found != FormVersion::OWN,
                (12.., NotAProgram::Damaged(_)) => true,
                _ => false,
            };
            assert!(expected, "byte {at}");
        }
    }
}

#[test]
fn missing_and_further_bytes_are_noticed() {
    let whole = bytes();
    for length in 0..whole.len() {
        assert!(Program::from_bytes(&whole[..length]).is_err(), "{length} bytes");
    }
    let further = [&whole[..], &[0]].concat();
    let why = Program::from_bytes(&further).unwrap_err().to_string();
    assert_eq!(why, "the program is damaged: its checksum is that of other bytes");
    assert_eq!(
        Program::from_bytes(b"ptx").unwrap_err().to_string(),
        "these 3 bytes are not a program: they do not begin with `cuteprog`"
    );
}

/// Runs `simulate`, an example of `cute-sim`, which `cargo test` builds beside the tests.
fn simulate(bytes: &[u8]) -> (bool, String) {
    let own = env::current_exe().expect("the path of this test");
    let built = own.parent().and_then(|deps| deps.parent()).expect("the folder of the build");
    let path = built.join("examples/simulate");
    if !path.exists() {
        // A run of this test alone does not build examples.
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "-p", "cute-sim", "--example", "simulate"]).status().expect("cargo runs");
    }
    let mut child = Command::new(&path)
        .args(["kernel", "4"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    child.stdin.take().expect("a pipe").write_all(bytes).expect("the program reads everything");
    let output = child.wait_with_output().expect("the program ends");
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).expect("text"))
}

#[test]
fn another_process_simulates_the_bytes_without_mlir() {
    assert_eq!(simulate(&bytes()), (true, "0\n1\n2\n3\n".to_string()));
    let mut damaged = bytes();
    *damaged.last_mut().expect("a byte") ^= 1;
    let why = "the program is damaged: its checksum is that of other bytes\n";
    assert_eq!(simulate(&damaged), (false, why.to_string()));
}
