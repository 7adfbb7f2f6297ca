//! Assembly of a kernel: a few PTX instructions, read and decoded like operations.
//!
//! | file | subject |
//! |---|---|
//! | `parse` | text to statements |
//! | `operands` | the meaning of `$0` and of the names in the text |
//! | `call` | instructions of the table, with their operands |
//! | `emit`, `wgmma` | statements to instructions |
//!
//! Labels, branches, predicates, and local registers are supported, as in a loop that waits for an
//! `mbarrier`. Anything else that the reader does not support is rejected by name.

mod call;
mod emit;
mod operands;
mod parse;
mod wgmma;
