//! Instructions over register slots. This module does not depend on MLIR, and does not contain the
//! execution.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use crate::race::Scope;
use crate::tensor::{TmemMove, Wgmma};
use cute_arch::atoms::{Broadcast, Major, Tcgen05Group, Tcgen05Kind};
use cute_arch::tensor_map::MapField;
use cute_machine::types::Scalar;
use serde::{Deserialize, Serialize};

pub use crate::families::bulk::op::{BoxKind, Bulk, BulkFar, BulkMove, BulkOp, BulkUpdate};
pub use crate::families::collective::op::{Collective, CollectiveOp};
pub use crate::families::control::op::ControlOp;
pub use crate::families::cp_async::op::CpAsyncOp;
pub use crate::families::fence::op::FenceOp;
pub use crate::families::matrix::op::{MatrixOp, MmaScales, WarpProduct};
pub use crate::families::mbarrier::op::{Arrival, AwaitedBy, BarrierWait, Blocking, MbarrierAct, MbarrierOp};
pub use crate::families::memory::op::{MemoryOp, Transfer};
pub use crate::families::scalar::op::{Cast, CoordinateOf, Coordinates, LaneSide, ScalarOp, Special, Term};
pub use crate::families::system::op::SystemOp;
pub use crate::operand::{Binary, Move, Piece, Slot, Ternary, Unary};
pub use crate::update::Update;
pub use cute_ptx::{Redux, Shuffle, Verdict, Vote};

/// Values that a thread sends to the shared memory of the cluster: `st.async`, `red.async`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Remote {
    pub address: Slot,
    pub values: Box<[Slot]>,
    pub scalar: Scalar,
    pub update: Option<Update>,
    pub barrier: Slot,
}

impl Remote {
    /// Bytes of a thread's values.
    pub(crate) fn bytes(&self) -> usize {
        self.values.len() * self.scalar.bytes() as usize
    }
}

/// `clusterlaunchcontrol`. A response is in two registers.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum LaunchControl {
    /// Requests a cluster that has not begun; a barrier counts the bytes of the response. With
    /// `multicast`, in each block.
    TryCancel { address: Slot, barrier: Slot, multicast: bool },
    /// Will some cluster not run?
    IsCanceled { dst: Slot, response: Slot },
    /// The position of its first block along an axis.
    FirstBlock { dst: Slot, axis: usize, response: Slot },
}

/// `tcgen05`. `pair`: of two blocks.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum TensorOp {
    /// Allocates columns, and writes where they begin to memory of this space.
    Alloc {
        to: Slot,
        space: u32,
        columns: Slot,
        pair: bool,
    },
    /// Frees columns.
    Dealloc {
        address: Slot,
        columns: Slot,
        pair: bool,
    },
    /// The block allocates no more.
    Relinquish,
    /// `offset`: columns from the first access to the second.
    Load {
        #[serde(with = "super::models::tmem")]
        shape: &'static TmemMove,
        address: Slot,
        offset: Option<Slot>,
        registers: Box<[Piece]>,
    },
    Store {
        #[serde(with = "super::models::tmem")]
        shape: &'static TmemMove,
        address: Slot,
        offset: Option<Slot>,
        registers: Box<[Piece]>,
    },
    /// Until the loads, or stores, of the warp are over.
    Wait {
        stores: bool,
    },
    /// `tcgen05.fence`, before the synchronisation of threads or after it.
    Fence {
        before: bool,
    },
    /// `mask`: the barriers in these blocks.
    Commit {
        barrier: Slot,
        space: u32,
        mask: Option<Slot>,
    },
    Multiply(TensorMma),
    /// Rows of shared memory, which a descriptor describes, to tensor memory.
    Copy {
        address: Slot,
        source: Slot,
        rows: RowCopy,
        pair: bool,
    },
}

/// The shape of a `tcgen05.cp`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowCopy {
    pub rows: u32,
    /// Bits of a row: 128 or 256.
    pub bits: u32,
    /// Lanes from a row to the next.
    pub step: u32,
    /// The repetition of rows.
    pub broadcast: Broadcast,
}

/// `tcgen05.mma`: D = A * B + D.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TensorMma {
    pub kind: Tcgen05Kind,
    pub group: Tcgen05Group,
    pub d: Slot,
    pub a: TensorOperand,
    /// The descriptors of B, and of the instruction.
    pub b: Slot,
    pub instruction: Slot,
    /// Whether D is added, and the power of 2 that it is divided by before.
    pub adds: Slot,
    pub scale: Option<Slot>,
    /// The scale factors of A and B, if the kind has some.
    pub scales: Option<TensorScales>,
    /// The descriptor of the columns of B that count as zero.
    pub zero_columns: Option<Slot>,
    /// Lanes that are not written, 32 in each word.
    pub disabled: Box<[Slot]>,
}

/// The scale factors of a tensor core MMA: where those of A and of B are in tensor memory, and how
/// many there are along K.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct TensorScales {
    pub addresses: [Slot; 2],
    pub count: u32,
}

/// The place of a tensor core MMA's A: its descriptor, or its address in tensor memory.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum TensorOperand {
    Shared(Slot),
    Tensor(Slot),
}

/// Changes of a tensor map, and operations that make them visible to the TMA.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum MapOp {
    /// `tensormap.replace`.
    Replace { address: Slot, space: u32, field: MapField, ordinal: Option<Slot>, value: Slot },
    /// `tensormap.cp_fenceproxy`: addresses and their spaces.
    Copy { to: (Slot, u32), from: (Slot, u32), scope: Scope },
    /// `fence.proxy.tensormap::generic.release`.
    Release { scope: Scope },
    /// `fence.proxy.tensormap::generic.acquire`, of the map at an address.
    Acquire { address: Slot, space: u32, scope: Scope },
}

