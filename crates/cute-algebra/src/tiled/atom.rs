//! Atoms as layouts of threads and values.

use std::fmt;

use super::check_thread_value;
use crate::{
    error::{Error, ModePath, Result},
    layout::Layout,
    ops::{recast_layout, size},
};

/// A matrix of an MMA `C = A * B + C`. A has the modes (M,K), B has (N,K), and C has (M,N).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MmaOperand {
    /// The left matrix, with the modes (M,K).
    A,
    /// The right matrix, with the modes (N,K).
    B,
    /// The accumulators, with the modes (M,N).
    C,
}

impl MmaOperand {
    /// A, B and C, in the order of an MMA's operands.
    pub const ALL: [Self; 3] = [Self::A, Self::B, Self::C];

    /// The modes of this operand, taken from the given (M,N,K).
    ///
    /// ```
    /// assert_eq!(cute_algebra::MmaOperand::B.of(["M", "N", "K"]), ["N", "K"]);
    /// ```
    pub fn of<T>(self, [m, n, k]: [T; 3]) -> [T; 2] {
        match self {
            Self::A => [m, k],
            Self::B => [n, k],
            Self::C => [m, n],
        }
    }
}

impl fmt::Display for MmaOperand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// An MMA atom: its extents, its threads, and for each operand the layout from (thread, value) to
/// the column-major index in the operand's matrix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MmaLayouts {
    /// M, N and K.
    pub shape: [i64; 3],
    /// From the thread within the atom to its index among all threads.
    pub thr_id: Layout<i64>,
    /// (thread, value) to (M,K).
    pub a: Layout<i64>,
    /// (thread, value) to (N,K).
    pub b: Layout<i64>,
    /// (thread, value) to (M,N).
    pub c: Layout<i64>,
}

impl MmaLayouts {
    /// The thread-value layout of an operand.
    pub fn operand(&self, which: MmaOperand) -> &Layout<i64> {
        match which {
            MmaOperand::A => &self.a,
            MmaOperand::B => &self.b,
            MmaOperand::C => &self.c,
        }
    }

    /// Checks that the extents are positive and that the layouts have the atom's threads.
    pub(super) fn check(&self) -> Result<()> {
        if let Some((i, extent)) = self.shape.iter().enumerate().find(|(_, extent)| **extent < 1) {
            return Err(Error::ExtentNotPositive { path: ModePath::from_iter([i]), extent: *extent });
        }
        let threads = size(&self.thr_id)?;
        check_thread_value("the layout of A", &self.a, threads)?;
        check_thread_value("the layout of B", &self.b, threads)?;
        check_thread_value("the layout of C", &self.c, threads)
    }
}

/// Source or destination of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CopySide {
    /// The side that is read.
    Src,
    /// The side that is written.
    Dst,
}

impl CopySide {
    /// The source, then the destination.
    pub const ALL: [Self; 2] = [Self::Src, Self::Dst];
}

/// CuTe's letters, S and D.
impl fmt::Display for CopySide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Src { "S" } else { "D" })
    }
}

/// A copy atom: its threads, and layouts from (thread, value) to an abstract index of values. A
/// source value is copied to the destination value with the same index. Tilings refer to the
/// reference layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyLayouts {
    thr_id: Layout<i64>,
    src: Layout<i64>,
    dst: Layout<i64>,
    reference: Layout<i64>,
}

impl CopyLayouts {
    /// The atom with these layouts, which count in values.
    pub fn new(
        thr_id: Layout<i64>,
        src: Layout<i64>,
        dst: Layout<i64>,
        reference: Layout<i64>,
    ) -> Result<Self> {
        let threads = size(&thr_id)?;
        check_thread_value("the source", &src, threads)?;
        check_thread_value("the destination", &dst, threads)?;
        check_thread_value("the reference", &reference, threads)?;
        Ok(Self { thr_id, src, dst, reference })
    }

    /// The atom with these layouts, which count in bits, for values of `value_bits` bits.
    ///
    /// Fails if a value is so wide that several threads share it.
    ///
    /// ```
    /// use cute_algebra::{parse_layout, tiled::CopyLayouts};
    /// let layout = |text| parse_layout(text).unwrap().to_const().unwrap();
    /// let [lanes, rows, mma] = ["32:1", "(32,128):(128,1)", "(32,(32,4)):(32,(1,1024))"].map(layout);
    /// let ldsm = CopyLayouts::of_bits(lanes, &rows, &mma, &mma, 16)?;
    /// assert_eq!(ldsm.src().to_string(), "(32,8):(8,1)");
    /// assert_eq!(ldsm.dst().to_string(), "(32,(2,4)):(2,(1,64))");
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn of_bits(
        thr_id: Layout<i64>,
        src: &Layout<i64>,
        dst: &Layout<i64>,
        reference: &Layout<i64>,
        value_bits: i64,
    ) -> Result<Self> {
        let values = |bits| recast_layout(bits, value_bits, 1);
        Self::new(thr_id, values(src)?, values(dst)?, values(reference)?)
    }

    /// The atom in which a single thread copies `values` values.
    pub fn of_thread(values: i64) -> Result<Self> {
        let own = Layout::from_modes([Layout::unit(), crate::ops::make_layout(&crate::Tuple::leaf(values))?]);
        Self::new(Layout::unit(), own.clone(), own.clone(), own)
    }

    /// From the thread within the atom to its index among all threads.
    pub fn thr_id(&self) -> &Layout<i64> {
        &self.thr_id
    }

    /// The layout of (thread, value) for the source.
    pub fn src(&self) -> &Layout<i64> {
        &self.src
    }

    /// The layout of (thread, value) for the destination.
    pub fn dst(&self) -> &Layout<i64> {
        &self.dst
    }

    /// The layout to which tilings refer.
    pub fn reference(&self) -> &Layout<i64> {
        &self.reference
    }

    /// The layout of (thread, value) for a side.
    pub fn side(&self, side: CopySide) -> &Layout<i64> {
        match side {
            CopySide::Src => &self.src,
            CopySide::Dst => &self.dst,
        }
    }

    /// The numbers of threads and values of a layout of the atom.
    pub(crate) fn extents(layout: &Layout<i64>) -> Result<[i64; 2]> {
        Ok([size(&layout.mode(0)?)?, size(&layout.mode(1)?)?])
    }
}
