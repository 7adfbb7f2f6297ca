//! Proves the barriers of a kernel for every trip count, or finds the size at which they fail.
//!
//! | module | subject |
//! |---|---|
//! | `value`, `registers` | values while the size is a symbol |
//! | `world` | a kernel and its launch, and how its inputs depend on the size |
//! | `board` | values that threads hand over through shared memory |
//! | `slots` | the registers that an instruction sets |
//! | `walk`, `execute` | a warp's way through the kernel; the effect of each instruction |
//! | `trace` | what a warp does at barriers |
//! | `protocol` | one run of all warps, and the conditions that make it stand for all orders |
//! | `cover` | sizes whose run is that of a smaller one |
//! | `conform` | the events of a run in the simulator |
//! | `prove` | the answer |
//! | [`asked`] | a launch whose arguments depend on the size, as a caller gives it |
//! | `size` | texts that depend on the size |
//! | [`answer`] | the answer as text and as data |
//! | `record` | the results of runs, to compare those of a changed kernel |
//! | [`removable`] | which instructions about order could go |
//! | `error` | the errors of a question that cannot be asked |

#![forbid(unsafe_code)]

pub mod answer;
pub mod asked;
mod board;
mod conform;
mod cover;
mod error;
mod execute;
mod protocol;
mod prove;
mod record;
mod registers;
pub mod removable;
mod size;
mod slots;
mod trace;
mod value;
mod walk;
mod world;

pub use answer::Answered;
pub use asked::{Asked, Called, question};
pub use error::{Error, ProofRule};
pub use prove::{Answer, Conformance, How, Proof, Question, Sizes, conformance, prove};
pub use removable::{Removals, Text, removable};
pub use size::at;
