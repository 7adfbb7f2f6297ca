//! The severity of a finding.

use serde::Serialize;
use std::fmt;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// The kernel breaks a rule of the instruction set, or devices were seen to fail.
    Error,
    /// A violation of the instruction set that widely used kernels contain without being seen to
    /// fail. It does not make a run fail. Most notes are only reported by launches with
    /// [`pedantic`](crate::Launch::pedantic); others count them.
    Note,
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Grade::Error => "error",
            Grade::Note => "note",
        })
    }
}
