//! [`CopyInstruction`]: the PTX instruction of an atom that copies, with all fields that choose it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The PTX instruction of an atom, with the fields that choose it among its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CopyInstruction {
    /// `ld` and `st` of one thread.
    LoadStore {
        /// Bits of a call.
        bits: u32,
    },
    /// `shfl`: words of lanes whose numbers differ in one bit.
    Shuffle {
        /// The bit in which they differ, as a mask.
        lane_mask: u32,
    },
    /// `cp.async`.
    CpAsync {
        /// Bits of a call.
        bits: u32,
        /// Caches that keep what is copied.
        cache: CacheLevel,
        /// Whether a false predicate makes it write zeros.
        zero_fill: bool,
    },
    /// `ldmatrix`.
    Ldmatrix(Matrices),
    /// `stmatrix`.
    Stmatrix(Matrices),
    /// `movmatrix`.
    Movmatrix,
    /// `ld.global.L1::no_allocate`.
    LoadNoAllocate {
        /// Bits of a call.
        bits: u32,
    },
    /// `st.global.L1::no_allocate`.
    StoreNoAllocate {
        /// Bits of a call.
        bits: u32,
    },
    /// `tcgen05.ld`.
    TmemLoad(TmemShape),
    /// `tcgen05.st`.
    TmemStore(TmemShape),
    /// `tcgen05.ld.red`: a load that also returns the smallest or largest of each thread's values.
    TmemLoadReduce(TmemShape),
    /// `tcgen05.cp`.
    TmemCopy(TmemFill),
}

/// Caches that keep what `cp.async` copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CacheLevel {
    /// `.ca`: all levels.
    All,
    /// `.cg`: L2 only.
    L2,
}

/// Matrices that a warp loads or stores together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Matrices {
    /// Shape and elements of each.
    pub element: MatrixElement,
    /// The number of matrices: 1, 2 or 4.
    pub count: u32,
    /// Whether the copy transposes each matrix.
    pub transposed: bool,
}

/// Shape and elements of a matrix, as PTX spells them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MatrixElement {
    /// `.m8n8 .b16`.
    B16,
    /// `.m16n16 .b8` of `ldmatrix`, `.m16n8 .b8` of `stmatrix`.
    B8,
    /// `.b8x16.b6x16_p32`: 16 numbers of 6 bits and 4 bytes of padding, each number to the low bits
    /// of a byte.
    B6x16P32,
    /// `.b8x16.b4x16_p64`: 16 numbers of 4 bits and 8 bytes of padding, each number to the low bits
    /// of a byte.
    B4x16P64,
}

/// Tensor memory that a warp loads or stores: `16dp256b4x`, in CuTe's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TmemShape {
    /// Lanes of tensor memory, 16 or 32: CuTe's data paths.
    pub lanes: u32,
    /// Bits of a lane.
    pub bits: u32,
    /// The number of repetitions of the shape along the columns.
    pub repeats: u32,
    /// Whether each word of tensor memory holds 16 bits, which the copy packs or unpacks.
    pub halves: bool,
}

impl fmt::Display for TmemShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lanes, bits, repeats, halves } = self;
        write!(f, "{lanes}dp{bits}b{repeats}x{}", if *halves { "_16b" } else { "" })
    }
}

/// Tensor memory that is filled from shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TmemFill {
    /// Lanes of tensor memory that are given: CuTe's data paths.
    pub lanes: u32,
    /// Bits of a lane.
    pub bits: u32,
    /// The kind of repetition.
    pub broadcast: Broadcast,
    /// CTAs whose tensor memory is filled: 1 or 2.
    pub ctas: u32,
}

/// The repetition of copied data in tensor memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Broadcast {
    /// Nothing.
    Nothing,
    /// 64 lanes in the order 0, 2, 1, 3 of their quarters, twice.
    Lw0213,
    /// 64 lanes in the order of their quarters, each twice.
    Lw0123,
    /// 32 lanes, to all four windows of a warp.
    X4,
}

/// The space that a copy reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CopySpace {
    /// Whatever memory the address is in, or a register.
    Any,
    /// Registers of the threads.
    Register,
    /// Global memory.
    Global,
    /// Shared memory of the CTA.
    Shared,
    /// Shared memory of the CTAs of a cluster.
    Cluster,
    /// Tensor memory.
    Tensor,
    /// The second cache.
    L2,
}

/// `ldmatrix`.
pub(crate) const fn ldmatrix(element: MatrixElement, count: u32, transposed: bool) -> CopyInstruction {
    CopyInstruction::Ldmatrix(Matrices { element, count, transposed })
}

/// `stmatrix`.
pub(crate) const fn stmatrix(element: MatrixElement, count: u32, transposed: bool) -> CopyInstruction {
    CopyInstruction::Stmatrix(Matrices { element, count, transposed })
}

impl CopyInstruction {
    /// The source and the destination space.
    ///
    /// ```
    /// use cute_arch::atoms::{CopyAtom, CopySpace};
    /// let load = CopyAtom::by_name("SM75_U32x4_LDSM_N").unwrap();
    /// assert_eq!(load.instruction.spaces(), (CopySpace::Shared, CopySpace::Register));
    /// ```
    pub const fn spaces(self) -> (CopySpace, CopySpace) {
        use CopySpace::{Any, Global, Register, Shared, Tensor};
        match self {
            Self::LoadStore { .. } => (Any, Any),
            Self::Shuffle { .. } | Self::Movmatrix => (Register, Register),
            Self::CpAsync { .. } => (Global, Shared),
            Self::Ldmatrix(_) => (Shared, Register),
            Self::Stmatrix(_) => (Register, Shared),
            Self::LoadNoAllocate { .. } => (Global, Register),
            Self::StoreNoAllocate { .. } => (Register, Global),
            Self::TmemLoad(_) | Self::TmemLoadReduce(_) => (Tensor, Register),
            Self::TmemStore(_) => (Register, Tensor),
            Self::TmemCopy(_) => (Shared, Tensor),
        }
    }
}
