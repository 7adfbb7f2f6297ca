//! `cutec run --launches`: what a host enqueues in streams.

use super::run_in;
use serde_json::Value;
use std::fs;

const KERNEL: &str = ".version 8.0
.target sm_90
.address_size 64
.visible .entry next(.param .u64 x) .reqntid 64 {
  .reg .b32 %r<3>; .reg .b64 %d<3>;
  ld.param.u64 %d0, [x];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %d1, %r0, 4;
  add.u64 %d0, %d0, %d1;
  ld.global.u32 %r1, [%d0];
  add.u32 %r1, %r1, 1;
  st.global.u32 [%d0], %r1;
  ret;
}
";

/// Runs the kernel in two streams, with some operations in between.
fn run(between: &str, more: &str) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let launch = |stream: &str| {
        format!("{{\"launch\": \"next\", \"grid\": [1], \"args\": [\"&X\"], \"stream\": \"{stream}\"}}")
    };
    let text = format!(
        "{{\"arrays\": {{\"X\": \"u32[64]=range\"}}, \"streams\": {{\"s\": \"nonblocking\"}},\n\"operations\": [{},\n{between}\n{}]}}",
        launch("s"),
        launch("default")
    );
    fs::write(folder.path().join("l.json"), text).unwrap();
    run_in(&folder, KERNEL, &format!("--launches l.json {more}"))
}

#[test]
fn a_race_of_two_streams_ends_the_run() {
    let (code, out, err) = run("", "");
    assert_eq!((code, err.as_str()), (Some(1), "error: kernel 'next' has 2 findings\n"), "{out}");
    let race = "error: k.mlir:10: `ld.global.u32` in block (0, 0, 0), thread (0, 0, 0): reads byte 0 of buffer X, and nothing orders it \
                with the write by thread (0, 0, 0) of block (0, 0, 0), `st.global.u32` (k.mlir:12), of launch 1 (`next`) in stream s, \
                for which stream default has not waited";
    assert!(out.starts_with(race), "{out}");
    assert!(
        out.contains("\n  in launch 2: next with grid [1, 1, 1], block [64, 1, 1], stream default\n"),
        "{out}"
    );
    let (code, out, err) = run("{\"synchronize\": \"s\"},", "--out X=x.npy --report json");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let report: Value = serde_json::from_str(&out).unwrap();
    let launch = |i: usize| &report["launches"][i]["launch"];
    assert_eq!((&launch(1)["stream"], &launch(1)["operation"]), (&"default".into(), &2.into()));
    assert_eq!(run("", "--no-races").0, Some(0));
    assert_eq!(run("{\"set\": \"X\"},", "--no-races").0, Some(0));
    let (code, _, err) =
        run("{\"launch\": \"next\", \"grid\": [1], \"block\": [64], \"args\": [\"&Q\"]},", "");
    let wrong = "error: l.json: operations[1]: argument &Q: no array has the name 'Q'; the arrays are: X";
    assert_eq!((code, err.lines().next()), (Some(1), Some(wrong)));
    // A finding may be accepted at either of its sides.
    let (code, out, err) = run("{\"set\": \"X\"},", "--allow race@l.json:3 --allow race@k.mlir");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
}

/// Each file is a module of its own, with kernels, variables and warnings.
#[test]
fn launches_name_other_files_of_ptx() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let other = KERNEL.replace("add.u32 %r1, %r1, 1", "add.u32 %r1, %r1, 10");
    write("other.ptx", &other);
    let launches = |more: &str| {
        let launch = |file: &str, more: &str| {
            format!(
                "{{\"launch\": \"next\"{file}, \"grid\": [1], \"args\": [\"&X\"], \"stream\": \"s\"{more}}}"
            )
        };
        let all =
            [launch("", ""), launch(", \"file\": \"other.ptx\"", more), launch(", \"file\": \"k.mlir\"", "")];
        let all = all.join(",\n");
        write(
            "l.json",
            &format!(
                "{{\"arrays\": {{\"X\": \"u32[64]=range\"}}, \"streams\": {{\"s\": \"nonblocking\", \"t\": \"nonblocking\"}},\n\
                 \"operations\": [{all}]}}"
            ),
        );
    };
    launches("");
    let run = |more: &str| run_in(&folder, KERNEL, &format!("--launches l.json {more}"));
    let (code, out, err) = run("--out X=x.npy");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("launch 2: next of other.ptx with grid"), "{out}");
    let file = npyz::NpyFile::new(fs::File::open(folder.path().join("x.npy")).unwrap()).unwrap();
    assert_eq!(file.into_vec::<u32>().unwrap()[..3], [12, 13, 14]);
    // A race names the lines of both files.
    launches(", \"stream\": \"t\"");
    let (code, out, _) = run("");
    assert_eq!(code, Some(1));
    assert!(out.starts_with("error: other.ptx:10: `ld.global.u32` in block (0, 0, 0)"), "{out}");
    assert!(out.contains("`st.global.u32` (k.mlir:12), of launch 1 (`next`) in stream s"), "{out}");
    // A verdict depends on it.
    launches("");
    assert_eq!(run("--cache kept").0, Some(0));
    write("other.ptx", &other.replace("[%d0], %r1", "[%d0+4], %r1"));
    assert_eq!(run("--cache kept").0, Some(1), "it stores beyond the array");
    fs::remove_file(folder.path().join("other.ptx")).unwrap();
    let (code, _, err) = run("");
    assert!(code == Some(1) && err.contains("other.ptx"), "{err}");
}

#[test]
fn kernels_of_a_module_are_launched_too() {
    let folder = tempfile::tempdir().unwrap();
    let launch = |from: &str, to: &str, stream: &str| {
        format!(
            "{{\"launch\": \"twice\", \"grid\": [2], \"block\": [64], \"args\": [\"&{from}\", \"&{to}\", \"100\"], \
             \"stream\": \"{stream}\"}}"
        )
    };
    for (stream, races) in [("per-thread", false), ("s", true)] {
        let (first, second) = (launch("X", "Y", "per-thread"), launch("Y", "Z", stream));
        let text = format!(
            "{{\"arrays\": {{\"X\": \"f32[100]=range\", \"Y\": \"f32[100]\", \"Z\": \"f32[100]\"}},
              \"streams\": {{\"s\": \"blocking\"}}, \"operations\": [{first}, {second}]}}"
        );
        fs::write(folder.path().join("l.json"), text).unwrap();
        let (code, out, err) = run_in(&folder, super::KERNELS, "--launches l.json --out Z=z.npy");
        assert_eq!(
            (code, out.contains("in stream per-thread, for which stream s has")),
            (Some(races.into()), races),
            "{err}"
        );
    }
    let file = npyz::NpyFile::new(fs::File::open(folder.path().join("z.npy")).unwrap()).unwrap();
    assert_eq!(file.into_vec::<f32>().unwrap()[..3], [0.0, 4.0, 8.0]);
}

#[test]
fn mistakes_name_the_file_and_the_operation() {
    let (code, _, err) = run("{\"wait\": \"e\", \"stream\": \"q\"},", "");
    assert_eq!(code, Some(1));
    assert_eq!(
        err,
        "error: l.json: operations[1].stream: there is no stream 'q'; the streams are s, default, per-thread\n"
    );
    assert!(run("{", "").2.starts_with("error: l.json: "));
    let (code, _, err) = run("", "--grid 1");
    assert!(code != Some(0) && err.contains("cannot be used with"), "{err}");
}
