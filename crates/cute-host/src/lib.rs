//! Host functions that launch kernels.
//!
//! A host function is lowered until its values are machine integers, floats and addresses, and
//! decoded to a [`Program`]: values, arithmetic, branches and launches. The interpreter runs the
//! program and returns its launches, which a simulator or a driver then executes. The printer
//! writes the program as C.
//!
//! | module | contents |
//! |---|---|
//! | `decode` | from IR to a program |
//! | [`program`] | the steps of a host function |
//! | [`types`], [`arithmetic`] | the types of values, and arithmetic on them |
//! | [`interpret`] | a run of a program, up to its launches |
//! | [`c`] | a program as C, for the API of the CUDA driver |

#![forbid(unsafe_code)]

pub mod arithmetic;
pub mod c;
mod decode;
pub mod interpret;
pub mod program;
pub mod types;

pub use decode::{Reported, program};
pub use interpret::{Argument, Error, Launch, interpret};
pub use program::Program;
