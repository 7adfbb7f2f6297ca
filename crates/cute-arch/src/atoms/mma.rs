//! [`MmaAtom`], and the list of all.

use super::{
    family::Family, sm61, sm70, sm75, sm80, sm80_sparse, sm89, sm90, sm90_gmma, sm100, sm100_umma,
    sm100_umma_sparse, sm120, universal,
};
use crate::{element::Element, feature::Availability};
use cute_algebra::{Layout, MmaLayouts};
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
    /// Which of A's elements are stored, if not all.
    pub metadata: Option<Metadata>,
    /// The scales of blocks of A and B along K, if there are any.
    pub scale: Option<Scale>,
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
    /// `fma` of one thread, on one number or two.
    Fma,
    /// `wgmma.mma_async`.
    Wgmma,
    /// `wgmma.mma_async.sp`.
    WgmmaSparse,
    /// `mma.sp.sync`.
    MmaSyncSparse,
    /// `mma.sync` with `.block_scale`.
    MmaSyncScaled,
    /// `mma.sp.sync` with `.block_scale`.
    MmaSyncSparseScaled,
    /// `tcgen05.mma` of one CTA.
    Tcgen05,
    /// `tcgen05.mma` of a pair of CTAs.
    Tcgen05Pair,
    /// `tcgen05.mma` with `.block_scale`.
    Tcgen05Scaled,
    /// The same of a pair of CTAs.
    Tcgen05PairScaled,
    /// `tcgen05.mma.sp` of one CTA.
    Tcgen05Sparse,
    /// `tcgen05.mma.sp` of a pair of CTAs.
    Tcgen05PairSparse,
    /// `tcgen05.mma.sp` with `.block_scale`.
    Tcgen05SparseScaled,
    /// The same of a pair of CTAs.
    Tcgen05PairSparseScaled,
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dot => "dp2a or dp4a",
            Self::MmaSync => "mma.sync",
            Self::Complex => "complex mma",
            Self::Fma => "fma",
            Self::Wgmma => "wgmma",
            Self::WgmmaSparse => "wgmma.sp",
            Self::MmaSyncSparse => "mma.sp.sync",
            Self::MmaSyncScaled => "mma.sync with .block_scale",
            Self::MmaSyncSparseScaled => "mma.sp.sync with .block_scale",
            Self::Tcgen05 => "tcgen05.mma of one CTA",
            Self::Tcgen05Pair => "tcgen05.mma of two CTAs",
            Self::Tcgen05Scaled => "tcgen05.mma with .block_scale",
            Self::Tcgen05PairScaled => "tcgen05.mma with .block_scale of two CTAs",
            Self::Tcgen05Sparse => "tcgen05.mma.sp of one CTA",
            Self::Tcgen05PairSparse => "tcgen05.mma.sp of two CTAs",
            Self::Tcgen05SparseScaled => "tcgen05.mma.sp with .block_scale",
            Self::Tcgen05PairSparseScaled => "tcgen05.mma.sp with .block_scale of two CTAs",
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
    /// Elements that one value stands for: more than one where A is sparse.
    pub per_value: u32,
    /// Where the instruction takes it from.
    pub from: Space,
    /// (thread, value) to the column-major index in the matrix.
    pub layout: Layout<i64>,
}

/// Where an operand is.
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
    /// Elements that a byte tells of.
    pub per_byte: u32,
    /// (thread, element) to the column-major index in A; none where the instruction is told whose metadata it takes.
    pub layout: Option<Layout<i64>>,
}

/// Factors of blocks of A and B.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// Their type.
    pub element: Element,
    /// Elements of K that share one.
    pub vector: u32,
    /// (thread, element) to the column-major index in A and in B, where they are in registers.
    pub layouts: Option<[Layout<i64>; 2]>,
}

/// The mode that lies contiguous.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Major {
    /// K: A is row-major ("T"), B is column-major ("N").
    K,
    /// M of A ("N"), N of B ("T").
    Mn,
    /// Either: the descriptor of the matrix or of the instruction says which.
    Any,
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
        mma_atoms().find(|atom| atom.name == name)
    }

    /// The atom of a `tcgen05.mma` that C++ writes with all its parameters: types of A, B and C, M, N, majors and signs.
    ///
    /// ```
    /// use cute_arch::atoms::MmaAtom;
    /// let cpp = "SM100_MMA_F16BF16_SS<half_t,half_t,float,64,64,UMMA::Major::MN,UMMA::Major::K>";
    /// assert_eq!(MmaAtom::by_cpp_name(cpp).unwrap().name, "SM100_MMA_F16BF16_SS<half_t,float,64,64>");
    /// ```
    pub fn by_cpp_name(name: &str) -> Option<&'static Self> {
        let (op, parameters) = name.strip_suffix('>')?.split_once('<')?;
        let mut parameters = parameters.split(',').map(str::trim);
        let mut element = || Element::by_cpp_name(parameters.next()?);
        let types = [element()?, element()?, element()?];
        let mut extent = || parameters.next()?.parse().ok();
        let extents: [u32; 2] = [extent()?, extent()?];
        let same = |atom: &&Self| {
            atom.name.split('<').next() == Some(op)
                && [atom.a.element, atom.b.element, atom.c.element] == types
                && atom.shape[..2] == extents
        };
        mma_atoms().find(same)
    }

    /// What tilings need to know of it.
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

/// The atoms of a file, made when they are first asked for.
struct Group {
    families: &'static [Family],
    atoms: OnceLock<Vec<MmaAtom>>,
}

impl Group {
    const fn new(families: &'static [Family]) -> Self {
        Group { families, atoms: OnceLock::new() }
    }

    fn atoms(&self) -> &[MmaAtom] {
        self.atoms.get_or_init(|| self.families.iter().flat_map(Family::atoms).collect())
    }
}

static GROUPS: [Group; 13] = [
    Group::new(universal::MMA),
    Group::new(sm61::MMA),
    Group::new(sm70::MMA),
    Group::new(sm75::MMA),
    Group::new(sm80::MMA),
    Group::new(sm80_sparse::MMA),
    Group::new(sm89::MMA),
    Group::new(sm90::MMA),
    Group::new(sm90_gmma::MMA),
    Group::new(sm100::MMA),
    Group::new(sm100_umma::MMA),
    Group::new(sm100_umma_sparse::MMA),
    Group::new(sm120::MMA),
];

/// Every atom, oldest architecture first.
pub fn mma_atoms() -> impl Iterator<Item = &'static MmaAtom> {
    GROUPS.iter().flat_map(Group::atoms)
}

impl Instruction {
    /// Whether a pair of CTAs computes together.
    pub const fn is_of_pair(self) -> bool {
        use Instruction::*;
        matches!(self, Tcgen05Pair | Tcgen05PairScaled | Tcgen05PairSparse | Tcgen05PairSparseScaled)
    }

    /// Every atom made of this instruction, oldest architecture first.
    pub fn atoms(self) -> impl Iterator<Item = &'static MmaAtom> {
        let has_any = move |group: &&Group| group.families.iter().any(|family| family.instruction == self);
        GROUPS.iter().filter(has_any).flat_map(Group::atoms).filter(move |atom| atom.instruction == self)
    }
}
