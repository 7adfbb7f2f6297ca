//! Accesses of a thread to memory: loads, stores, atomic operations, and the local memory that it
//! allocates.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `execute` | the effect of each |
//! | `atomic` | atomic operations |
//! | `stack` | local memory that a thread allocates |

mod atomic;
mod execute;
pub mod op;
mod stack;
