//! [`MmaAtom`]: the fields of a row for an instruction that multiplies matrices. It contains no
//! rows.

use super::{Generation, Instruction};
use crate::{element::Element, feature::Availability};
use cute_algebra::{Layout, MmaLayouts};
use serde::{Deserialize, Serialize};
use std::fmt;

/// An instruction `D = A * B + C`, of `shape` (M,N,K).
///
/// `A` is M x K, `B` is N x K, `C` and `D` are M x N. A thread-value layout maps (thread, value) to
/// the column-major index in its matrix: with `((4,8),2):((16,1),8)` in an 8 x 8 C, value 1 of
/// thread 5 is `1 * 16 + 1 * 1 + 1 * 8 = 25`, row 1 of column 3.
#[derive(Debug, Clone, PartialEq)]
pub struct MmaAtom {
    /// CuTe's name: `SM80_16x8x16_F32F16F16F32_TN`.
    pub name: String,
    /// The generation of GPUs that introduced it, as in its name.
    pub generation: Generation,
    /// The instruction: the unit, CTAs, whether A is sparse and whether there are scales.
    pub instruction: Instruction,
    /// M, N and K.
    pub shape: [u32; 3],
    /// A, with the layout of its fragment.
    pub a: Operand,
    /// B, with the layout of its fragment.
    pub b: Operand,
    /// C, with the layout of its fragment and of D's.
    pub c: Operand,
    /// The element type of D.
    pub d: Element,
    /// The mode of A that is contiguous in memory or, if memory is not involved, the mode in the
    /// name.
    pub a_major: Major,
    /// The same for B.
    pub b_major: Major,
    /// How products are combined.
    pub op: MmaOp,
    /// The metadata that selects A's stored elements, if A is sparse.
    pub metadata: Option<Metadata>,
    /// The scales of blocks of A and B along K, if there are any.
    pub scale: Option<Scale>,
    /// Maps the thread within the atom to the lane: `32:1`.
    pub thr_id: Layout<i64>,
    /// The targets that have it.
    pub on: Availability,
}

/// A matrix of an atom.
#[derive(Debug, Clone, PartialEq)]
pub struct Operand {
    /// The element type.
    pub element: Element,
    /// Bits of a value in a register: more than the element's bits if elements of 4 and 6 bits take
    /// a byte each.
    pub bits: u32,
    /// Elements per value: more than one if A is sparse.
    pub per_value: u32,
    /// The space from which the instruction reads it.
    pub from: Space,
    /// (thread, value) to the column-major index in the matrix.
    pub layout: Layout<i64>,
}

/// The space of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Space {
    /// Registers of the threads.
    Register,
    /// Shared memory, through a descriptor.
    Shared,
    /// Tensor memory.
    Tensor,
}

/// The metadata of a sparse A: which of its elements are stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Metadata {
    /// Elements per byte.
    pub per_byte: u32,
    /// Maps (thread, element) to the column-major index in A; `None` if the instruction selects the
    /// threads whose metadata it reads.
    pub layout: Option<Layout<i64>>,
}

/// Factors of blocks of A and B.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// The type of a scale factor.
    pub element: Element,
    /// Elements of K that share one.
    pub vector: u32,
    /// (thread, element) to the column-major index in A and in B, where they are in registers.
    pub layouts: Option<[Layout<i64>; 2]>,
}

/// The mode that lies contiguous.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Major {
    /// K: A is row-major ("T"), B is column-major ("N").
    K,
    /// M of A ("N"), N of B ("T").
    Mn,
    /// Either one: the descriptor of the matrix or of the instruction selects it.
    Any,
}

impl Major {
    /// Whether an atom with this major reads a matrix of major `matrix`.
    pub fn reads(self, matrix: Self) -> bool {
        self == Self::Any || self == matrix
    }
}

/// The operation of an atom on its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MmaOp {
    /// `D = A * B + C`; integers wrap.
    MulAdd,
    /// The same, clamped to the range of D.
    MulAddSaturate,
    /// `D = popc(A ^ B) + C` of single bits.
    XorPopc,
    /// `D = popc(A & B) + C` of single bits.
    AndPopc,
}

impl MmaOp {
    /// The suffix in CuTe's name.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::MulAdd => "",
            Self::MulAddSaturate => "_SATURATE",
            Self::XorPopc => "_XORPOPC",
            Self::AndPopc => "_ANDPOPC",
        }
    }
}

impl fmt::Display for MmaOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MulAdd => "multiply and add",
            Self::MulAddSaturate => "multiply and add with .satfinite",
            Self::XorPopc => ".xor.popc",
            Self::AndPopc => ".and.popc",
        })
    }
}

impl MmaAtom {
    /// The layouts that tilings need.
    ///
    /// ```
    /// use cute_algebra::{TiledMma, parse_layout};
    /// use cute_arch::atoms::MmaAtom;
    /// let atom = MmaAtom::by_name("SM80_16x8x16_F32F16F16F32_TN").unwrap();
    /// let warps = parse_layout("(2,2)").unwrap().to_const().unwrap();
    /// let mma = TiledMma::new(atom.layouts(), &warps, &[])?;
    /// assert_eq!((mma.tile_mnk(), mma.threads()), ([32, 16, 16], 128));
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn layouts(&self) -> MmaLayouts {
        MmaLayouts {
            shape: self.shape.map(i64::from),
            thr_id: self.thr_id.clone(),
            a: self.a.layout.clone(),
            b: self.b.layout.clone(),
            c: self.c.layout.clone(),
        }
    }

    /// Threads that execute it together.
    pub fn threads(&self) -> usize {
        extent(&self.thr_id)
    }
}

/// Elements of the domain of a static layout.
fn extent(layout: &Layout<i64>) -> usize {
    layout.shape().leaves().iter().product::<i64>() as usize
}

impl Operand {
    /// Values that a thread holds.
    pub fn values(&self) -> usize {
        self.layout.mode(1).map_or(1, |values| extent(&values))
    }

    /// 32-bit registers that a thread holds them in, if they are in registers.
    pub fn registers(&self) -> usize {
        (self.values() / self.per_value as usize * self.bits as usize).div_ceil(32)
    }
}
