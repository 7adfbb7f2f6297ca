//! A tile in shared memory, and the candidates for its layout.

mod enumerate;

pub use enumerate::tiles;

use cute_algebra::{AnyLayout, Layout, ModePath, Swizzle, Tuple, product};
use cute_arch::{banks::Form, smem::SmemSwizzle};

/// A tile of shared memory whose layout is to be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TileSpec {
    /// The extents. The top-level modes are the modes of the tile; each may be nested.
    pub shape: Tuple<i64>,
    /// The bits of an element.
    pub bits: i64,
    /// The number of elements that the layout may span (its cosize), if the tile lies in a buffer.
    pub most: Option<i64>,
    /// The elements of its widest access, which a layout has to keep together: a power of two.
    pub vector: i64,
}

impl TileSpec {
    /// The reason why the tile cannot have a layout, if there is one.
    pub fn flaw(&self) -> Option<String> {
        let Self { shape, bits, vector, .. } = self;
        if *bits < 1 {
            return Some(format!("elements of {bits} bits"));
        }
        if *vector < 1 {
            return Some(format!("vectors of {vector} elements"));
        }
        if let Some(extent) = shape.leaves().iter().find(|extent| **extent < 1) {
            return Some(format!("an extent of {extent}"));
        }
        let all = product(shape.view()).ok().and_then(|elements| elements.checked_mul(*bits));
        all.is_none().then(|| "its bits are more than 2^63".into())
    }
}

/// How the elements of a tile are spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Without gaps, one mode after the other.
    Compact,
    /// Compact, with gaps; if the tile is small and has two modes, also behind a swizzle.
    Padded {
        /// The elements between two gaps.
        period: i64,
        /// The elements of a gap.
        elements: i64,
    },
    /// Compact, with a swizzle of the offsets.
    Swizzled,
    /// Tiled from an atom of eight rows, as tensor cores and the TMA require.
    Atom {
        /// The bytes of a row, and the swizzle of its units of 16 bytes.
        swizzle: SmemSwizzle,
        /// The mode along which rows are contiguous: 1 for the major K, 0 for MN.
        contiguous: usize,
    },
}

impl Kind {
    /// A word for it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Compact => "compact",
            Self::Padded { .. } => "padded",
            Self::Swizzled => "swizzled",
            Self::Atom { .. } => "atom",
        }
    }
}

/// A leaf of the outer layout of a candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BasisMode {
    /// Where the leaf is in the shape.
    pub path: ModePath,
    /// The number of its coordinates.
    pub extent: i64,
    /// The elements from one coordinate to the next, before the swizzle.
    pub stride: i64,
}

/// A layout for a tile, with what there is to know about it.
#[derive(Debug, Clone, PartialEq)]
pub struct LayoutCandidate {
    /// The layout: it maps coordinates of the tile to offsets in elements.
    pub layout: AnyLayout<i64>,
    /// The text of the layout.
    pub text: String,
    /// How it spreads the elements.
    pub kind: Kind,
    /// The leaves of its outer layout.
    pub basis: Vec<BasisMode>,
    /// The swizzle of its offsets; the identity if there is none.
    pub swizzle: Swizzle,
    /// The outer layout, coalesced.
    pub normalized: Layout<i64>,
    /// Equal for two candidates of a tile if and only if they map all coordinates to the same
    /// offsets, as far as the canonical form shows it: only for swizzled tiles of more than 4096
    /// elements whose extents are not powers of two can one function have two keys.
    pub identity: String,
    /// The shared memory that it takes, in bytes.
    pub bytes: i64,
    /// Why it is a candidate: a sentence.
    pub reason: String,
    /// The layout before its form.
    base: Layout<i64>,
    form: Form,
}

impl LayoutCandidate {
    /// The layout before its [`form`](Self::form), a swizzle or gaps. Many candidates share a base,
    /// so that accesses need to be evaluated only once for all its forms.
    pub fn base(&self) -> &Layout<i64> {
        &self.base
    }

    /// The map from the offsets of the [`base`](Self::base) to those of the candidate.
    pub fn form(&self) -> Form {
        self.form
    }
}
