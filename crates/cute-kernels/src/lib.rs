//! Kernels as parametric builders of cute IR: what a kernel engineer would write by hand, for any
//! tile, type and target.
//!
//! | module | subject |
//! |---|---|
//! | [`gemm`] | GEMM: one loop, on tensor cores ([`gemm::sm80`]) or on threads ([`gemm::simt`]) |
//! | [`layernorm`] | normalised rows, a warp each |
//! | [`quantize`] | small floats with scale factors, 16 elements a thread |
//! | [`builders`] | the builders by name |
//! | [`module`] | the text of a module |
//! | [`launch`], [`tma`], [`barriers`] | host functions, tiles that the TMA moves, rings of stages |
//! | [`factors`] | scale factors in tensor memory |
//! | [`options`] | options, their ranges, and the builders that have them |
//! | [`tiling`] | types of tiles, copies and MMAs |
//!
//! It knows cute IR and its types; it must not know how they are lowered.

pub mod barriers;
pub mod builders;
pub mod factors;
pub mod gemm;
pub mod launch;
pub mod layernorm;
pub mod module;
pub mod options;
pub mod quantize;
pub mod tiling;
pub mod tma;

use cute_build::{At, Builder, Result as Built, Value};

/// Why a kernel cannot be built.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum Error {
    /// An option that is not in its range.
    #[error("{option} must be {range}, but is {value}")]
    Range {
        /// Its name on the command line.
        option: String,
        /// Its legal values.
        range: options::Range,
        value: i64,
    },
    /// Parameters that do not fit together.
    #[error("{0}")]
    Parameters(String),
    /// The algebra rejects a tile.
    #[error(transparent)]
    Algebra(#[from] cute_algebra::Error),
    /// MLIR rejects the IR.
    #[error(transparent)]
    Build(#[from] cute_build::Error),
}
