//! Every mnemonic that runs has a test that executes it as PTX: in a file of these tests, or in a
//! kernel of tests/foreign.

use cute_ptx::mnemonics::{READ_APART, RUNS, Support, mnemonic};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Instructions whose names are whole without a type.
const BARE: [&str; 6] = ["bra", "brkpt", "call", "exit", "ret", "trap"];

/// The opcodes at the beginning of the statements of a text, in strings of Rust, too.
fn opcodes(text: &str) -> impl Iterator<Item = &str> {
    text.split([';', '{', '}', '\n', '"']).filter_map(|statement| {
        // Labels and guards stand before it.
        let mut words = statement.split_whitespace();
        let word = words.find(|word| !word.ends_with(':') && !word.starts_with('@'))?;
        let is_opcode = word.starts_with(|c: char| c.is_ascii_lowercase());
        let is_opcode = is_opcode && (word.contains('.') || BARE.contains(&word));
        (is_opcode && word.chars().all(|c| c.is_ascii_alphanumeric() || "._:".contains(c))).then_some(word)
    })
}

/// The files of a folder and below it whose names end so.
fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => files(&path, end),
            false if path.to_string_lossy().ends_with(end) => vec![path],
            false => Vec::new(),
        })
        .collect()
}

#[test]
fn opcodes_begin_statements() {
    let found: Vec<&str> =
        opcodes("{ .reg .b32 r; add.u32 r, r, 1;\n@!p bra L; L: exit; } let x = a.b;").collect();
    assert_eq!(found, ["add.u32", "bra", "exit"]);
}

#[test]
fn every_mnemonic_that_runs_is_executed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = files(&root.join("../../tests/foreign"), ".ptx");
    assert!(all.len() > 100, "{} kernels of others", all.len());
    // The table decodes its rows, and runs only a part of them.
    let own = files(&root.join("tests/sim"), ".rs").into_iter();
    all.extend(own.filter(|path| !path.ends_with("sim/table.rs") && !path.ends_with("isa/coverage.rs")));
    let mut executed = BTreeSet::new();
    for path in all {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        executed.extend(opcodes(&text).filter_map(|opcode| match mnemonic(opcode) {
            Some((mnemonic, Support::Runs)) => Some(mnemonic),
            _ => None,
        }));
    }
    let missing: Vec<&&str> =
        RUNS.iter().chain(READ_APART).filter(|name| !executed.contains(**name)).collect();
    assert!(missing.is_empty(), "no test executes {missing:?}");
}
