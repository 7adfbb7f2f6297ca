//! A decoded kernel: straight arrays of typed instructions over register slots. Made once by `decode`, read by `exec`;
//! knows nothing of MLIR.

use crate::memory::address::SHARED_BASE;
use crate::types::{Leaf, Scalar};
use crate::value::float::{FloatOp, FloatPredicate, FloatUnary};
use crate::value::int::{IntOp, IntPredicate, IntUnary, NoWrap};

/// Index of a 64-bit register of a thread. A value takes consecutive ones.
pub(crate) type Slot = u32;

/// One input, one output, `lanes` of each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unary {
    pub(crate) dst: Slot,
    pub(crate) a: Slot,
    pub(crate) lanes: u32,
}

/// Two inputs, one output, `lanes` of each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Binary {
    pub(crate) dst: Slot,
    pub(crate) a: Slot,
    pub(crate) b: Slot,
    pub(crate) lanes: u32,
}

/// Three inputs, one output, `lanes` of each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ternary {
    pub(crate) dst: Slot,
    pub(crate) a: Slot,
    pub(crate) b: Slot,
    pub(crate) c: Slot,
    pub(crate) lanes: u32,
}

/// `len` slots from `src` to `dst`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Move {
    pub(crate) dst: Slot,
    pub(crate) src: Slot,
    pub(crate) len: u32,
}

/// A conversion of one scalar into another.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cast {
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
    },
    UnsignedToFloat {
        to: Scalar,
    },
    /// Towards zero; out of range gives the nearest integer, as the device's `cvt` does.
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

/// A dynamic index of an address computation: `slot`, read as signed, times `scale` bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Term {
    pub(crate) slot: Slot,
    pub(crate) width: u32,
    pub(crate) scale: i64,
}

/// What a load or store touches.
#[derive(Debug, Clone)]
pub(crate) struct Access {
    /// Address space of the pointer's type.
    pub(crate) space: u32,
    /// Bytes from the first to the last leaf.
    pub(crate) bytes: u64,
    pub(crate) align: u64,
    pub(crate) leaves: Box<[Leaf]>,
    /// Atomic or volatile: it races with no other such access.
    pub(crate) strong: bool,
}

/// Where a branch goes and what it gives the block's arguments.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    /// The block's number while decoding, then its first instruction.
    pub(crate) target: u32,
    pub(crate) moves: Box<[Move]>,
    /// A move's source is an earlier move's destination: read all before writing any.
    pub(crate) overlap: bool,
}

/// Values that the machine gives a thread.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Special {
    Thread(usize),
    BlockSize(usize),
    Block(usize),
    GridSize(usize),
    Lane,
    Warp,
    WarpSize,
    /// Mask of the lanes before, up to, at, from and behind the own one.
    LaneMask(LaneMask),
    DynamicShared,
    /// Blocks of a cluster along an axis, and the block's position in its cluster: a cluster is one block.
    ClusterSize,
    ClusterBlock,
    ClusterRank,
    ClusterBlocks,
    /// Cluster position and count in the grid.
    Cluster(usize),
    Clusters(usize),
    /// Instructions that the warp executed: a clock that only grows.
    Clock,
}

/// From which lane a shuffle takes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Xor,
    Index,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vote {
    Any,
    All,
    Uniform,
    Ballot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reduction {
    Add,
    And,
    Or,
    Xor,
    MinS,
    MaxS,
    MinU,
    MaxU,
}

/// An operation of the lanes of a mask together.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Collective {
    /// `in_range`: whether the source lane exists.
    Shuffle {
        kind: Shuffle,
        dst: Slot,
        value: Slot,
        offset: Slot,
        clamp: Slot,
        in_range: Option<Slot>,
    },
    Vote {
        kind: Vote,
        dst: Slot,
        predicate: Slot,
    },
    /// The lanes with the same value; with `all`, none of them unless all have it, and whether they do.
    Match {
        dst: Slot,
        value: Slot,
        all: Option<Slot>,
    },
    Elect {
        dst: Slot,
    },
    Reduce {
        kind: Reduction,
        dst: Slot,
        value: Slot,
    },
}

/// What an atomic operation makes of the old value and its operand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Update {
    Exchange,
    Int(IntOp),
    /// `nand`.
    NotAnd,
    Float(FloatOp),
    /// To 0 above the limit, else one more.
    IncrementWrap,
    /// To the limit at 0 or above it, else one less.
    DecrementWrap,
    /// The operand if the old value is what is expected.
    CompareExchange,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum LaneMask {
    Lt,
    Le,
    Eq,
    Ge,
    Gt,
}

