//! Operations of the lanes of a warp together: shuffles, votes, matches, elections, reductions.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `act` | the lanes that execute one together |
//! | `run`, `turn` | the values that they get |

mod act;
pub mod op;
mod run;
mod turn;

pub use turn::movmatrix;
