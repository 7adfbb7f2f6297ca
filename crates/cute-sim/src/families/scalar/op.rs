//! Instructions that compute, as operations of a program.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use crate::operand::{Binary, Move, Piece, Slot, Ternary, Unary};
use cute_machine::convert::Conversion;
use cute_machine::float::{FloatOp, FloatUnary};
use cute_machine::format::Rounding;
use cute_machine::int::{IntOp, IntTernary, IntUnary, NoWrap};
use cute_machine::predicate::{FloatPredicate, IntPredicate};
use cute_machine::rounded::{Function, Rounded};
use cute_machine::types::Scalar;
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

/// An instruction whose effect is on registers only.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum ScalarOp {
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
    Special {
        dst: Slot,
        special: Special,
    },
    /// The value of `src`, with any bits where it is undefined.
    Freeze(Move),
    /// An address that is made of coordinates. It stands for no instruction.
    Coordinates(Box<Coordinates>),
}

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
    LaneSide(LaneSide),
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

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum LaneSide {
    Lt,
    Le,
    Eq,
    Ge,
    Gt,
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

/// A dynamic index of an address computation: `slot`, read as signed, times `scale` bytes.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Term {
    pub slot: Slot,
    pub width: u32,
    pub scale: i64,
}

/// Arithmetic on floats, whichever instruction does it.
pub(crate) struct Arithmetic {
    /// The first of the registers that it sets.
    pub(crate) dst: Slot,
    pub(crate) lanes: u32,
    /// The first register of each operand.
    pub(crate) operands: SmallVec<[Slot; 3]>,
    /// A sum, a product, or both; `None` for any other.
    pub(crate) function: Option<Function>,
}

/// The registers that an instruction sets, each with those that its value comes from.
type Flows = Vec<(Slot, Vec<Slot>)>;

impl ScalarOp {
    /// The value of the machine that it gives to a register, if it does.
    #[inline(always)]
    pub(crate) fn special(&self) -> Option<(Slot, Special)> {
        match *self {
            ScalarOp::Special { dst, special } => Some((dst, special)),
            _ => None,
        }
    }

    /// Calls `set` with each register that it sets.
    pub fn sets(&self, mut set: impl FnMut(Slot)) {
        use ScalarOp as S;
        let (first, count) = match self {
            S::Int { at, .. } | S::IntCompare { at, .. } | S::Float { at, .. } => (at.dst, at.lanes),
            S::FloatCompare { at, .. } => (at.dst, at.lanes),
            S::Overflowing { at, .. } => (at.dst, 2 * at.lanes),
            S::IntUnary { at, .. } | S::FloatUnary { at, .. } | S::Cast { at, .. } => (at.dst, at.lanes),
            S::IntTernary { at, .. } | S::Fma { at, .. } | S::Rounded { at, .. } => (at.dst, at.lanes.max(1)),
            S::Permute { at } | S::Select { at, .. } => (at.dst, at.lanes.max(1)),
            S::Convert { dst, .. } => return dst.iter().for_each(|piece| set(piece.slot)),
            S::Dot { dst, .. } | S::Address { dst, .. } | S::Extract { dst, .. } => (*dst, 1),
            S::Special { dst, .. } => (*dst, 1),
            S::Regroup { dst, lanes, .. } | S::Insert { dst, lanes, .. } => (*dst, *lanes),
            S::Copy(m) | S::Freeze(m) => (m.dst, m.len),
            S::Gather { dst, from } => (*dst, from.len() as u32),
            S::Coordinates(of) => (of.dst, 1),
        };
        (first..first + count).for_each(set);
    }

    /// The registers that it sets, each with those that its value comes from, for the instructions
    /// by which a loop counts and asks. A value that may differ the next time comes from itself.
    pub(crate) fn definitions(&self) -> Option<Flows> {
        use ScalarOp as S;
        let each = |dst: Slot, lanes: u32, from: &[Slot]| {
            (0..lanes).map(|i| (dst + i, from.iter().map(|slot| slot + i).collect())).collect()
        };
        Some(match self {
            S::Int { at, .. } | S::IntCompare { at, .. } | S::Float { at, .. } => {
                each(at.dst, at.lanes, &[at.a, at.b])
            }
            S::FloatCompare { at, .. } => each(at.dst, at.lanes, &[at.a, at.b]),
            S::IntUnary { at, .. } | S::Cast { at, .. } => each(at.dst, at.lanes, &[at.a]),
            S::IntTernary { at, .. } | S::Permute { at } => each(at.dst, 1, &[at.a, at.b, at.c]),
            S::Select { at, .. } if at.lanes == 1 => each(at.dst, 1, &[at.a, at.b, at.c]),
            S::Copy(m) | S::Freeze(m) if m.dst != m.src => each(m.dst, m.len, &[m.src]),
            S::Copy(_) | S::Freeze(_) => Vec::new(),
            S::Coordinates(of) => each(of.dst, 1, &[of.src]),
            S::Address { dst, base, terms, .. } => {
                vec![(*dst, terms.iter().map(|term| term.slot).chain([*base]).collect())]
            }
            S::Special { dst, special: Special::Clock } => vec![(*dst, vec![*dst])],
            S::Special { dst, .. } => vec![(*dst, Vec::new())],
            _ => return None,
        })
    }

