//! The notation of the tables: one family stands for atoms that differ only in types and extents.

mod copy;
mod mma;
mod template;

pub(crate) use copy::{CopyFamily, Side, THREAD};
pub(crate) use mma::{MmaFamily, ROW_8X8, SCALAR, WARP};
