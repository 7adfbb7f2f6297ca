//! The errors of decoding and of runs. Their texts are made once, here and in
//! [`finding`](crate::finding).

use crate::refusal::{Malformed, Refused, Unmodelled};
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
        /// The class of the part.
        rule: Unmodelled,
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
        /// The class of the rule.
        rule: Malformed,
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

impl Error {
    /// The id of the broken rule; for findings, the kind of the first one.
    pub fn id(&self) -> Option<&'static str> {
        Some(match self {
            Self::Unmodelled { rule, .. } => rule.id(),
            Self::Malformed { rule, .. } => rule.id(),
            Self::NoKernel(_) => Refused::NoKernel.id(),
            Self::Launch { .. } => Refused::Extents.id(),
            Self::Findings(report) => report.findings.first()?.kind.name(),
        })
    }

    /// Where it is, if it is about a place.
    pub fn place(&self) -> Option<&SourcePlace> {
        match self {
            Self::Unmodelled { location, .. } | Self::Malformed { location, .. } => Some(location),
            Self::NoKernel(_) | Self::Launch { .. } => None,
            Self::Findings(report) => Some(&report.findings.first()?.location),
        }
    }
}

/// The first finding, and the number of further ones.
fn summary(report: &Report) -> String {
    match report.findings.as_slice() {
        [] => "no finding".into(),
        [one] => one.to_string(),
        [first, rest @ ..] => format!("{first} (and {} more)", rest.len()),
    }
}
