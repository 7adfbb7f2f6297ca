//! `mbarrier`: barriers in shared memory that count arrivals and bytes, phase after phase.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `rules` | what can go wrong |
//! | `barrier` | a barrier |
//! | `history`, `uses`, `waits` | what a barrier knows of arrivals, of its users, and of waits |
//! | `act`, `wait`, `fence` | the effects of the operations |
//! | `complete` | arrivals, bytes, and the ends of phases, whoever causes them |
//! | `checks`, `missed` | checks that hold for every schedule |

mod act;
pub(crate) mod barrier;
pub(crate) mod checks;
mod complete;
mod fence;
pub(crate) mod history;
mod missed;
pub mod op;
pub(crate) mod rules;
pub(crate) mod uses;
mod wait;
pub(crate) mod waits;
