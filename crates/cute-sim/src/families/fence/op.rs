//! Fences, as a program holds them.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use crate::race::{Order, Scope};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum FenceOp {
    /// Orders accesses. All accesses happen in order here, so a fence only makes the relaxed
    /// operations before and after it acquire and publish.
    Memory { scope: Scope, order: Order },
    /// `fence.proxy.async`: makes the thread's knowledge of the generic proxy visible to the async
    /// proxy, in these memories.
    Proxy { shared: bool, global: bool },
}

impl FenceOp {
    /// The scope and the order of a fence of the generic proxy.
    pub(crate) fn order(&self) -> Option<(Scope, Order)> {
        match *self {
            FenceOp::Memory { scope, order } => Some((scope, order)),
            FenceOp::Proxy { .. } => None,
        }
    }

    /// Whether a fence for the async proxy is about shared memory, and about global memory.
    pub fn spaces(&self) -> Option<(bool, bool)> {
        match *self {
            FenceOp::Memory { .. } => None,
            FenceOp::Proxy { shared, global } => Some((shared, global)),
        }
    }
}
