//! The reasons why scale factors have no layout, as data.

use cute_algebra::error::Error;

/// Scale factors have no layout.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum NoScales {
    #[error("{0} elements cannot share a scale factor; 16, 32 or 64 can")]
    Vector(i64),
    #[error("the major of scale factors must be K or MN")]
    Major,
    #[error("{shape} is not {expected}")]
    Shape {
        shape: String,
        /// The modes that were expected.
        expected: &'static str,
    },
    #[error(
        "{shape}: the {mode} are {extent}, but a block of scale factors has {block}, and extents that are all \
         static are not padded; use a multiple, or an extent that is known at run time"
    )]
    NotMultiple {
        shape: String,
        /// Rows, or elements of K.
        mode: &'static str,
        extent: i64,
        block: i64,
    },
    #[error("{atom} is not {expected}")]
    Atom {
        atom: String,
        /// The kind of instruction that has these scale factors.
        expected: &'static str,
    },
    #[error("{0}: scale factors of sparse matrices are not supported")]
    Sparse(String),
    #[error("{atom}: the tile is {m} x {n}, but one MMA is {mma_m} x {mma_n}, and must cover the tile")]
    NotOneMma { atom: String, m: i64, n: i64, mma_m: i64, mma_n: i64 },
    #[error("{atom}: one MMA takes {factors} factors of a row, which do not divide the {block} of a block")]
    Factors { atom: String, factors: i64, block: i64 },
    #[error(
        "{atom}: K of the tile is {k}, but must be a multiple of {multiple}, which {factors} factors cover"
    )]
    TileK { atom: String, k: i64, multiple: i64, factors: i64 },
    #[error(
        "{atom}: each CTA has {rows} rows of A, but a block of scale factors has {block}; M of the tile must be \
         a multiple of {multiple}, not {m}"
    )]
    Rows { atom: String, rows: i64, block: i64, multiple: i64, m: i64 },
    #[error("{atom}: N of the tile is {n}, but must be a multiple of {block}, or less, which is padded")]
    Columns { atom: String, n: i64, block: i64 },
    #[error(transparent)]
    Algebra(#[from] Error),
}

/// The result of a layout of scale factors.
pub type Result<T> = std::result::Result<T, NoScales>;

impl NoScales {
    /// The name of the rule, for programs.
    pub fn rule_name(&self) -> &'static str {
        match self {
            Self::Vector(_) => "scale_vector",
            Self::Major => "scale_major",
            Self::Shape { .. } => "scale_shape",
            Self::NotMultiple { .. } => "static_shape_not_multiple",
            Self::Atom { .. } => "not_block_scaled",
            Self::Sparse(_) => "sparse_not_supported",
            Self::NotOneMma { .. } => "tile_is_not_one_mma",
            Self::Factors { .. } => "factors_of_mma",
            Self::TileK { .. } => "tile_k_not_multiple",
            Self::Rows { .. } => "fewer_than_128_rows_per_cta",
            Self::Columns { .. } => "tile_n_not_multiple",
            Self::Algebra(_) => "algebra",
        }
    }
}

impl From<NoScales> for Error {
    fn from(error: NoScales) -> Self {
        match error {
            NoScales::Algebra(error) => error,
            other => Self::Unsupported { what: "scale factors", why: other.to_string() },
        }
    }
}
