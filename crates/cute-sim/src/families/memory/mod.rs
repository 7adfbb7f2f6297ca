//! Accesses of a thread to memory: loads, stores, atomic operations, and the local memory that it
//! allocates.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `rules` | what can go wrong |
//! | `execute` | the effect of each |
//! | `load`, `store` | loads and stores, lane after lane |
//! | `spans` | the places that the lanes of an access use |
//! | `together`, `own` | those of all lanes at once: in memory that threads share, and in their own |
//! | `atomic` | atomic operations |
//! | `stack` | local memory that a thread allocates |

mod atomic;
pub(crate) mod execute;
mod load;
pub mod op;
mod own;
pub(crate) mod rules;
mod spans;
mod stack;
mod store;
mod together;
