//! Host functions that launch kernels.
//!
//! A host function is lowered until its values are machine integers, floats and addresses, and decoded to a [`Program`]: values,
//! arithmetic, branches and launches. The interpreter runs it and gives the launches, with which a simulator or a driver goes on. The printer writes it as C.
//!
//! | module | what it knows |
//! |---|---|
//! | `decode` | the IR that a program is made of |
//! | [`program`] | what a host function does |
//! | [`types`], [`arithmetic`] | what integers and floats are, and what they do |
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
