//! Barriers of a block and of a warp, as a program holds them.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use crate::operand::Slot;
use cute_machine::collective::BarrierVerdict;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum BarrierOp {
    /// Waits for the block, or for `threads` threads of it. Without `id`, it is barrier 0.
    Wait { id: Option<Slot>, threads: Option<Slot>, aligned: bool, reduction: Option<BarrierReduction> },
    /// Arrives at a barrier and does not wait.
    Arrive { id: Option<Slot>, threads: Slot, aligned: bool },
    /// Waits for the lanes of a mask.
    Warp { mask: Slot },
}

/// The predicates of a barrier's threads, of which each thread gets the same result.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct BarrierReduction {
    pub verdict: BarrierVerdict,
    pub predicate: Slot,
    pub dst: Slot,
}

impl BarrierOp {
    /// Whether it is a barrier of threads of a block.
    pub fn is_of_block(&self) -> bool {
        !matches!(self, BarrierOp::Warp { .. })
    }

    /// Whether it is a barrier of some of the block's threads.
    pub(crate) fn is_named(&self) -> bool {
        match self {
            BarrierOp::Wait { id, threads, .. } => id.is_some() || threads.is_some(),
            BarrierOp::Arrive { .. } => true,
            BarrierOp::Warp { .. } => false,
        }
    }

    /// Whether it waits for a number of threads that it gives.
    pub(crate) fn is_counted(&self) -> bool {
        matches!(self, BarrierOp::Wait { threads: Some(_), .. })
    }

    /// Whether it waits in all lanes of the warp together.
    pub(crate) fn waits_aligned(&self) -> bool {
        matches!(self, BarrierOp::Wait { aligned: true, .. })
    }

    /// Whether it arrives, and does not wait.
    pub(crate) fn arrives(&self) -> bool {
        matches!(self, BarrierOp::Arrive { .. })
    }

    /// Whether it arrives in all lanes of the warp together, and does not wait.
    pub(crate) fn arrives_aligned(&self) -> bool {
        matches!(self, BarrierOp::Arrive { aligned: true, .. })
    }

    pub(crate) fn reduction(&self) -> Option<BarrierReduction> {
        match self {
            BarrierOp::Wait { reduction, .. } => *reduction,
            BarrierOp::Arrive { .. } | BarrierOp::Warp { .. } => None,
        }
    }

    /// The registers whose values have an effect.
    pub(crate) fn uses(&self) -> Vec<Slot> {
        let predicate = self.reduction().map(|reduction| reduction.predicate);
        let operands = match *self {
            BarrierOp::Wait { id, threads, .. } => [id, threads],
            BarrierOp::Arrive { id, threads, .. } => [id, Some(threads)],
            BarrierOp::Warp { mask } => [Some(mask), None],
        };
        operands.into_iter().chain([predicate]).flatten().collect()
    }

    /// The register that it sets.
    pub fn sets(&self) -> Option<Slot> {
        self.reduction().map(|reduction| reduction.dst)
    }
}
