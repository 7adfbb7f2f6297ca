//! The other threads with their accesses, the instructions, and the memory that findings quote. The
//! rules of families quote them, too, so they lie below.

mod instruction;
mod party;
mod place;

pub(crate) use instruction::NamedInstruction;
pub(crate) use party::named;
pub use party::{AccessKind, Completion, Party, Queues};
pub(crate) use place::Allocation;
pub use place::{Origin, Place};
