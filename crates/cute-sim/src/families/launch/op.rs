//! Instructions about launches, as a program holds them.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use crate::operand::Slot;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum LaunchOp {
    /// `clusterlaunchcontrol`: requests a cluster that has not begun; a barrier counts the bytes of
    /// the response. With `multicast`, in each block.
    TryCancel { address: Slot, barrier: Slot, multicast: bool },
    /// Will some cluster not run?
    IsCanceled { dst: Slot, response: Slot },
    /// The position of its first block along an axis.
    FirstBlock { dst: Slot, axis: usize, response: Slot },
    /// `griddepcontrol.wait`, or otherwise `griddepcontrol.launch_dependents`.
    Dependency { waits: bool },
}

impl LaunchOp {
    /// Whether it requests clusters, or reads a response.
    pub(crate) fn requests_clusters(&self) -> bool {
        !matches!(self, LaunchOp::Dependency { .. })
    }

    /// The register that it sets.
    pub fn sets(&self) -> Option<Slot> {
        match *self {
            LaunchOp::IsCanceled { dst, .. } | LaunchOp::FirstBlock { dst, .. } => Some(dst),
            LaunchOp::TryCancel { .. } | LaunchOp::Dependency { .. } => None,
        }
    }
}
