//! The course of a thread: jumps, branches, calls, returns and traps.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `flow` | the effect of each, and the edges that lanes take |
//! | `call` | calls of device functions |

mod call;
pub(crate) mod flow;
pub mod op;
