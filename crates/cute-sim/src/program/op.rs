//! Instructions over register slots. This module does not depend on MLIR, and does not contain the
//! execution.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use crate::program::Term;
use crate::race::Scope;
use crate::refusal::Unmodelled;
use crate::tensor::{TmemMove, Wgmma};
use cute_arch::atoms::{Broadcast, Major, Tcgen05Group, Tcgen05Kind};
use cute_arch::tensor_map::MapField;
use cute_machine::convert::Conversion;
use cute_machine::format::Rounding;
use cute_machine::rounded::Rounded;
use cute_machine::types::Scalar;
use cute_machine::{
    float::{FloatOp, FloatUnary},
    predicate::FloatPredicate,
};
use cute_machine::{
    int::{IntOp, IntTernary, IntUnary, NoWrap},
    predicate::IntPredicate,
};
use serde::{Deserialize, Serialize};

pub use crate::families::bulk::op::{BoxKind, Bulk, BulkFar, BulkMove, BulkOp, BulkUpdate};
pub use crate::families::collective::op::{Collective, CollectiveOp};
pub use crate::families::cp_async::op::CpAsyncOp;
pub use crate::families::fence::op::FenceOp;
pub use crate::families::matrix::op::{MatrixOp, MmaScales, WarpProduct};
pub use crate::families::mbarrier::op::{Arrival, AwaitedBy, BarrierWait, Blocking, MbarrierAct, MbarrierOp};
pub use crate::operand::{Binary, Move, Piece, Slot, Ternary, Unary};
pub use crate::update::Update;
pub use cute_ptx::{Redux, Shuffle, Verdict, Vote};

/// A conversion of one scalar into another.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum Cast {
    /// To a narrower integer.
    Truncate {
        width: u32,
    },
    /// To a wider integer, by the sign.
    SignExtend {
        from: u32,
        to: u32,
    },
    /// Between floats.
    Float {
        from: Scalar,
        to: Scalar,
    },
    SignedToFloat {
        from: u32,
        to: Scalar,
        rounding: Rounding,
    },
    UnsignedToFloat {
        to: Scalar,
        rounding: Rounding,
    },
    /// Towards zero, as the device: out of range gives the nearest integer, and NaN gives
    /// 0, or of an f64 or to 64 bits the highest bit alone.
    FloatToSigned {
        from: Scalar,
        to: u32,
    },
    FloatToUnsigned {
        from: Scalar,
        to: u32,
    },
    AddressSpace {
        from: u32,
        to: u32,
    },
}

