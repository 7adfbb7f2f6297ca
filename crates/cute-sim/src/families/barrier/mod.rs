//! Barriers of a block, which are numbered, and of a warp.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `rules` | what can go wrong |
//! | `arrivals` | the threads that have arrived at the barriers of a block |
//! | `act` | the effects of the operations |
//! | `settle` | the ends of waits |
//! | `verdict` | predicates that the threads of a barrier combine |

pub(crate) mod act;
pub(crate) mod arrivals;
pub mod op;
pub(crate) mod rules;
mod settle;
mod verdict;
