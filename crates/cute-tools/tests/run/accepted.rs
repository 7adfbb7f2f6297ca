//! `--allow`, `cute-allow.toml` and `--keep-arrays` of `cutec run`.

use super::run_in;
use serde_json::Value;
use std::{fs, path::Path};
use tempfile::TempDir;

/// Threads store their numbers, and each loads that of the thread before without a barrier.
const RACE: &str = include_str!("../../../../tests/sim/broken/missing_barrier.mlir");

/// A thread stores beyond the end of the array.
const BEYOND: &str = r#"gpu.module @m {
  gpu.func @beyond(%out: !llvm.ptr<1>) kernel attributes {known_block_size = array<i32: 1, 1, 1>} {
    %value = llvm.mlir.constant(7 : i32) : i32
    llvm.store %value, %out : i32, !llvm.ptr<1>
    %far = llvm.getelementptr %out[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %value, %far : i32, !llvm.ptr<1>
    gpu.return
  }
}
"#;

const LAUNCH: &str = "--grid 1 --block 64 --arg out:i32[64] --out out=o.npy";

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn json(folder: &TempDir, text: &str, arguments: &str) -> (Option<i32>, Value) {
    let (code, out, err) = run_in(folder, text, &format!("{arguments} --report json"));
    (code, serde_json::from_str(&out).unwrap_or_else(|why| panic!("{why}: {out}{err}")))
}

/// The line of the only finding.
fn line() -> u32 {
    let (code, report) = json(&folder(), RACE, LAUNCH);
    assert_eq!((code, report["findings"].as_array().map(Vec::len)), (Some(1), Some(1)), "{report}");
    let line = report["findings"][0]["place"]["line"].as_u64();
    line.and_then(|line| line.try_into().ok()).expect("a line")
}

#[test]
fn accepted_findings_are_counted_and_fail_nothing() {
    let line = line();
    let entries = [
        "race".to_owned(),
        "race@k.mlir".into(),
        format!("race@k.mlir:{line}"),
        format!("hang --allow race@k.mlir:{line}"),
    ];
    for entry in entries {
        let folder = folder();
        let (code, report) = json(&folder, RACE, &format!("{LAUNCH} --allow {entry}"));
        assert_eq!(code, Some(0), "{entry}: {report}");
        assert_eq!(report["findings"], Value::Array(Vec::new()), "{entry}");
        assert_eq!(report["accepted"][0]["kind"]["kind"], "race", "{entry}");
        assert_eq!(report["unmatched"].is_null(), !entry.starts_with("hang"), "{entry}: {report}");
        assert!(folder.path().join("o.npy").exists(), "{entry}");
    }
    let (_, out, _) = run_in(&folder(), RACE, &format!("{LAUNCH} --allow race"));
    assert!(out.contains(&format!("accepted: race at k.mlir:{line}:")), "{out}");
}

#[test]
fn entries_that_match_nothing_are_reported() {
    let line = line();
    for entry in [format!("race@k.mlir:{}", line + 100), "race@other.mlir".into(), "deadlock".into()] {
        let folder = folder();
        let (code, report) = json(&folder, RACE, &format!("{LAUNCH} --allow {entry}"));
        assert_eq!((code, &report["unmatched"][0]), (Some(1), &entry.clone().into()), "{report}");
        assert!(!folder.path().join("o.npy").exists());
        let (_, out, _) = run_in(&folder, RACE, &format!("{LAUNCH} --allow {entry}"));
        assert!(out.contains(&format!("accepted, but not found: {entry}")), "{out}");
    }
    let (code, _, err) = run_in(&folder(), RACE, &format!("{LAUNCH} --allow raze"));
    assert!(code == Some(1) && err.contains("there is no finding 'raze'"), "{err}");
}

#[test]
fn a_file_lists_accepted_findings() {
    let folder = folder();
    let file = folder.path().join("cute-allow.toml");
    fs::write(&file, "[[allow]]\nkind = \"race\"\nfile = \"k.mlir\"\nreason = \"a test\"\n").expect("a file");
    let (code, report) = json(&folder, RACE, LAUNCH);
    assert_eq!((code, &report["accepted"][0]["kind"]["kind"]), (Some(0), &"race".into()), "{report}");
    fs::write(&file, "[[allow]]\nkynd = \"race\"\n").expect("a file");
    let (code, _, err) = run_in(&folder, RACE, LAUNCH);
    assert!(code == Some(1) && err.contains("cute-allow.toml") && err.contains("kynd"), "{err}");
}

/// The numbers of an array that a run wrote.
fn numbers(file: &Path) -> Vec<i32> {
    let bytes = fs::read(file).expect("the array");
    let numbers = bytes[bytes.len() - 16..].chunks(4);
    numbers.map(|chunk| i32::from_le_bytes(chunk.try_into().expect("four bytes"))).collect()
}

#[test]
fn arrays_are_kept_after_findings_if_that_is_asked_for() {
    let (folder, launch) = (folder(), "--grid 1 --arg out:i32[4] --out out=o.npy");
    let file = folder.path().join("o.npy");
    let (code, _, err) = run_in(&folder, BEYOND, launch);
    assert!(code == Some(1) && err.contains("'o.npy' is not written") && !file.exists(), "{err}");
    // The run ended at the accepted finding.
    let (code, _, err) = run_in(&folder, BEYOND, &format!("{launch} --allow out_of_bounds"));
    assert!(code == Some(0) && err.contains("--keep-arrays writes them") && !file.exists(), "{err}");
    let (code, _, err) = run_in(&folder, BEYOND, &format!("{launch} --keep-arrays"));
    assert!(code == Some(1) && !err.contains("not written"), "{err}");
    assert_eq!(numbers(&file), [7, 0, 0, 0]);
}