    /// Like [`definitions`](Self::definitions), for more instructions: those that may compute what
    /// a loop stores.
    pub(crate) fn flows(&self) -> Option<Flows> {
        Some(match self {
            ScalarOp::Overflowing { at, .. } => {
                let lanes = (0..2 * at.lanes).map(|i| (i, i % at.lanes));
                lanes.map(|(to, from)| (at.dst + to, vec![at.a + from, at.b + from])).collect()
            }
            ScalarOp::Fma { at, .. } => {
                (0..at.lanes).map(|i| (at.dst + i, vec![at.a + i, at.b + i, at.c + i])).collect()
            }
            ScalarOp::FloatUnary { at, .. } => (0..at.lanes).map(|i| (at.dst + i, vec![at.a + i])).collect(),
            ScalarOp::Convert { random, src, dst, .. } => {
                let slots = src.iter().map(|piece| piece.slot);
                let from: Vec<Slot> = slots.chain(*random).collect();
                dst.iter().map(|piece| (piece.slot, from.clone())).collect()
            }
            op => return op.definitions(),
        })
    }

    /// The register that it sets to the time.
    pub(crate) fn clock(&self) -> Option<Slot> {
        match self {
            ScalarOp::Special { dst, special: Special::Clock } => Some(*dst),
            _ => None,
        }
    }

    /// Whether it reads the address at which the blocks of a cooperative launch meet.
    pub(crate) fn meets_grid(&self) -> bool {
        matches!(self, ScalarOp::Special { special: Special::GridWorkspace { .. }, .. })
    }

    /// The registers to which it copies values of which this is true.
    pub(crate) fn copies(&self, is_one: impl Fn(Slot) -> bool) -> Vec<Slot> {
        match self {
            ScalarOp::Copy(m) => m.copies(is_one),
            ScalarOp::Gather { dst, from } => {
                (*dst..).zip(from).filter(|(_, from)| is_one(**from)).map(|(to, _)| to).collect()
            }
            ScalarOp::Regroup { dst, src, from, to, lanes } => {
                let sources = (lanes * to).div_ceil(*from);
                if (0..sources).any(|i| is_one(src + i)) { (*dst..dst + lanes).collect() } else { Vec::new() }
            }
            _ => Vec::new(),
        }
    }

    /// The first register to which a move copies others, and the number of them.
    pub(crate) fn moves(&self) -> Option<(Slot, u32)> {
        match self {
            ScalarOp::Copy(Move { dst, len, .. }) => Some((*dst, *len)),
            ScalarOp::Gather { dst, from } => Some((*dst, from.len() as u32)),
            _ => None,
        }
    }

    /// The register that a move copies to the register of this number among those that it sets.
    pub(crate) fn source(&self, part: u32) -> Option<Slot> {
        match self {
            ScalarOp::Copy(Move { src, .. }) => Some(src + part),
            ScalarOp::Gather { from, .. } => from.get(part as usize).copied(),
            _ => None,
        }
    }

    /// Arithmetic on floats, of a kind that sums have.
    pub(crate) fn arithmetic(&self) -> Option<Arithmetic> {
        let of = |dst, lanes, operands, function| Some(Arithmetic { dst, lanes, operands, function });
        match self {
            ScalarOp::Float { op, at, .. } => {
                let function = match op {
                    FloatOp::Add => Some(Function::Add),
                    FloatOp::Mul => Some(Function::Mul),
                    _ => None,
                };
                of(at.dst, at.lanes, smallvec![at.a, at.b], function)
            }
            ScalarOp::Fma { at, .. } => {
                of(at.dst, at.lanes, smallvec![at.a, at.b, at.c], Some(Function::Fma))
            }
            ScalarOp::Rounded { instruction, at } => {
                of(at.dst, at.lanes, smallvec![at.a, at.b, at.c], Some(instruction.function))
            }
            _ => None,
        }
    }

    /// The mode of a coordinate of an address, by the coordinate's number.
    pub(crate) fn mode(&self, number: u32) -> Option<&str> {
        match self {
            ScalarOp::Coordinates(of) => of.indices.get(number as usize).map(|of| &*of.mode),
            _ => None,
        }
    }
}
