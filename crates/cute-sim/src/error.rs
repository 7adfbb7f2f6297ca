//! Why nothing ran, or why what ran is not to be trusted. The text is made once, here and in [`finding`](crate::finding).

use crate::report::Report;

/// Why a module could not be decoded or a launch could not be finished.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The operation, type or attribute has no model. Found while decoding, before anything runs.
    #[error("{location}: `{op}`: {what} is not modelled")]
    Unmodelled {
        /// The operation's name.
        op: String,
        /// Where it comes from.
        location: String,
        /// What about it has no model.
        what: String,
    },
    /// The IR is not what its operation promises; a verifier would have said so.
    #[error("{location}: `{op}`: {what}")]
    Malformed {
        /// The operation's name.
        op: String,
        /// Where it comes from.
        location: String,
        /// What is wrong.
        what: String,
    },
    /// The launch names a kernel that the program does not have.
    #[error("no kernel `{0}` in this program")]
    NoKernel(String),
    /// The launch does not fit the kernel: a dimension, an argument.
    #[error("kernel `{kernel}`: {what}")]
    Launch {
        /// The kernel's name.
        kernel: String,
        /// What does not fit.
        what: String,
    },
    /// The kernel did something wrong.
    #[error("{}", summary(.0))]
    Findings(Box<Report>),
}

/// The first finding, and how many more there are.
fn summary(report: &Report) -> String {
    match report.findings.as_slice() {
        [] => "no finding".into(),
        [one] => one.to_string(),
        [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
    }
}
