//! Examples that are changed in one place, and what the simulator says about them.

use super::{full, run_in, through_ptx};
use serde_json::Value;
use std::{fs, path::Path};

/// Targets of each generation, for kernels that run on all of them.
const GENERATIONS: [&str; 4] = ["sm_80", "sm_90a", "sm_100a", "sm_120a"];

/// The targets to try for the kernel with this index; in a sample two, and two kernels try all
/// of them.
pub(super) fn generations(kernel: usize) -> impl Iterator<Item = &'static str> {
    let taken = move |i: usize| full::shard().is_some() || (i + kernel).is_multiple_of(2);
    GENERATIONS.into_iter().enumerate().filter(move |(i, _)| taken(*i)).map(|(_, target)| target)
}

/// An example with one change.
#[derive(Clone, Copy)]
pub(super) struct Changed {
    /// Its path below the folder of examples, without the extension.
    pub(super) example: &'static str,
    /// A text that is there once or more, of which the first one is replaced by the other.
    pub(super) change: [&'static str; 2],
    /// Arguments instead of those that the example states.
    pub(super) arguments: Option<&'static str>,
}

/// The text of an example, and the arguments of a run of it.
pub(super) fn example(path: &str) -> (String, String) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(format!("{path}.mlir"));
    let text = fs::read_to_string(file).unwrap();
    let arguments = through_ptx::arguments_of(path.rsplit('/').next().unwrap(), &text);
    (text, arguments)
}

impl Changed {
    /// The report about the example as it is, and about the changed one.
    pub(super) fn reports(&self, more: &str) -> [Value; 2] {
        let (text, stated) = example(self.example);
        let [from, to] = self.change;
        assert!(text.contains(from), "{} has no `{from}`", self.example);
        let changed = text.replacen(from, to, 1);
        let arguments = format!("{} {more} --report json", self.arguments.unwrap_or(&stated));
        [text, changed].map(|text| {
            let (_, out, err) = run_in(&tempfile::tempdir().unwrap(), &text, &arguments);
            let report: Value =
                serde_json::from_str(&out).unwrap_or_else(|_| panic!("{}: {out}{err}", self.example));
            match &report["launches"] {
                Value::Array(launches) => {
                    let mut report = report.clone();
                    report["findings"] = launches[0]["report"]["findings"].clone();
                    report
                }
                _ => report,
            }
        })
    }
}

/// The kinds of the findings of a report.
pub(super) fn kinds(report: &Value) -> Vec<String> {
    let findings = report["findings"].as_array().expect("a report has findings");
    findings.iter().map(|finding| finding["kind"]["kind"].as_str().unwrap().to_owned()).collect()
}
