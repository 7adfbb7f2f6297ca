//! [`MmaAtom`], and the list of all.

use super::{family::Family, sm61, sm70, sm75, sm80, sm89, sm90, sm120};
use crate::{element::Element, target::Target};
use cute_algebra::Layout;
use std::{fmt, sync::OnceLock};

/// An instruction `D = A * B + C`, of `shape` (M,N,K).
///
/// `A` is M x K, `B` is N x K, `C` and `D` are M x N. A thread-value layout maps (thread, value) to the column-major index
/// in its matrix: of `((4,8),2):((16,1),8)` in an 8 x 8 C, value 1 of thread 5 is `1 * 16 + 1 * 1 + 1 * 8 = 25`, row 1 of column 3.
#[derive(Debug, Clone, PartialEq)]
pub struct MmaAtom {
    /// CuTe's name: `SM80_16x8x16_F32F16F16F32_TN`.
    pub name: String,
    /// What it is made of.
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
    /// Which mode of A lies contiguous in memory or, where no memory is involved, what the name says.
    pub a_major: Major,
    /// The same of B.
    pub b_major: Major,
    /// What is computed.
    pub op: MmaOp,
    /// From the thread within the atom to the lane: `32:1`.
    pub thr_id: Layout<i64>,
    /// Where it exists.
    pub on: Availability,
}

/// The PTX that an atom stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Instruction {
    /// `dp2a` and `dp4a`.
    Dot,
    /// `mma.sync`.
    MmaSync,
    /// Several `mma.sync` on real and imaginary parts.
    Complex,
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dot => "dp2a or dp4a",
            Self::MmaSync => "mma.sync",
            Self::Complex => "complex mma",
        })
    }
}

/// A matrix of an atom.
#[derive(Debug, Clone, PartialEq)]
pub struct Operand {
    /// The numbers.
    pub element: Element,
    /// Bits that one value takes in a register: more than the element has where 4 and 6 bits lie in a byte.
    pub bits: u32,
    /// (thread, value) to the column-major index in the matrix.
    pub layout: Layout<i64>,
}

/// The mode that lies contiguous.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Major {
    /// K: A is row-major ("T"), B is column-major ("N").
    K,
    /// M of A ("N"), N of B ("T").
    Mn,
}

/// What an atom does with its operands.
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
    /// What CuTe appends to the name.
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

/// The targets that have an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Availability {
    /// This compute capability and every later one.
    From(u32, u32),
    /// These alone.
    Only(&'static [Target]),
}

impl Availability {
    /// Does the target have it?
    pub fn on(self, target: Target) -> bool {
        match self {
            Self::From(major, minor) => target.compute_capability() >= (major, minor),
            Self::Only(targets) => targets.contains(&target),
        }
    }
}

impl MmaAtom {
    /// The atom of this name.
    ///
    /// ```
    /// use cute_arch::atoms::MmaAtom;
    /// let atom = MmaAtom::by_name("SM80_16x8x16_F32F16F16F32_TN").unwrap();
    /// assert_eq!(atom.shape, [16, 8, 16]);
    /// assert_eq!(atom.c.layout.to_string(), "((4,8),(2,2)):((32,1),(16,8))");
    /// ```
    pub fn by_name(name: &str) -> Option<&'static Self> {
        mma_atoms().iter().find(|atom| atom.name == name)
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

    /// 32-bit registers that a thread holds them in.
    pub fn registers(&self) -> usize {
        (self.values() * self.bits as usize).div_ceil(32)
    }
}

/// Every atom, oldest architecture first.
pub fn mma_atoms() -> &'static [MmaAtom] {
    static ATOMS: OnceLock<Vec<MmaAtom>> = OnceLock::new();
    ATOMS.get_or_init(|| {
        let families = [sm61::MMA, sm70::MMA, sm75::MMA, sm80::MMA, sm89::MMA, sm90::MMA, sm120::MMA];
        families.into_iter().flatten().flat_map(Family::atoms).collect()
    })
}
