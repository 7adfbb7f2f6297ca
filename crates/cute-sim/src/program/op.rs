//! Instructions over register slots. This module does not depend on MLIR, and does not contain the
//! execution.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use crate::race::Scope;
use serde::{Deserialize, Serialize};

pub use crate::families::barrier::op::{BarrierOp, BarrierReduction};
pub use crate::families::bulk::op::{BoxKind, Bulk, BulkFar, BulkMove, BulkOp, BulkUpdate};
pub use crate::families::cluster::op::{ClusterOp, Remote};
pub use crate::families::collective::op::{CollectiveAct, CollectiveOp};
pub use crate::families::control::op::ControlOp;
pub use crate::families::cp_async::op::CpAsyncOp;
pub use crate::families::fence::op::FenceOp;
pub use crate::families::launch::op::LaunchOp;
pub use crate::families::matrix::op::{MatrixOp, MmaScales, WarpProduct};
pub use crate::families::mbarrier::op::{Arrival, AwaitedBy, BarrierWait, Blocking, MbarrierAct, MbarrierOp};
pub use crate::families::memory::op::{MemoryOp, Transfer};
pub use crate::families::scalar::op::{Cast, CoordinateOf, Coordinates, LaneSide, ScalarOp, Special, Term};
pub use crate::families::setmaxnreg::op::SetRegistersOp;
pub use crate::families::system::op::SystemOp;
pub use crate::families::tcgen05::op::{RowCopy, Tcgen05Op, TensorMma, TensorOperand, TensorScales};
pub use crate::families::tensor_map::op::TensorMapOp;
pub use crate::families::wgmma::op::{GroupMma, WgmmaOp, WgmmaOperand};
pub use crate::operand::{Binary, Move, Piece, Slot, Ternary, Unary};
pub use crate::update::Update;
pub use cute_machine::collective::{BarrierVerdict, MatchKind, Redux, Shuffle, Vote};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Op {
    Scalar(ScalarOp),
    Control(ControlOp),
    Memory(MemoryOp),
    System(SystemOp),
    Barrier(BarrierOp),
    Cluster(ClusterOp),
    SetRegisters(SetRegistersOp),
    Collective(CollectiveOp),
    Fence(FenceOp),
    Matrix(MatrixOp),
    Mbarrier(MbarrierOp),
    TensorMap(TensorMapOp),
    Tcgen05(Box<Tcgen05Op>),
    Launch(LaunchOp),
    Bulk(BulkOp),
    CpAsync(CpAsyncOp),
    Wgmma(WgmmaOp),
}

impl Op {
    /// Whether it arrives at an `mbarrier`.
    pub(crate) fn arrives(&self) -> bool {
        match self {
            Op::Mbarrier(op) => op.arrives(),
            Op::Tcgen05(op) => op.commits(),
            _ => false,
        }
    }

    /// Whether something happens after it at a time that the schedule chooses, and that its waits
    /// must allow for. Copies of `cp.async` are not among them, because what is found about them
    /// is the same under every schedule.
    pub(crate) fn is_asynchronous(&self) -> bool {
        match self {
            Op::Wgmma(op) => op.multiplies(),
            Op::Mbarrier(op) => !op.is_fence(),
            op => op.is_counted() || matches!(op, Op::TensorMap(_)),
        }
    }

    /// Whether it updates memory that other blocks may update, too.
    pub(crate) fn is_update(&self) -> bool {
        match self {
            Op::Memory(op) => op.is_atomic(),
            // The place of an allocation follows from those before it.
            Op::System(op) => op.uses_heap(),
            Op::Bulk(op) => op.is_update(),
            _ => false,
        }
    }

    /// The registers that a `setmaxnreg` asks for.
    pub(crate) fn registers_asked(&self) -> Option<SetRegistersOp> {
        match self {
            Op::SetRegisters(op) => Some(*op),
            _ => None,
        }
    }

    /// Whether the four warps of a warpgroup execute it together.
    pub(crate) fn is_of_group(&self) -> bool {
        match self {
            Op::Wgmma(op) => op.is_of_group(),
            op => matches!(op, Op::SetRegisters(_)),
        }
    }

    /// Whether it is a barrier of some of the block's threads.
    pub(crate) fn is_named_barrier(&self) -> bool {
        matches!(self, Op::Barrier(op) if op.is_named())
    }

    /// Whether it is a barrier that waits for a number of threads that it gives.
    pub(crate) fn is_counted_barrier(&self) -> bool {
        matches!(self, Op::Barrier(op) if op.is_counted())
    }

    /// Whether the lanes of a warp that have returned do not keep the others from it.
    pub(crate) fn excuses_returned(&self) -> bool {
        match self {
            Op::Collective(op) => op.excuses_returned(),
            Op::Barrier(op) => op.arrives(),
            Op::Cluster(op) => op.is_of_barrier(),
            _ => false,
        }
    }

    /// Whether a barrier counts the bytes, or the end, of the operation it issues.
    pub(crate) fn is_counted(&self) -> bool {
        match self {
            Op::Bulk(op) => op.is_counted(),
            Op::Cluster(op) => op.is_counted(),
            Op::Launch(op) => op.requests_clusters(),
            op => matches!(op, Op::Tcgen05(_)),
        }
    }

    /// Whether it is an arrival that publishes nothing itself, or a wait that acquires nothing.
    pub(crate) fn is_relaxed(&self) -> bool {
        match self {
            Op::Mbarrier(op) => op.reach().is_some_and(|(relaxed, _)| relaxed),
            Op::Cluster(op) => op.is_relaxed(),
            _ => false,
        }
    }

    /// The scope of a fence of the generic proxy.
    pub(crate) fn fence_scope(&self) -> Option<Scope> {
        match self {
            Op::Fence(op) => op.order().map(|(scope, _)| scope),
            Op::TensorMap(op) => op.fence_scope(),
            _ => None,
        }
    }

    /// Whether control does not continue with the next instruction.
    pub fn is_terminator(&self) -> bool {
        self.control().is_some_and(|op| op.is_terminator())
    }

    /// Whether a thread goes on with the next instruction, at once or after a call.
    pub fn goes_on(&self) -> bool {
        self.control().is_none_or(|op| op.goes_on())
    }

    /// The edges that it may take.
    pub fn edges(&self) -> Vec<u32> {
        self.control().map(|op| op.edges()).unwrap_or_default()
    }

    pub fn control(&self) -> Option<&ControlOp> {
        match self {
            Op::Control(op) => Some(op),
            _ => None,
        }
    }

    pub(crate) fn memory(&self) -> Option<&MemoryOp> {
        match self {
            Op::Memory(op) => Some(op),
            _ => None,
        }
    }

    pub(crate) fn scalar(&self) -> Option<&ScalarOp> {
        match self {
            Op::Scalar(op) => Some(op),
            _ => None,
        }
    }
}

impl From<ScalarOp> for Op {
    fn from(op: ScalarOp) -> Self {
        Op::Scalar(op)
    }
}

impl From<ControlOp> for Op {
    fn from(op: ControlOp) -> Self {
        Op::Control(op)
    }
}

impl From<MemoryOp> for Op {
    fn from(op: MemoryOp) -> Self {
        Op::Memory(op)
    }
}

impl From<SystemOp> for Op {
    fn from(op: SystemOp) -> Self {
        Op::System(op)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Programs are read again and again, so a rare operation with many operands is in a box.
    #[test]
    fn an_operation_is_small() {
        assert!(size_of::<Op>() <= 88, "{}", size_of::<Op>());
    }
}
