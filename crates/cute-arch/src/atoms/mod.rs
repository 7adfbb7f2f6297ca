//! The atoms: every instruction that multiplies matrices or copies, as CuTe names and describes it. One file an architecture.
//! It must not know how an atom is compiled or executed.
//!
//! A row of a file is a `Family`: atoms that differ in types, extents or operation only. The layouts
//! are those of the traits of CUTLASS 4.7.0 and are evaluated by the algebra; nothing else says where an element lies.

mod copy;
mod copy_sm100;
mod copy_sm50;
mod copy_sm75;
mod copy_sm80;
mod copy_sm90;
mod descriptor;
mod family;
mod mma;
mod query;
mod sm100;
mod sm100_umma;
mod sm100_umma_sparse;
mod sm120;
mod sm61;
mod sm70;
mod sm75;
mod sm80;
mod sm80_sparse;
mod sm89;
mod sm90;
mod sm90_gmma;
mod template;
mod tmem;
mod universal;

pub use copy::{CopyAtom, copy_atoms};
pub use mma::{Instruction, Major, Metadata, MmaAtom, MmaOp, Operand, Scale, Space, mma_atoms};
pub use query::{MmaQuery, NoSuchAtom};
