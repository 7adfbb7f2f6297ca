//! Programs of the simulator, assembled from instructions.
//!
//! A reader of some language binds the operands of an instruction to their roles, which gives a
//! [`Call`]. [`Assembler::perform`] appends what it means to a kernel under construction. So an
//! instruction has one meaning, whichever language it was read in:
//!
//! ```text
//! PTX      redux.sync.min.u32 d, a, mask;              --+
//! NVVM     nvvm.redux.sync umin %a, %mask              --+--> Call --> Op::Collective
//! LLVM IR  llvm.nvvm.redux.sync.umin(i32 a, i32 mask)  --+
//! ```
//!
//! | module | subject |
//! |---|---|
//! | [`assembler`] | the kernel under construction: registers, constants, instructions, edges |
//! | [`call`] | an instruction with its operands |
//! | `meaning` | from calls to the machine's instructions, a file for each kind |
//! | [`tensor`] | the rules of `tcgen05` |
//! | [`wmma`] | products of a warp, whose fragments are those of `mma` |
//! | `text` | the statements of PTX |
//! | [`module`] | files of PTX |

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod assembler;
pub mod call;
pub mod matrix;
mod meaning;
pub mod module;
pub mod scope;
pub mod special;
mod text;
pub mod wmma;

pub use assembler::{Assembler, Guard, Held};
pub use call::Call;
pub use meaning::tensor;

use cute_sim::program::Site;
use cute_sim::{Error, Malformed, Unmodelled};
use std::fmt::Display;

/// The error for a part of an instruction without a model.
pub fn unmodelled(at: &Site, rule: Unmodelled, what: impl Display) -> Error {
    Error::Unmodelled { op: at.op.to_string(), location: at.location.clone(), rule, what: what.to_string() }
}

/// The error for an instruction that breaks a rule of its own.
pub fn malformed(at: &Site, rule: Malformed, what: impl Display) -> Error {
    Error::Malformed { op: at.op.to_string(), location: at.location.clone(), rule, what: what.to_string() }
}
