//! Fences: those of the async proxy, and those that order relaxed operations.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `rules` | what can go wrong |
//! | `act` | the effects of the operations |

pub(crate) mod act;
pub mod op;
pub(crate) mod rules;
