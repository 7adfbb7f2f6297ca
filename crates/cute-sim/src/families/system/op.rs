//! Calls of functions that the system of a device has, as operations of a program.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use crate::operand::Slot;
use serde::{Deserialize, Serialize};

/// A call of a function of the system.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum SystemOp {
    /// `vprintf`.
    Print { dst: Slot, format: Slot, arguments: Slot },
    /// `malloc`.
    Allocate { dst: Slot, bytes: Slot },
    /// `free`.
    Release { address: Slot },
}

impl SystemOp {
    pub fn prints(&self) -> bool {
        matches!(self, SystemOp::Print { .. })
    }

    /// Whether it allocates memory of the heap, or returns it.
    pub(crate) fn uses_heap(&self) -> bool {
        !self.prints()
    }

    /// The register that it sets.
    pub fn sets(&self) -> Option<Slot> {
        match self {
            SystemOp::Print { dst, .. } | SystemOp::Allocate { dst, .. } => Some(*dst),
            SystemOp::Release { .. } => None,
        }
    }
}
