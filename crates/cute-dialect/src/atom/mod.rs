//! Atoms as values: what a type says of one instruction, and the row of `cute-arch` that it means.

mod copy;
mod element;
mod matrix;
mod mma;
mod s2t;
mod tma;
mod tmem;

pub use copy::{Access, Cache, CopyAtom, Priority};
pub use element::{element, scale_name, storage};
pub use matrix::{MatrixCopy, Pattern};
pub use mma::{Field, Frag, MmaAtom, MmaKind, MmaOptions};
pub use s2t::{BROADCASTS, S2tCopy, broadcast_name};
pub use tma::{LoadMode, Reduction, TmaCopy, TmaFormat, TmaKind};
pub use tmem::TmemCopy;
