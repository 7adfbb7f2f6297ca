//! Running the binary.

#![allow(dead_code, reason = "each test binary uses its part")]

use std::{
    io::Write,
    process::{Command, Output, Stdio},
};

fn read(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Exit code, stdout and stderr of `cute-calc args`.
pub fn run(args: &[&str]) -> (Option<i32>, String, String) {
    feeds(args, "")
}

/// Like `run`, with `input` on stdin.
pub fn feeds(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cute-calc"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary");
    let mut stdin = child.stdin.take().expect("stdin");
    let input = input.to_string();
    // The child may answer before it has read everything, or end without reading.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("a run");
    let _ = writer.join();
    read(output)
}

/// `cute-calc args` prints exactly `expected`.
pub fn prints(args: &[&str], expected: &str) {
    let (status, out, err) = run(args);
    assert_eq!((status, out.as_str(), err.as_str()), (Some(0), expected, ""), "{args:?}");
}

/// `cute-calc args` fails with one line on stderr that contains `expected`.
pub fn fails(args: &[&str], expected: &str) {
    let (status, _, err) = run(args);
    assert_eq!(status, Some(1), "{args:?}");
    assert!(err.starts_with("error: ") && err.contains(expected), "{args:?}: {err}");
    assert_eq!(err.lines().count(), 1, "{args:?}: {err}");
}