/// An operation of the four warps of a warpgroup together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum GroupOp {
    /// `wgmma.fence`.
    Fence,
    /// `wgmma.mma_async`: the MMA of this number.
    Multiply { mma: u32 },
    /// `setmaxnreg`: sets the number of registers per thread.
    Registers { count: u32, increase: bool },
}

/// `wgmma.mma_async`: D = A * B + C.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GroupMma {
    #[serde(with = "super::models::wgmma")]
    pub model: &'static Wgmma,
    pub a: WgmmaOperand,
    /// The descriptor of B.
    pub b: Slot,
    pub c: Box<[Piece]>,
    pub d: Box<[Piece]>,
    /// Whether C is added.
    pub adds: Slot,
    /// For A and B: whether their elements are negated, and their contiguous modes.
    pub negate: [bool; 2],
    pub majors: [Major; 2],
}

/// The place of an MMA's A.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum WgmmaOperand {
    Shared(Slot),
    Registers(Box<[Piece]>),
}

/// The predicates of a barrier's threads, of which each thread gets the same result.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Reduction {
    pub verdict: Verdict,
    pub predicate: Slot,
    pub dst: Slot,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Op {
    Scalar(ScalarOp),
    Control(ControlOp),
    Memory(MemoryOp),
    System(SystemOp),
    /// Waits for the block, or for `threads` threads of it. Without `id`, it is barrier 0.
    Barrier {
        id: Option<Slot>,
        threads: Option<Slot>,
        aligned: bool,
        reduction: Option<Reduction>,
    },
    /// Arrives at a barrier and does not wait.
    Arrive {
        id: Option<Slot>,
        threads: Slot,
        aligned: bool,
    },
    WarpBarrier {
        mask: Slot,
    },
    /// Arrives at the barrier of the cluster; a relaxed arrival publishes nothing. The lanes of a
    /// warp execute the aligned form together.
    ClusterArrive {
        relaxed: bool,
        aligned: bool,
    },
    /// Waits for the phase that the thread arrived in.
    ClusterWait {
        aligned: bool,
    },
    /// The rank of the block that an address of shared memory belongs to.
    BlockRank {
        dst: Slot,
        address: Slot,
        generic: bool,
    },
    /// `mapa`: the address of the same byte in the block with this rank.
    MapAddress {
        dst: Slot,
        address: Slot,
        rank: Slot,
    },
    Group(GroupOp),
    Collective(CollectiveOp),
    Fence(FenceOp),
    Matrix(MatrixOp),
    /// `griddepcontrol.wait`, or otherwise `griddepcontrol.launch_dependents`.
    GridDependency {
        waits: bool,
    },
    Mbarrier(MbarrierOp),
    Map(MapOp),
    Tensor(Box<TensorOp>),
    Remote(Box<Remote>),
    Launch(LaunchControl),
    Bulk(BulkOp),
    CpAsync(CpAsyncOp),
    /// `wgmma.commit_group`.
    WgmmaCommit,
    /// `wgmma.wait_group`: until at most `pending` groups are under way.
    WgmmaWait {
        pending: u32,
    },
}

impl Op {
    /// Whether it arrives at an `mbarrier`.
    pub(crate) fn arrives(&self) -> bool {
        match self {
            Op::Mbarrier(op) => op.arrives(),
            Op::Tensor(op) => matches!(**op, TensorOp::Commit { .. }),
            _ => false,
        }
    }

    /// Whether something happens after it at a time that the schedule chooses, and that its waits
    /// must allow for. Copies of `cp.async` are not among them, because what is found about them
    /// is the same under every schedule.
    pub(crate) fn is_asynchronous(&self) -> bool {
        match self {
            Op::Group(op) => matches!(op, GroupOp::Multiply { .. }),
            Op::Mbarrier(op) => !op.is_fence(),
            op => op.is_counted() || matches!(op, Op::Map(_)),
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

    /// Whether it is a barrier of some of the block's threads.
    pub(crate) fn is_named_barrier(&self) -> bool {
        match self {
            Op::Barrier { id, threads, .. } => id.is_some() || threads.is_some(),
            Op::Arrive { .. } => true,
            _ => false,
        }
    }

    /// Whether a barrier counts the bytes, or the end, of the operation it issues.
    pub(crate) fn is_counted(&self) -> bool {
        match self {
            Op::Bulk(op) => op.is_counted(),
            op => matches!(op, Op::Remote(_) | Op::Launch(_) | Op::Tensor(_)),
        }
    }

    /// Whether it is an arrival that publishes nothing itself, or a wait that acquires nothing.
    pub(crate) fn is_relaxed(&self) -> bool {
        match self {
            Op::Mbarrier(op) => op.reach().is_some_and(|(relaxed, _)| relaxed),
            Op::ClusterArrive { relaxed, .. } => *relaxed,
            _ => false,
        }
    }

    /// The scope of a fence of the generic proxy.
    pub(crate) fn fence_scope(&self) -> Option<Scope> {
        match self {
            Op::Fence(op) => op.order().map(|(scope, _)| scope),
            Op::Map(MapOp::Release { scope } | MapOp::Acquire { scope, .. } | MapOp::Copy { scope, .. }) => {
                Some(*scope)
            }
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
