//! Mistakes of several launches, in the form of public reports: `tests/foreign/cuda/reports.cu` has
//! the kernels, and `launches/` the operations of the host. Both places of a finding are lines that
//! the source or the file of launches marks, and the repaired twin is silent.

use super::case::folder;
use serde_json::{Value, json};
use std::{fs, process::Command};

/// The PTX of the kernels, from the folder of `tests/foreign` on.
pub const FILES: [&str; 2] = ["cuda/reports.nvcc.sm_90.ptx", "cuda/reports.clang.sm_90.ptx"];

/// The end of a finding's location: a marked line of the source, or a line of the file of launches.
enum At {
    Mark(&'static str),
    Operation(u32),
}
use At::{Mark, Operation};

/// Launches with the place of their finding, that of the other side, and what could order the two.
fn reports() -> [(&'static str, At, At, Value); 5] {
    let dependent = |kernel: &str, beside: &str| {
        json!({
            "completion": "launch", "launch": 1, "kernel": kernel, "beside": 2, "beside_kernel": beside, "covered": true
        })
    };
    let streams = |launch: u32, kernel: &str, [earlier, later]: [&str; 2]| {
        let queues = json!({"earlier": earlier, "later": later});
        json!({"completion": "unordered", "launch": launch, "kernel": kernel, "queues": queues})
    };
    let mut in_vain = streams(1, "fill", ["producer", "side"]);
    in_vain["queues"]["in_vain"] = "cuda/launches/gate.broken.json:4".into();
    let reader = || Mark("broken: scaled");
    let writer = || Mark("written: fill");
    [
        (
            "sums",
            Mark("broken: sums_too_early"),
            Mark("written: output_gradient"),
            dependent("output_gradient", "sums_too_early"),
        ),
        (
            "merge",
            Mark("broken: merge_too_early"),
            Mark("written: partitions"),
            dependent("partitions", "merge_too_early"),
        ),
        ("side_stream", reader(), writer(), streams(1, "fill", ["default", "side"])),
        ("gate", reader(), writer(), in_vain),
        ("given_back", Operation(8), reader(), streams(2, "scaled", ["main", "auxiliary"])),
    ]
}

/// The findings of a file of launches, and whether the run is right.
fn run(ptx: &str, launches: &str) -> (Vec<Value>, bool) {
    let mut run = Command::new(env!("CARGO_BIN_EXE_cutec"));
    run.current_dir(folder()).args(["run", ptx, "--launches", launches, "--report", "json"]);
    let output = run.output().expect("cutec runs");
    let shown = String::from_utf8_lossy(&output.stdout);
    let report: Value = serde_json::from_str(&shown)
        .unwrap_or_else(|_| panic!("{launches}: {}", String::from_utf8_lossy(&output.stderr)));
    let launches = report["launches"].as_array().expect("a list").iter();
    let findings =
        launches.flat_map(|launch| launch["report"]["findings"].as_array().expect("a list").clone());
    (findings.collect(), output.status.success())
}

#[test]
fn reported_mistakes_of_several_launches_are_found_with_both_places() {
    let source = fs::read_to_string(folder().join("cuda/reports.cu")).expect("a file");
    for ptx in FILES {
        for (name, at, other, completion) in reports() {
            let file = format!("cuda/launches/{name}.broken.json");
            let (findings, is_right) = run(ptx, &file);
            let place = |at: At| match at {
                Mark(mark) => {
                    let line =
                        source.lines().position(|line| line.ends_with(mark)).expect("the line is marked");
                    format!("cuda/reports.cu:{}:", line + 1)
                }
                Operation(line) => format!("{file}:{line}"),
            };
            let (at, other) = (place(at), place(other));
            let is_at = |value: &Value, at: &str| {
                value["location"].as_str().is_some_and(|location| location.starts_with(at))
            };
            assert!(!is_right && !findings.is_empty(), "{ptx} {name}");
            for finding in &findings {
                let text = format!("{ptx} {name}: {finding:#}");
                assert_eq!(
                    (&finding["kind"]["kind"], &finding["grade"]),
                    (&"race".into(), &"error".into()),
                    "{text}"
                );
                assert!(is_at(finding, &at) && is_at(&finding["kind"]["other"], &other), "{text}");
                assert_eq!(finding["kind"]["other"]["completion"], completion, "{text}");
            }
            let (findings, is_right) = run(ptx, &format!("cuda/launches/{name}.repaired.json"));
            assert!(is_right && findings.is_empty(), "{ptx} {name}: {findings:#?}");
        }
    }
}
