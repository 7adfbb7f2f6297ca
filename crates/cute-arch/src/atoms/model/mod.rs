//! The fields of rows: for atoms that multiply matrices, for those that copy between memories of
//! threads, and for those that copy asynchronously in bulk. This module contains no rows.

mod bulk;
mod copy;
mod generation;
mod instruction;
mod mma;
mod unit;

pub use bulk::{BulkAtom, BulkInstruction, BulkMode, BulkOperation, Reduction};
pub use copy::CopyAtom;
pub use generation::Generation;
pub use instruction::{
    Broadcast, CacheLevel, CopyInstruction, CopySpace, Matrices, MatrixElement, TmemFill, TmemShape,
};
pub(crate) use instruction::{ldmatrix, stmatrix};
pub use mma::{Major, Metadata, MmaAtom, MmaOp, Operand, Scale, Space};
pub use unit::{Instruction, MmaUnit};