/// Values that the machine gives a thread.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum Special {
    Thread(usize),
    BlockSize(usize),
    Block(usize),
    GridSize(usize),
    Lane,
    Warp,
    WarpSize,
    /// Mask of the lanes before, up to, at, from and after the own one.
    LaneMask(LaneMask),
    /// The lanes that run the instruction together.
    ActiveMask,
    DynamicShared,
    /// Blocks of a cluster along an axis, and the block's position in its cluster.
    ClusterSize(usize),
    ClusterBlock(usize),
    ClusterRank,
    ClusterBlocks,
    /// Cluster position and count in the grid.
    Cluster(usize),
    Clusters(usize),
    /// Instructions that the warp executed: a clock that only grows.
    Clock,
    /// Warps of the block.
    Warps,
    /// The block's multiprocessor, and their number: each block has one of its own.
    Multiprocessor,
    Multiprocessors,
    /// Bytes of the block's shared memory; with `reserved`, and those before it.
    SharedBytes {
        reserved: bool,
    },
    /// Whether the launch has a size for clusters.
    HasCluster,
    Number(u32),
    /// Half of the address of the memory in which the blocks of a cooperative launch meet: the high
    /// one, or the low one; 0 if the launch is not cooperative.
    GridWorkspace {
        high: bool,
    },
}

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

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum LaneMask {
    Lt,
    Le,
    Eq,
    Ge,
    Gt,
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
    Int {
        op: IntOp,
        width: u32,
        no_wrap: NoWrap,
        at: Binary,
    },
    /// The wrapped result in `dst`, followed by a flag for each lane that tells whether it wrapped.
    Overflowing {
        op: IntOp,
        width: u32,
        signed: bool,
        at: Binary,
    },
    IntUnary {
        op: IntUnary,
        width: u32,
        at: Unary,
    },
    IntTernary {
        op: IntTernary,
        width: u32,
        at: Ternary,
    },
    IntCompare {
        predicate: IntPredicate,
        width: u32,
        at: Binary,
    },
    Float {
        op: FloatOp,
        ty: Scalar,
        at: Binary,
    },
    FloatUnary {
        op: FloatUnary,
        ty: Scalar,
        at: Unary,
    },
    FloatCompare {
        predicate: FloatPredicate,
        ty: Scalar,
        at: Binary,
    },
    Fma {
        ty: Scalar,
        at: Ternary,
    },
    /// Float arithmetic with modifiers; of one or two operands, the others are any.
    Rounded {
        instruction: Rounded,
        at: Ternary,
    },
    /// Converts a number of packed floats to packed floats, lowest first.
    /// The word in `random` has the bits for a rounding that needs some.
    Convert {
        conversion: Conversion,
        count: u32,
        random: Option<Slot>,
        src: Box<[Piece]>,
        dst: Box<[Piece]>,
    },
    /// `dp4a`, `dp2a`: numbers of `width` bits of A, and bytes of B from `skip` on; whether each is
    /// signed.
    Dot {
        dst: Slot,
        a: Box<[Piece]>,
        b: Box<[Piece]>,
        c: Slot,
        width: u32,
        skip: u32,
        signed: (bool, bool),
    },
    /// `prmt.b32`: bytes of `a` and `b`, picked by `c`.
    Permute {
        at: Ternary,
    },
    Cast {
        cast: Cast,
        at: Unary,
    },
    /// `b` if the condition in `a` is true, otherwise `c`; a scalar condition selects all lanes.
    Select {
        at: Ternary,
        per_lane: bool,
    },
    /// The same bits in lanes of another width.
    Regroup {
        dst: Slot,
        src: Slot,
        from: u32,
        to: u32,
        lanes: u32,
    },
    Copy(Move),
    Extract {
        dst: Slot,
        src: Slot,
        index: Slot,
        lanes: u32,
    },
    /// Lane `index` of `dst` (already a copy of the vector) becomes `value`.
    Insert {
        dst: Slot,
        value: Slot,
        index: Slot,
        lanes: u32,
    },
    /// `dst[i]` from slot `from[i]`.
    Gather {
        dst: Slot,
        from: Box<[Slot]>,
    },
    Address {
        dst: Slot,
        base: Slot,
        offset: i64,
        terms: Box<[Term]>,
    },
    /// Whether a generic address is of this space.
    IsInSpace {
        dst: Slot,
        address: Slot,
        space: u32,
    },
    Load {
        dst: Slot,
        address: Slot,
        access: u32,
    },
    Store {
        src: Slot,
        address: Slot,
        access: u32,
    },
    /// `count`, read as unsigned, objects of `size` bytes; the pointer is generic or local.
    Alloca {
        dst: Slot,
        count: Slot,
        size: u64,
        generic: bool,
    },
    /// `stacksave`: the address of the thread's last local allocation, or 0 if it has none.
    StackSave {
        dst: Slot,
    },
    /// `stackrestore`: frees the local allocations after that one.
    StackRestore {
        src: Slot,
    },
    Special {
        dst: Slot,
        special: Special,
    },
    Jump {
        edge: u32,
    },
    Branch {
        condition: Slot,
        then: u32,
        otherwise: u32,
    },
    Switch {
        flag: Slot,
        cases: Box<[(u64, u32)]>,
        default: u32,
    },
    /// The thread ends.
    Return,
    /// Calls a device function, whose results go to `dst`.
    Call {
        function: u32,
        arguments: Box<[Move]>,
        dst: Slot,
    },
    /// Returns from a device function, with `len` results.
    Back {
        src: Slot,
        len: u32,
    },
    Unreachable,
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
    /// `old` receives the old value; for a compare-exchange, `swapped` receives whether it
    /// happened.
    Atomic {
        update: Update,
        scalar: Scalar,
        address: Slot,
        access: u32,
        value: Slot,
        expected: Slot,
        old: Slot,
        swapped: Option<Slot>,
    },
    Fence(FenceOp),
    /// The value of `src`, with any bits where it is undefined.
    Freeze(Move),
    /// An address that is made of coordinates. It stands for no instruction.
    Coordinates(Box<Coordinates>),
    /// `vprintf`.
    Print {
        dst: Slot,
        format: Slot,
        arguments: Slot,
    },
    /// `malloc`.
    Allocate {
        dst: Slot,
        bytes: Slot,
    },
    /// `free`.
    Release {
        address: Slot,
    },
    Matrix(MatrixOp),
    /// The kernel traps, after a failed assertion with its message.
    Trap {
        message: Option<Slot>,
    },
    /// The lanes that execute it together must have one value here: those of a `.uni` instruction.
    Agree {
        value: Slot,
    },
    /// An instruction without a model: a finding, if a thread gets there.
    Refused {
        rule: Unmodelled,
        what: Box<str>,
    },
    /// A branch or a call that leads nowhere: a finding, if a thread gets there.
    Nowhere {
        what: Box<str>,
    },
    Nothing,
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

/// An address that is made of coordinates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coordinates {
    pub dst: Slot,
    /// The address.
    pub src: Slot,
    /// The coordinates.
    pub indices: Box<[CoordinateOf]>,
}

/// A coordinate, and the extent that it must be below; both have this number of bits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoordinateOf {
    pub index: Slot,
    pub extent: Slot,
    pub width: u32,
    /// The mode of the coordinate, such as `1,0`; empty for the whole coordinate.
    pub mode: Box<str>,
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
            // The place of an allocation follows from those before it.
            Op::Atomic { .. } | Op::Allocate { .. } | Op::Release { .. } => true,
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
        matches!(
            self,
            Op::Jump { .. }
                | Op::Branch { .. }
                | Op::Switch { .. }
                | Op::Return
                | Op::Back { .. }
                | Op::Unreachable
                | Op::Trap { .. }
        )
    }
}
