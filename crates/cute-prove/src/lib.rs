//! Proves the barriers of a kernel for every trip count, or finds the size at which they fail.
//!
//! | module | subject |
//! |---|---|
//! | `value`, `lines`, `registers` | values while the size is a symbol |
//! | `world` | a kernel and its launch, and how its inputs depend on the size |
//! | `board` | values that threads hand over through shared memory |
//! | `slots` | the registers that an instruction sets |
//! | `walk`, `execute` | a warp's way through the kernel; the effect of each instruction |
//! | `trace` | what a warp does at barriers |
//! | `protocol` | one run of all warps, and the conditions that make it stand for all orders |
//! | `cover` | sizes whose run is that of a smaller one |
//! | `conform` | the events of a run in the simulator |
//! | `prove` | the answer |

#![forbid(unsafe_code)]

mod board;
mod conform;
mod cover;
mod execute;
mod lines;
mod protocol;
mod prove;
mod registers;
mod slots;
mod trace;
mod value;
mod walk;
mod world;

pub use prove::{Answer, Conformance, How, Proof, Question, Sizes, conformance, prove};
