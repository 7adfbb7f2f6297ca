//! Assembly of a kernel: a few PTX instructions, read and decoded like operations.
//!
//! | file | subject |
//! |---|---|
//! | `parse` | text to statements |
//! | `operands` | what `$0` and the names in the text stand for |
//! | `emit`, `bulk`, `wgmma` | statements to instructions |
//!
//! Labels, branches, predicates, and registers of its own may be there, as in a loop that waits for an `mbarrier`. What the
//! reader does not know is refused by name.

mod bulk;
mod emit;
mod operands;
mod parse;
mod remote;
mod wgmma;
