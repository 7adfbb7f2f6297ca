//! Layouts that `cute-assign-layouts` finds for the examples after `cute-forget-layouts`: the same
//! bits in all arrays, and no more wavefronts and sectors than with the author's layouts. A sample
//! runs every third example; with `CUTE_FULL` set, all run.

use super::through_ptx::{arguments_of, arrays_and_output, examples};
use crate::full;
use serde_json::Value;
use std::{fs, os::unix::process::CommandExt, path::Path, process::Command};

/// The text after passes, and what they report.
fn passed(text: &str, passes: &str) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("k.mlir"), text).unwrap();
    let mut opt = Command::new(env!("CARGO_BIN_EXE_cutec"));
    opt.arg0("cute-opt").current_dir(folder.path());
    let output = opt.args(["k.mlir", &format!("--pass-pipeline=builtin.module({passes})")]).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{passes}: {err}");
    (out, err)
}

/// Passes of shared memory, and of global memory, of all launches in a report.
fn costs(report: &str) -> [u64; 2] {
    let report: Value = serde_json::from_str(report).unwrap();
    let launches = report["launches"].as_array().map(|all| all.iter().map(|l| &l["report"]).collect());
    let mut sums = [0, 0];
    for site in
        launches.unwrap_or_else(|| vec![&report]).into_iter().flat_map(|l| l["sites"].as_array().unwrap())
    {
        sums[usize::from(site["traffic"] == "global")] += site["passes"].as_u64().unwrap();
    }
    sums
}

/// The tiles of this example are those of tensor maps that its kernel changes, so that no host
/// function shows their layouts.
const UNASSIGNED: &str = "grouped_gemm";

#[test]
fn choices_cost_no_more_than_those_of_the_authors() {
    let mut all = Vec::new();
    examples(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"), &mut all);
    all.sort();
    let mut chosen = 0;
    for (index, path) in all.into_iter().enumerate() {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let (open, _) = passed(&text, "cute-forget-layouts");
        if name == UNASSIGNED {
            continue;
        }
        let (assigned, remarks) = passed(&open, "cute-assign-layouts");
        let count = remarks.matches("remark:").count();
        assert_eq!(open.matches(" auto :").count(), count, "{name}: {remarks}");
        if count == 0 {
            continue;
        }
        assert!(!remarks.contains("not proven"), "{name}: {remarks}");
        chosen += count;
        if full::shard().is_none() && index % 3 != 1 {
            continue;
        }
        let arguments = format!("{} --report json", arguments_of(name, &text));
        let (own, with_own) = arrays_and_output(&text, &arguments);
        let (found, with_found) = arrays_and_output(&assigned, &arguments);
        assert!(!own.is_empty() && own == found, "{name}: arrays differ\n{remarks}");
        let ([waves, sectors], [most_waves, most_sectors]) = (costs(&with_found), costs(&with_own));
        assert!(waves <= most_waves, "{name}: {waves} wavefronts, the author has {most_waves}\n{remarks}");
        assert!(
            sectors <= most_sectors,
            "{name}: {sectors} sectors, the author has {most_sectors}\n{remarks}"
        );
    }
    // Tiles and tiled copies of the examples.
    assert!(chosen >= 50, "{chosen} choices");
}
