//! Atoms as values: the description of one instruction in a type, and the row of `cute-arch` that
//! it denotes. Each family has one file or folder.

mod copy;
mod element;
mod factor;
mod mma;
mod state;

pub use crate::error::AtomError;
pub(crate) use copy::bits_of_element;
pub use copy::{
    Access, AsyncCopy, BulkCopy, BulkWay, Cache, CopyAtom, CopyEnd, CopyEnds, CopyFamily, LoadMode,
    MatrixCopy, Pattern, Priority, S2tCopy, TmaCopy, TmaKind, TmemCopy, UniversalCopy, format_of,
};
pub use element::{element, storage, type_name, type_of_element};
pub use factor::{Factor, OperandHome, is_copied_as, major_name};
pub(crate) use mma::major;
pub use mma::{DISABLED_LANES, Frag, MmaAtom, MmaKind, MmaOptions, TypeField};
pub use state::{AtomState, StateFieldType};
