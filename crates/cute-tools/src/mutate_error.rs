//! Why a test cannot be asked about mutants, or is not good enough.

use cute_output::plain;
use std::{io, path::PathBuf};

/// An error of `cutec mutate`.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Error {
    #[error("{option} has no use in cutec mutate, whose runs report no more than whether they have findings")]
    Unused { option: &'static str },
    #[error("--report {form} is not supported by cutec mutate: text and json are")]
    Form { form: String },
    #[error("cutec mutate needs a run, as in cutec mutate k.ptx --grid 1 .., or a command behind --")]
    NoTest,
    #[error(
        "FILE and a command are two tests: leave out FILE, and the mutants are those of the kernels that the command runs"
    )]
    TwoTests,
    #[error("--of ir changes cute IR, but '{file}' is PTX")]
    NotIr { file: String },
    #[error("there is no mutant of these kinds: the kernels have none of the instructions")]
    NoMutant,
    #[error("cannot {step}: {}", plain(why))]
    System { step: &'static str, why: io::Error },
    #[error("cannot write '{}': {}", file.display(), plain(why))]
    Write { file: PathBuf, why: io::Error },
    #[error("cannot start '{program}': {}", plain(why))]
    Start { program: String, why: io::Error },
    #[error("a run of the command left a record that cannot be read: {why}")]
    Record { why: String },
    #[error(
        "the test notices {found} % of the mutants whose values are known, but --least asks for {least} %"
    )]
    Least { found: usize, least: u64 },
}
