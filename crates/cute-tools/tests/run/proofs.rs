//! `cutec prove`: the three answers, and the command of a counterexample.

use std::{fs, process::Command};

const RING: &str = include_str!("../../../cute-prove/tests/ring.ptx");

/// The arguments of a launch of the ring of `n` slots.
const LAUNCH: [&str; 8] = ["--grid", "1", "--arg", "A:i32[{256*n}]", "--arg", "D:i32[32]", "--arg", "{n}"];

fn cutec(folder: &tempfile::TempDir, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut c = Command::new(env!("CARGO_BIN_EXE_cutec"));
    let output = c.current_dir(folder.path()).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn asked(text: &str, more: &[&str]) -> (tempfile::TempDir, Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.ptx"), text).unwrap();
    let (code, out, err) = cutec(&folder, &[&["prove", "k.ptx"], &LAUNCH[..], more].concat());
    (folder, code, out, err)
}

#[test]
fn a_ring_is_proved() {
    let (_, code, out, err) = asked(RING, &["--first", "0"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.starts_with("proved: for every n from 0 to ") && out.contains("after 8 sizes"), "{out}");
}

#[test]
fn a_counterexample_is_a_run() {
    let arrives = "@%p9 bra NEXT;";
    let wrong = RING.replace(arrives, &format!("{arrives}\n	setp.eq.u32 %p9, %r10, 9;\n	{arrives}"));
    let (folder, code, out, err) = asked(&wrong, &["--first=0", "--seconds", "50"]);
    assert_eq!((code, err.as_str()), (Some(1), "error: the kernel is wrong for n = 14\n"));
    let command = out.lines().last().unwrap().trim().replace('\'', "");
    assert_eq!(
        command,
        "cutec run k.ptx --grid 1 --arg A:i32[3584] --arg D:i32[32] --arg 14 --schedule=lazy"
    );
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let (code, again, _) = cutec(&folder, &words);
    assert_eq!(code, Some(1));
    let deadlock = again.lines().find(|line| line.starts_with("error: ")).unwrap();
    assert!(deadlock.contains("no thread can go on") && out.contains(deadlock), "{out}");
}

#[test]
fn a_question_needs_a_size_and_time() {
    let (_, code, out, err) = asked(RING, &["--seconds", "0"]);
    assert_eq!(code, Some(1), "{err}");
    assert_eq!(out, "not decided: the time of 0 s is over\n");
    let (_, code, _, err) = asked(RING, &["--schedule", "lazy"]);
    assert_eq!((code, err.as_str()), (Some(1), "error: --schedule has no use in a proof\n"));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.ptx"), RING).unwrap();
    let (code, _, err) = cutec(&folder, &["prove", "k.ptx", "--grid", "1", "--arg", "3"]);
    assert_eq!(code, Some(1));
    assert!(err.contains("no --arg or --array depends on n"), "{err}");
}
