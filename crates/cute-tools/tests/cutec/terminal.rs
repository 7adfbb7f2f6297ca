//! Text from outside does not reach a terminal as it is: names in a module, lines of its source,
//! and words of the command line.

use super::{KERNEL, Place};

/// A kernel whose name would colour what follows, ring, and begin a line of its own.
const NAMED: &str = "gpu.module @m {\n  llvm.func @\"k\\1B[31mX\\07\\0Ay: no findings\"() attributes {gpu.kernel, nvvm.kernel} {\n    \
                     llvm.intr.trap\n    llvm.return\n  }\n}\n";

#[test]
fn control_characters_are_shown() {
    let place = Place::with(NAMED);
    let run = place.run("run k.mlir --grid 1 --block 1");
    let text = run.out + &run.err;
    assert_eq!(run.code, Some(1), "{text}");
    assert!(text.contains("\nk[U+001B][31mX[U+0007][U+000A]y: no findings: 1 block, "), "{text}");
    assert!(
        text.contains("error: kernel 'k[U+001B][31mX[U+0007][U+000A]y: no findings' has 1 finding\n"),
        "{text}"
    );
    assert!(!text.contains(['\u{1b}', '\u{7}']), "{text}");
    // For programs, JSON escapes them itself.
    let run = place.run("run k.mlir --grid 1 --block 1 --report json");
    let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(report["kernel"], "k\u{1b}[31mX\u{7}\ny: no findings");
}

#[test]
fn a_line_of_the_source_keeps_its_caret() {
    let place = Place::with(
        "gpu.module @m {\n  gpu.func @k() kernel attributes {a = \"\u{1b}[2J\u{202e}\"} { %t = nvv.x : i32\n    gpu.return\n  }\n}\n",
    );
    let run = place.run("k.mlir --target sm_90a -o k.ptx");
    assert_eq!(run.code, Some(1), "{}", run.err);
    let lines: Vec<&str> = run.err.lines().collect();
    let at = lines.iter().position(|line| line.contains("[U+001B][2J[U+202E]")).expect("the line is shown");
    let caret = lines[at + 1].find('^').expect("a caret");
    assert_eq!(&lines[at][caret..][..4], "nvv.", "{}", run.err);
    assert!(!run.err.contains(['\u{1b}', '\u{202e}']));
}

#[test]
fn names_of_files_are_one_line() {
    let place = Place::with(KERNEL);
    let mut command = place.command("");
    command.args(["no\u{1b}[31m\nfile", "--target", "sm_90a", "-o", "k.ptx"]);
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text, "error: cannot read 'no[U+001B][31m[U+000A]file': No such file or directory\n");
}
