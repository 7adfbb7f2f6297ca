//! The severity of a finding.

use serde::Serialize;
use std::fmt;

/// The severity of a finding, which follows from its [rule](crate::Rule).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// The kernel breaks a rule of the instruction set, or devices were seen to fail.
    Error,
    /// The instruction set forbids it, but a widely used library relies on it, and no device is
    /// known to fail for certain. It is reported, and the run goes on as devices do. It makes a run
    /// fail only with [`strict_isa`](crate::Launch::strict_isa).
    Portability,
    /// A violation of the instruction set that widely used kernels contain, and that generated code
    /// cannot show, or of which the text leaves open whether it is one. It does not make a run
    /// fail. Notes are only reported by launches with [`pedantic`](crate::Launch::pedantic); others
    /// count them.
    Note,
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Grade::Error => "error",
            Grade::Portability => "portability",
            Grade::Note => "note",
        })
    }
}