#[derive(Debug, Clone)]
pub(crate) enum Op {
    Int {
        op: IntOp,
        width: u32,
        no_wrap: NoWrap,
        at: Binary,
    },
    IntUnary {
        op: IntUnary,
        width: u32,
        at: Unary,
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
    Cast {
        cast: Cast,
        at: Unary,
    },
    /// `b` where the condition in `a` is true, else `c`; a scalar condition picks all lanes.
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
    Return,
    Unreachable,
    /// Waits for the block, or for `threads` threads of it.
    Barrier {
        id: Option<Slot>,
        threads: Option<Slot>,
    },
    /// Counts for a barrier and does not wait.
    Arrive {
        id: Option<Slot>,
        threads: Slot,
    },
    WarpBarrier {
        mask: Slot,
    },
    /// Without mask, all lanes of the warp.
    Collective {
        mask: Option<Slot>,
        op: Collective,
    },
    /// `old` gets the old value, `swapped` of a compare-exchange whether it happened.
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
    /// Orders accesses; here, as all accesses happen in order, only a mark that atomics pass on knowledge.
    Fence,
    /// The value of `src`, with any bits where it is undefined.
    Freeze(Move),
    /// `vprintf`.
    Print {
        dst: Slot,
        format: Slot,
        arguments: Slot,
    },
    Trap,
    Nothing,
    /// `size` bytes; with `read`, only so many come from the source and the rest is zero.
    AsyncCopy {
        dst: Slot,
        src: Slot,
        size: u32,
        read: Option<Slot>,
    },
    AsyncCommit,
    /// Waits until at most `pending` groups are under way.
    AsyncWait {
        pending: u32,
    },
}

impl Op {
    pub(crate) fn is_terminator(&self) -> bool {
        matches!(
            self,
            Op::Jump { .. } | Op::Branch { .. } | Op::Switch { .. } | Op::Return | Op::Unreachable | Op::Trap
        )
    }
}

/// Where an instruction comes from.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) op: String,
    pub(crate) location: String,
}

/// A shared memory global in the block's window.
#[derive(Debug, Clone)]
pub(crate) struct SharedObject {
    pub(crate) name: String,
    pub(crate) address: u64,
    /// None for the dynamic part, whose size the launch gives.
    pub(crate) size: Option<u64>,
}

#[derive(Debug, Clone)]
pub(crate) struct Constant {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// A kernel's argument: its type and the register it starts in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Param {
    pub(crate) scalar: Scalar,
    pub(crate) slot: Slot,
}

#[derive(Debug, Clone)]
pub(crate) struct Kernel {
    pub(crate) name: String,
    pub(crate) params: Vec<Param>,
    pub(crate) code: Vec<Op>,
    /// Beside `code`.
    pub(crate) sites: Vec<Site>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) accesses: Vec<Access>,
    /// A thread's registers at entry: constants in place, the rest zero.
    pub(crate) registers: Vec<u64>,
    /// Registers that hold no value (`undef`, `poison`).
    pub(crate) undefined: Vec<Slot>,
    /// Atomic operations pass on what is known: they are ordered themselves, or there are fences.
    pub(crate) atomics_order: bool,
    /// Allocation `i + 1` of the shared address space.
    pub(crate) shared: Vec<SharedObject>,
    pub(crate) constants: Vec<Constant>,
    /// Block size that the kernel was compiled for, if it says so, in all dimensions.
    pub(crate) required_block: Option<[u32; 3]>,
    /// Most threads a block may have, if the kernel says so.
    pub(crate) max_threads: Option<u64>,
}

impl Kernel {
    /// The first address behind the shared memory of a block.
    pub(crate) fn shared_end(&self, dynamic: u32) -> u64 {
        let ends = self.shared.iter().map(|o| o.address.saturating_add(o.size.unwrap_or(dynamic.into())));
        ends.max().unwrap_or(SHARED_BASE)
    }
}

/// The kernels of a module, ready to run.
///
/// Decoding reads the IR once; after that the program does not need it. See the [crate's example](crate).
#[derive(Debug, Clone)]
pub struct Program {
    pub(crate) kernels: Vec<Kernel>,
}

impl Program {
    /// Names of the kernels, in module order.
    pub fn kernels(&self) -> impl Iterator<Item = &str> {
        self.kernels.iter().map(|k| k.name.as_str())
    }
}
