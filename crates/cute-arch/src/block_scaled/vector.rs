//! The number of elements that share a scale factor, and the block of factors of which memory
//! consists.

use super::{NoScales, Result};
use crate::atoms::Major;
use cute_algebra::{Int, Layout, parse_layout};

/// Elements of K that share a scale factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SfVec {
    /// 16: `.scale_vec::4X` of fp4.
    V16,
    /// 32: `.scale_vec::2X` of fp4, and 8-bit elements.
    V32,
    /// 64: those of 32 stored elements of a sparse A.
    V64,
}

impl SfVec {
    /// All of them, shortest first.
    pub const ALL: [Self; 3] = [Self::V16, Self::V32, Self::V64];

    /// The one of this length.
    ///
    /// ```
    /// use cute_arch::block_scaled::SfVec;
    /// assert_eq!(SfVec::new(32)?, SfVec::V32);
    /// let error = SfVec::new(8).unwrap_err().to_string();
    /// assert_eq!(error, "8 elements cannot share a scale factor; 16, 32 or 64 can");
    /// # Ok::<(), cute_arch::block_scaled::NoScales>(())
    /// ```
    pub fn new(elements: i64) -> Result<Self> {
        let named = Self::ALL.into_iter().find(|vec| vec.elements() == elements);
        named.ok_or(NoScales::Vector(elements))
    }

    /// Its length.
    pub const fn elements(self) -> i64 {
        match self {
            Self::V16 => 16,
            Self::V32 => 32,
            Self::V64 => 64,
        }
    }
}

/// Rows of a block of factors, and factors of each row. A row's factors are a word of 32 bits,
/// which is a column of tensor memory.
pub const SF_BLOCK: [i64; 2] = [128, 4];

/// The order of a block's 128 rows of four factors in its 512 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SfBlock {
    /// Rows 0, 32, 64, 96, then 1, 33, 65, 97 and so on: the order in which `tcgen05.cp` takes
    /// them.
    Sm1xx,
    /// The same in groups of eight rows, 128 bytes apart: for MMAs of sm_103a with K = 96.
    Sm103,
}

impl SfBlock {
    /// The rows of a block.
    fn rows(self) -> &'static str {
        match self {
            Self::Sm1xx => "(32,4):(16,4)",
            Self::Sm103 => "(8,4,4):(16,128,4)",
        }
    }
}

/// The layout of a block over the elements (rows,K), or (K,rows) if `major` is MN: K is the mode
/// along which elements share factors.
///
/// ```
/// use cute_arch::{atoms::Major, block_scaled::{SfBlock, SfVec, sf_atom}};
/// let atom = |block, vec, major| sf_atom::<i64>(block, vec, major).map(|atom| atom.to_string());
/// assert_eq!(atom(SfBlock::Sm1xx, SfVec::V16, Major::K)?, "((32,4),(16,4)):((16,4),(0,1))");
/// assert_eq!(atom(SfBlock::Sm103, SfVec::V32, Major::Mn)?, "((32,4),(8,4,4)):((0,1),(16,128,4))");
/// # Ok::<(), cute_arch::block_scaled::NoScales>(())
/// ```
pub fn sf_atom<I: Int>(block: SfBlock, vec: SfVec, major: Major) -> Result<Layout<I>> {
    let (rows, k) = (of_text(block.rows()), of_text(&format!("({},4):(0,1)", vec.elements())));
    match major {
        Major::K => Ok(Layout::from_modes([rows, k])),
        Major::Mn => Ok(Layout::from_modes([k, rows])),
        Major::Any => Err(NoScales::Major),
    }
}

/// The rows of a block that `tcgen05.cp` takes.
pub fn sf_rows() -> Layout<i64> {
    of_text(SfBlock::Sm1xx.rows())
}

/// A static layout as text.
pub(super) fn of_text<I: Int>(text: &str) -> Layout<I> {
    let layout = parse_layout(text).ok().and_then(|layout| layout.to_const());
    layout.unwrap_or_else(|| panic!("'{text}' is not a static layout")).map(|n| I::from_i64(*n))
}
