//! `mbarrier`: barriers in shared memory that count arrivals and bytes, phase after phase.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `rules` | what can go wrong |
//! | `barrier` | a barrier |
//! | `history`, `uses`, `waits` | what a barrier knows of arrivals, of its users, and of waits |
//! | `lanes` | the lanes of a warp: what they do after the effect |
//! | `at` | the lanes of an instruction at their barriers |
//! | `act`, `wait` | the effects of the operations |
//! | `complete` | arrivals, bytes, and the ends of phases, whoever causes them |
//! | `misused` | findings about barriers |
//! | `checks`, `missed` | checks that hold for every schedule |

pub(crate) mod act;
pub(crate) mod at;
pub(crate) mod barrier;
pub(crate) mod checks;
pub(crate) mod complete;
pub(crate) mod history;
pub(crate) mod lanes;
mod missed;
pub(crate) mod misused;
pub mod op;
pub(crate) mod rules;
pub(crate) mod uses;
pub(crate) mod wait;
pub(crate) mod waits;
