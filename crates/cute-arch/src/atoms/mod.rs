//! The atoms: every instruction that multiplies matrices or copies, in CuTe's names and terms. This
//! module must not contain anything about compiling or executing atoms.
//!
//! | module | subject |
//! |---|---|
//! | `model` | the fields of a row |
//! | `family` | the notation of rows: atoms that differ only in types, extents or operation are one family |
//! | `rows` | the rows, a folder per generation |
//! | `registry` | the list of all rows, and lookups in it |
//! | `query` | finding an atom by its fields, or the field to blame |
//! | `kind` | the kinds of `tcgen05.mma`, a row for each |
//! | `descriptor` | the instruction descriptor of `tcgen05.mma` |
//!
//! The layouts are those of the traits of CUTLASS 4.7.0 and are evaluated by the algebra. They are
//! the only source for the place of an element.

mod descriptor;
mod family;
mod kind;
mod model;
mod query;
mod registry;
mod rows;

pub use descriptor::{
    BYTE_OF_COLUMN, BadField, DescribedScales, FORMAT_BITS, InstructionDescriptor, NEGATE_BITS, SCALE_BITS,
    Tcgen05Group, descriptor_fields, with_scales_at, zero_columns,
};
pub use kind::{BlockScale, Tcgen05Kind, Tcgen05KindRow};
pub use model::{
    Broadcast, BulkAtom, BulkInstruction, BulkMode, BulkOperation, CacheLevel, CopyAtom, CopyInstruction,
    CopySpace, Generation, Instruction, Major, Matrices, MatrixElement, Metadata, MmaAtom, MmaOp, MmaUnit,
    Operand, Reduction, Scale, Space, TmemFill, TmemShape,
};
pub use query::{MmaQuery, NoSuchAtom, ScaleQuery};
pub use registry::{bulk_atoms, copy_atoms, mma_atoms};
