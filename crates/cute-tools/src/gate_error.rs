//! Why kernels cannot be measured, or are worse than before.

use std::{fmt, path::PathBuf};

/// An error of `cutec gate`.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Error {
    #[error(transparent)]
    Sass(#[from] cute_driver::sass::Error),
    #[error("--kernel {kernel}: no kernel has this name; there {}", Are(all))]
    NoKernel { kernel: String, all: Vec<String> },
    #[error("--kernel-name renames one kernel, but there {}; choose one with --kernel", Are(all))]
    WhichKernel { all: Vec<String> },
    #[error(
        "--kernel-name '{name}' is not a name in PTX: letters, digits, _ and $, of which a digit is not the first"
    )]
    NotName { name: String },
    #[error("--kernel-name {name}: the module has another kernel of this name")]
    NameTaken { name: String },
    #[error("--assembler {given}: {why}")]
    Assembler { given: String, why: String },
    #[error("--assembler {given}: another ptxas has this name: write NAME=FILE")]
    SameName { given: String },
    #[error("standard input is one file: - is given {count} times")]
    Stdin { count: usize },
    #[error("'{}' is not a baseline: {why}", file.display())]
    NotBaseline { file: PathBuf, why: String },
    #[error("'{}' is a baseline of version {version}, and this cutec reads version {known}", file.display())]
    Version { file: PathBuf, version: u64, known: u64 },
    /// Lines before it name them.
    #[error("{}", failed(*worse, *missing, *stale, &baseline.display().to_string()))]
    Failed { worse: usize, missing: usize, stale: usize, baseline: PathBuf },
}

/// `is one, 'a'`, or `are 'a', 'b'`.
struct Are<'a>(&'a [String]);

impl fmt::Display for Are<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
        match self.0 {
            [] => f.write_str("are none"),
            [_] => write!(f, "is {names}"),
            _ => write!(f, "are {names}"),
        }
    }
}

fn failed(worse: usize, missing: usize, stale: usize, baseline: &str) -> String {
    let parts = [(worse, "worse than"), (missing, "not in"), (stale, "missing, but in")];
    let said = parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, how)| match count {
        1 => format!("1 kernel is {how} '{baseline}'"),
        _ => format!("{count} kernels are {how} '{baseline}'"),
    });
    format!("{}; --update records the numbers of now", said.collect::<Vec<_>>().join(", "))
}
