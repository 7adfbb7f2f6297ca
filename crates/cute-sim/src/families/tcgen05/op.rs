//! `tcgen05` as operations of a program.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use crate::operand::{Piece, Slot};
use crate::tensor::TmemMove;
use cute_arch::atoms::{Broadcast, Tcgen05Group, Tcgen05Kind, TmemShape};
use serde::{Deserialize, Serialize};

/// `tcgen05`. `pair`: of two blocks.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Tcgen05Op {
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
        #[serde(with = "by_shape")]
        shape: &'static TmemMove,
        address: Slot,
        offset: Option<Slot>,
        registers: Box<[Piece]>,
    },
    Store {
        #[serde(with = "by_shape")]
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

impl Tcgen05Op {
    /// Whether it signals barriers behind the operations that the thread has issued.
    pub fn commits(&self) -> bool {
        matches!(self, Tcgen05Op::Commit { .. })
    }

    /// Whether it issues an operation to the tensor cores.
    pub fn issues(&self) -> bool {
        matches!(self, Tcgen05Op::Multiply(_) | Tcgen05Op::Copy { .. })
    }

    /// Whether it is a fence.
    pub fn is_fence(&self) -> bool {
        matches!(self, Tcgen05Op::Fence { .. })
    }

    /// Whether it waits for loads or stores of the warp.
    pub fn waits(&self) -> bool {
        matches!(self, Tcgen05Op::Wait { .. })
    }

    pub fn loads(&self) -> bool {
        matches!(self, Tcgen05Op::Load { .. })
    }

    /// Whether all lanes of the warp execute it together.
    pub fn is_of_warp(&self) -> bool {
        !(self.commits() || self.issues() || self.is_fence())
    }

    /// The registers that it sets.
    pub fn sets(&self) -> &[Piece] {
        match self {
            Tcgen05Op::Load { registers, .. } => registers,
            _ => &[],
        }
    }
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

crate::by_key::by_key!(by_shape, TmemMove, TmemShape, |model| model.shape(), |shape| TmemMove::of(shape));
