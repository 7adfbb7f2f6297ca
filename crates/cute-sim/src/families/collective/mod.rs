//! Operations of the lanes of a warp together: shuffles, votes, matches, elections, reductions.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `rules` | what can go wrong |
//! | `run`, `turn` | the values that they get |

pub mod op;
pub(crate) mod rules;
pub(crate) mod run;
mod turn;

pub use turn::movmatrix;
