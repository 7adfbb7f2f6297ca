//! The kernels in PTX beside the families of instructions (`crates/cute-sim/src/families`), under
//! several schedules. Comments at the top of a kernel say what it shows, how many threads its block
//! has (and after `grid:` how many blocks there are, if not one), and either the first words of its
//! buffer afterwards, or the findings with their lines:
//!
//!     // The thread ends before its store has read shared memory.
//!     // block: 32
//!     // finds: unfinished:35
//!
//! The kernel is `k`; its parameter is the address of a buffer of 64 words, which begin as 100.
//! Words are decimal: `// words: 33 33 100`. `// edges: MNEMONIC ..` names instructions whose edges
//! it shows.

use cute_assembler::module::{Reading, parse};
use cute_sim::{Arg, Error, Finding, Launch, Memory, Schedule};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

const SCHEDULES: [Schedule; 4] = [Schedule::Lazy, Schedule::Eager, Schedule::Reverse, Schedule::Random(1)];

/// The kernels of all families.
fn kernels() -> Vec<PathBuf> {
    let families = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cute-sim/src/families");
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten();
        entries.map(|entry| entry.expect("an entry").path()).collect()
    };
    let mut kernels: Vec<PathBuf> =
        entries(&families).iter().flat_map(|family| entries(&family.join("tests"))).collect();
    kernels.sort();
    kernels
}

/// A finding that names a second instruction has it as its other side, which SARIF, Python and the
/// page show.
fn tells_other_side(finding: &Finding) {
    let kind = serde_json::to_value(&finding.kind).expect("a finding has a form in JSON");
    let parts = ["rule", "misuse", "origin", "copy"].map(|part| &kind[part]);
    let names = parts
        .into_iter()
        .chain([&kind])
        .any(|part| part["location"].is_object() || part["location"].is_string());
    assert!(
        !names || finding.other().is_some(),
        "{finding}\nnames a place that `other` does not have: {kind}"
    );
}

/// The findings of all schedules, as `kind:line`, and the words of each run.
fn run(text: &str, blocks: u32, threads: u32) -> (BTreeSet<String>, Vec<Vec<u32>>) {
    let file = parse(text, Reading { file: "k.ptx", strict: true });
    let program = file.and_then(|file| file.program()).unwrap_or_else(|why| panic!("{why}"));
    let (mut found, mut words) = (BTreeSet::new(), Vec::new());
    for schedule in SCHEDULES {
        let mut memory = Memory::new();
        let data = memory.upload(&[100u32; 64]);
        // Notes that are hidden otherwise are findings, too.
        let (grid, block) = ([blocks, 1, 1], [threads, 1, 1]);
        let launch = Launch { schedule, pedantic: true, ..Launch::new("k", grid, block) };
        let report = match program.run(&launch, &mut memory, &[Arg::Buffer(data)]) {
            Ok(report) => report,
            Err(Error::Findings(report)) => *report,
            Err(other) => panic!("{other}"),
        };
        report.findings.iter().for_each(tells_other_side);
        found.extend(report.findings.iter().map(|finding| {
            let line = finding.location.line_in("k.ptx").expect("a line");
            format!("{}:{line}", finding.kind.name())
        }));
        words.push(memory.download(data));
    }
    (found, words)
}

#[test]
fn kernels_of_families_do_what_they_say() {
    let kernels = kernels();
    assert!(kernels.len() > 8, "the kernels were read");
    let mut wrong = Vec::new();
    for kernel in kernels {
        let name = kernel.display();
        let text = fs::read_to_string(&kernel).expect("a kernel");
        let said = |key: &str| text.lines().find_map(|line| line.strip_prefix(&format!("// {key}: ")));
        let number = |key: &str| said(key).map(|number| number.parse().expect("a number"));
        let threads = number("block").expect("a number of threads");
        let (found, runs) = run(&text, number("grid").unwrap_or(1), threads);
        let expected: BTreeSet<String> =
            said("finds").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        if found != expected {
            wrong.push(format!("{name} finds {found:?}"));
        }
        assert!(said("words").is_some() || !expected.is_empty(), "{name} says what it shows");
        if let Some(words) = said("words") {
            let words: Vec<u32> = words.split(' ').map(|word| word.parse().expect("a word")).collect();
            let is_so = runs.iter().all(|run| run.starts_with(&words));
            if !is_so {
                let runs: Vec<_> = runs.iter().map(|run| &run[..words.len()]).collect();
                wrong.push(format!("{name} has the words {runs:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
