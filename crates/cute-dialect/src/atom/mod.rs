//! Atoms as values: what a type says of one instruction, and the row of `cute-arch` that it means.

mod copy;
mod element;
mod matrix;
mod mma;
mod s2t;
mod simt;
mod tma;
mod tmem;

pub use copy::{CopyAtom, CopyFamily};
pub use element::{element, scale_name, storage};
pub use matrix::{MatrixCopy, Pattern};
pub use mma::{Field, Frag, MmaAtom, MmaKind, MmaOptions};
pub use s2t::{BROADCASTS, S2tCopy, broadcast_name};
pub use simt::{Access, AsyncCopy, Cache, Priority, UniversalCopy};
pub use tma::{LoadMode, TmaCopy, TmaFormat, TmaKind};
pub use tmem::TmemCopy;
