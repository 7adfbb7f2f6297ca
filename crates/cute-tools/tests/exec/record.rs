//! Launches that `--record` has written, as `cutec run --launches` repeats them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{programs::nvcc, *};

/// A program that `cutec exec` has recorded, with the line of JSON that it ends with.
fn recorded(place: &Place, nvcc: &Path, program: &str, options: &[&str]) -> Value {
    let library = programs::libraries(place);
    place.nvcc(nvcc, program, program, &[&["-cudart", "shared", &library], options].concat());
    fs::remove_dir_all(place.path("runs")).ok();
    let run = place.cutec(&format!("exec --report json --record runs -- ./{program}"));
    serde_json::from_str(run.out.lines().last().expect("a line")).expect("JSON")
}

/// Repeats the first launch.
fn repeated(place: &Place, arguments: &str) -> Run {
    let mut command = place.command(env!("CARGO_BIN_EXE_cutec"));
    command.current_dir(place.path("runs/1"));
    command.args(["run", "kernel.ptx", "--launches", "launch.json"]).args(arguments.split_whitespace());
    command.output().expect("cutec runs").into()
}

/// The kinds, grades and lines of findings, which are the same in both: buffers have other names.
/// The pair of accesses that shows a race, and how many accesses of a line are reported before the
/// run stops, depend on which blocks run at the same time.
fn essence(report: &Value) -> BTreeSet<[String; 3]> {
    let findings = report["findings"].as_array().expect("findings");
    let of = |finding: &Value| {
        [&finding["kind"]["kind"], &finding["grade"], &finding["chain"]].map(Value::to_string)
    };
    findings.iter().map(of).collect()
}

#[test]
fn a_recorded_launch_has_the_same_values() {
    let Some(nvcc) = nvcc() else { return };
    let place = Place::new();
    let summary = recorded(&place, &nvcc, "structs", &[]);
    assert_eq!(summary["findings"], 0);
    let run = repeated(&place, "--out A2=to.npy");
    assert_eq!(run.code, Some(0), "{}", run.err);
    let written = fs::read(place.path("runs/1/to.npy")).expect("the array");
    // The program has transposed and doubled 20 x 33 numbers from 0 on.
    let (rows, columns) = (20, 33);
    let number = |at: usize| (at % rows * columns + at / rows) as f32 * 2.0;
    let expected: Vec<u8> = (0..rows * columns).flat_map(|at| number(at).to_le_bytes()).collect();
    assert!(written.ends_with(&expected), "{} bytes", written.len());
}

#[test]
fn a_recorded_launch_has_the_same_findings() {
    let Some(nvcc) = nvcc() else { return };
    let place = Place::new();
    for program in ["structs", "variables"] {
        let summary = recorded(&place, &nvcc, program, &["-DBROKEN"]);
        let before = essence(&summary["launches"][0]["report"]);
        let run = repeated(&place, "--report json");
        assert_eq!(run.code, Some(1), "{}", run.err);
        let report: Value = serde_json::from_str(&run.out).expect("JSON");
        assert!(!before.is_empty());
        assert_eq!(essence(&report["launches"][0]["report"]), before, "{program}");
    }
}
