//! The atoms: every instruction that multiplies matrices or copies, as CuTe names and describes it.
//! It must not know how an atom is compiled or executed.
//!
//! | module | what it knows |
//! |---|---|
//! | `model` | what a row says |
//! | `family` | how a row is written: atoms that differ in types, extents or operation only are one family |
//! | `rows` | the rows, a folder per generation |
//! | `registry` | the list of all rows, and how one is found |
//! | `query` | which atom is meant, or which field of the question is to blame |
//! | `descriptor` | the instruction descriptor of `tcgen05.mma` |
//!
//! The layouts are those of the traits of CUTLASS 4.7.0 and are evaluated by the algebra; nothing else says where an
//! element lies.

mod descriptor;
mod family;
mod model;
mod query;
mod registry;
mod rows;

pub use descriptor::{BadField, InstructionDescriptor, NEGATE_BITS, Tcgen05Group, Tcgen05Kind};
pub use model::{
    Broadcast, BulkAtom, BulkInstruction, BulkMode, BulkOperation, CacheLevel, CopyAtom, CopyInstruction,
    CopySpace, Generation, Instruction, Major, Matrices, MatrixElement, Metadata, MmaAtom, MmaOp, MmaUnit,
    Operand, Reduction, Scale, Space, TmemFill, TmemShape,
};
pub use query::{MmaQuery, NoSuchAtom};
pub use registry::{bulk_atoms, copy_atoms, mma_atoms};
