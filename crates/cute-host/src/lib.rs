//! Host functions that launch kernels.
//!
//! A host function is lowered until its values are machine integers, floats and addresses, and
//! decoded to a [`Program`] by `cute-decode`: values, arithmetic, branches and launches. The
//! interpreter runs the program and returns its launches, which a simulator or a driver then
//! executes. The printer writes the program as C. Neither needs MLIR, and a program can be kept or
//! sent as [bytes](Program::to_bytes).
//!
//! | module | contents |
//! |---|---|
//! | [`program`], [`attribute`] | the steps of a host function, and the attributes of its launches |
//! | [`types`], [`arithmetic`] | the types of values, and arithmetic on them |
//! | [`interpret`] | a run of a program, up to its launches |
//! | [`driver`] | calls of the CUDA driver as data |
//! | [`c`] | a program as C, for the API of the CUDA driver |

#![forbid(unsafe_code)]

pub mod arithmetic;
pub mod attribute;
mod bytes;
pub mod c;
pub mod driver;
pub mod interpret;
pub mod program;
pub mod types;

pub use interpret::{ArgumentLeaf, Error, Launch, interpret};
pub use program::Program;
