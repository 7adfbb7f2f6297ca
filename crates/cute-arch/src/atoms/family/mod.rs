//! Rows of the tables as they are written: one family stands for the atoms that differ in types and extents only.

mod copy;
mod mma;
mod template;

pub(crate) use copy::{CopyFamily, Side, THREAD};
pub(crate) use mma::{MmaFamily, ROW_8X8, SCALAR, WARP};
