//! The errors of decoding and of runs. Their texts are made once, here and in
//! [`finding`](crate::finding).

use crate::report::Report;
use cute_machine::place::SourcePlace;

/// Why a module could not be decoded or a launch could not be finished.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum Error {
    /// The operation, type or attribute has no model. Found while decoding, before anything runs.
    #[error("{location}: `{op}`: {what} is not modelled")]
    Unmodelled {
        /// The operation's name.
        op: String,
        /// The source location.
        location: SourcePlace,
        /// The part that has no model.
        what: String,
    },
    /// The IR violates a rule of its operation that a verifier would have reported.
    #[error("{location}: `{op}`: {what}")]
    Malformed {
        /// The operation's name.
        op: String,
        /// The source location.
        location: SourcePlace,
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
        /// The part that does not fit.
        what: String,
    },
    /// The kernel did something wrong.
    #[error("{}", summary(.0))]
    Findings(Box<Report>),
}

/// The first finding, and the number of further ones.
fn summary(report: &Report) -> String {
    match report.findings.as_slice() {
        [] => "no finding".into(),
        [one] => one.to_string(),
        [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
    }
}
