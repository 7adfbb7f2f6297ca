//! `cp.async` as operations of a program.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use crate::operand::Slot;
use serde::{Deserialize, Serialize};

/// `cp.async`, and its groups.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum CpAsyncOp {
    /// Copies `size` bytes; with `read`, only that number comes from the source, and the rest is
    /// zero.
    Copy { dst: Slot, src: Slot, size: u32, read: Option<Slot> },
    /// `cp.async.commit_group`.
    Commit,
    /// Waits until at most `pending` groups are under way.
    Wait { pending: u32 },
}

impl CpAsyncOp {
    /// Whether it copies bytes.
    pub fn copies(&self) -> bool {
        matches!(self, CpAsyncOp::Copy { .. })
    }

    /// Whether it closes a group of copies.
    pub fn commits(&self) -> bool {
        matches!(self, CpAsyncOp::Commit)
    }
}
