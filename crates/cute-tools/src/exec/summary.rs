//! A summary of a program's launches and of the calls that nothing answered.

use std::collections::{BTreeMap, BTreeSet};

use cute_cuda::messages::Message;
use serde::Serialize;
use serde_json::Value;

/// The version of the summary in JSON.
const VERSION: u32 = 1;

/// A summary, as `--report json` writes it.
#[derive(Debug, Default, Serialize)]
pub(super) struct Summary {
    version: u32,
    /// The exit code of the program, unless a signal ended it.
    pub(super) exit: Option<i32>,
    /// The signal that ended the program.
    pub(super) signal: Option<i32>,
    /// The number of findings in all launches.
    pub(super) findings: u64,
    launches: Vec<Launch>,
    /// Functions that were called and are not supported, with the number of calls.
    unsupported: BTreeMap<String, u64>,
}

/// A launch.
#[derive(Debug, Serialize)]
struct Launch {
    process: u32,
    kernel: String,
    findings: u64,
    report: Value,
}

impl Summary {
    /// The summary of the messages of all processes.
    pub(super) fn of(messages: Vec<Message>) -> Self {
        let mut summary = Self { version: VERSION, ..Self::default() };
        let mut calls_of = BTreeMap::new();
        for message in messages {
            match message {
                Message::Launch { process, kernel, findings, report } => {
                    summary.findings += findings;
                    summary.launches.push(Launch { process, kernel, findings, report });
                }
                // A later count of the same process replaces an earlier one.
                Message::Missing { process, function, calls } => {
                    calls_of.insert((function, process), calls);
                }
            }
        }
        for ((function, _), calls) in calls_of {
            *summary.unsupported.entry(function).or_default() += calls;
        }
        summary
    }

    /// Lines for people.
    pub(super) fn text(&self) -> String {
        let count =
            |number: u64, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        let kernels: BTreeSet<_> = self.launches.iter().map(|launch| &launch.kernel).collect();
        let launches = match self.launches.len() {
            0 => "no kernel was launched".to_owned(),
            launches => {
                let findings = match self.findings {
                    0 => "no findings".to_owned(),
                    findings => count(findings, "finding"),
                };
                let (launches, kernels) = (launches as u64, kernels.len() as u64);
                let launches = match launches {
                    1 => "1 launch".to_owned(),
                    _ => format!("{launches} launches"),
                };
                format!("{launches} of {}, {findings}", count(kernels, "kernel"))
            }
        };
        let mut text = format!("cutec exec: {launches}\n");
        if !self.unsupported.is_empty() {
            let functions: Vec<_> = self.unsupported.iter().collect();
            let functions =
                functions.iter().map(|(name, calls)| format!("{name} ({})", count(**calls, "call")));
            let functions = functions.collect::<Vec<_>>().join(", ");
            text += &format!("cutec exec: not supported: {}\n", cute_text::line(&functions));
        }
        text
    }

    /// The exit code of `cutec exec`: that of the program, unless it ended well with findings.
    pub(super) fn code(&self) -> u8 {
        let of_signal = |signal: i32| 128 + signal;
        match self.exit.or(self.signal.map(of_signal)).unwrap_or(1) {
            0 => u8::from(self.findings > 0),
            code => code.rem_euclid(256) as u8,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missing(process: u32, function: &str, calls: u64) -> Message {
        Message::Missing { process, function: function.into(), calls }
    }

    fn launch(kernel: &str, findings: u64) -> Message {
        Message::Launch { process: 1, kernel: kernel.into(), findings, report: Value::Null }
    }

    #[test]
    fn calls_are_counted_over_processes() {
        let messages = vec![
            missing(1, "cudaA", 1),
            missing(1, "cudaA", 2),
            missing(2, "cudaA", 5),
            missing(2, "cudaB", 1),
        ];
        let text = Summary::of(messages).text();
        assert_eq!(
            text,
            "cutec exec: no kernel was launched\ncutec exec: not supported: cudaA (7 calls), cudaB (1 call)\n"
        );
    }

    #[test]
    fn launches_and_findings_decide_the_code() {
        let mut summary = Summary::of(vec![launch("k", 0), launch("k", 2), launch("l", 0)]);
        assert_eq!(summary.text(), "cutec exec: 3 launches of 2 kernels, 2 findings\n");
        for (exit, signal, code) in [(Some(0), None, 1), (Some(3), None, 3), (None, Some(11), 139)] {
            (summary.exit, summary.signal) = (exit, signal);
            assert_eq!(summary.code(), code);
        }
        let mut summary = Summary::of(vec![launch("k", 0)]);
        summary.exit = Some(0);
        assert_eq!(
            (summary.text().as_str(), summary.code()),
            ("cutec exec: 1 launch of 1 kernel, no findings\n", 0)
        );
    }
}
