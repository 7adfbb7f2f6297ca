//! Every op of `td/` has its tests: `lit/<family>/<op>.mlir` reads, prints, folds and lowers it,
//! and `<op>-invalid.mlir` shows its errors. The ops of the `cuda` dialect only occur together, so
//! `lit/Cuda` tests them.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// The files of `lit/`, by name.
fn files() -> BTreeMap<String, PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("lit");
    let families = fs::read_dir(root).expect("lit/").filter_map(|e| fs::read_dir(e.ok()?.path()).ok());
    let paths = families.flatten().filter_map(|e| e.ok().map(|e| e.path()));
    paths.filter_map(|p| Some((p.file_name()?.to_str()?.to_string(), p))).collect()
}

/// The parts that are missing in the test of an op.
fn missing(text: &str, folds: bool) -> Vec<&'static str> {
    let runs = |part: &str| text.lines().any(|l| l.contains("RUN:") && l.contains(part));
    let no_wide_leaf = text.contains('?') && !text.contains("i64");
    [
        (!runs("%opt %s | %opt | FileCheck"), "a round trip, `// RUN: %opt %s | %opt | FileCheck %s`"),
        (!runs("--mlir-print-op-generic"), "a round trip in generic form, --mlir-print-op-generic"),
        (folds && !runs("canonicalize"), "folding, --pass-pipeline='builtin.module(canonicalize)'"),
        (!runs("cute-to-base"), "lowering, a pipeline with cute-to-base"),
        (no_wide_leaf, "dynamic leaves of 64 bits, `?{i64}`, beside those of 32"),
    ]
    .into_iter()
    .filter_map(|(lacks, what)| lacks.then_some(what))
    .collect()
}

#[test]
fn every_op_is_read_printed_folded_lowered_and_rejected() {
    let files = files();
    let mut lacking = Vec::new();
    for line in include_str!(concat!(env!("OUT_DIR"), "/ops.txt")).lines() {
        let (name, folds) = line.split_once(' ').map_or((line, false), |(name, _)| (name, true));
        let op = name.split_once('.').map_or(name, |(_, op)| op);
        if name.starts_with("cuda.") {
            continue;
        }
        match files.get(&format!("{op}.mlir")) {
            None => lacking.push(format!("{name}: lit/<family>/{op}.mlir")),
            Some(path) => {
                let text = fs::read_to_string(path).expect("a lit file");
                assert!(text.contains(name), "{}: not a test of {name}", path.display());
                lacking.extend(missing(&text, folds).into_iter().map(|what| format!("{name}: {what}")));
            }
        }
        match files.get(&format!("{op}-invalid.mlir")) {
            None => lacking.push(format!("{name}: lit/<family>/{op}-invalid.mlir")),
            Some(path) => {
                let text = fs::read_to_string(path).expect("a lit file");
                assert!(text.contains("expected-error"), "{}: expects no error", path.display());
            }
        }
    }
    assert!(lacking.is_empty(), "ops lack tests:\n  {}", lacking.join("\n  "));
}

#[test]
fn every_op_of_hosts_is_read_printed_and_rejected() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("lit/Cuda");
    let read = |file: &str| fs::read_to_string(root.join(file)).expect("a lit file");
    let (valid, invalid) = (read("launch.mlir"), read("launch-invalid.mlir"));
    let ops = include_str!(concat!(env!("OUT_DIR"), "/ops.txt")).lines().filter(|l| l.starts_with("cuda."));
    let mut found = 0;
    for op in ops {
        found += 1;
        let printed = valid.lines().any(|l| l.contains("// CHECK") && l.contains(op));
        // Kernels print `return`, which the generic form replaces.
        let printed = printed || valid.contains(&format!("GENERIC: \"{op}\""));
        assert!(printed, "launch.mlir does not print {op}");
        assert!(invalid.contains(&format!("'{op}' op")), "launch-invalid.mlir has no error of {op}");
    }
    assert_eq!(found, 13);
}
