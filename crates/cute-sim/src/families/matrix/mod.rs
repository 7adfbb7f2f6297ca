//! Matrix instructions of a warp: `mma.sync`, `ldmatrix` and `stmatrix`. The models of the
//! instructions are functions of registers and bytes, and do not depend on programs; registers are
//! words as in [`tensor`](crate::tensor).
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `rules` | what can go wrong |
//! | [`mma`], [`scales`] | the model of `mma.sync`, and its scale factors |
//! | `sums` | how each device adds the products of an `mma.sync` |
//! | [`rows`] | the models of `ldmatrix` and `stmatrix` |
//! | `act` | the lanes that execute an operation together |
//! | `multiply`, `moves` | the effects of the operations |

pub(crate) mod act;
pub mod mma;
mod moves;
mod multiply;
pub(crate) mod op;
pub mod rows;
pub(crate) mod rules;
pub mod scales;
pub(crate) mod sums;

pub use mma::Mma;
pub use rows::{Matrices, MatrixMove};
pub use scales::{Scaled, WarpScales};
