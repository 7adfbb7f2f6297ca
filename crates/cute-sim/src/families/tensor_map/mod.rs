//! Tensor maps that a kernel changes, and the fences that make changes visible to the TMA.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `rules` | what can go wrong |
//! | `fences` | the fences of a cluster, and the changes that are visible behind them |
//! | `read` | where maps are read |
//! | `act` | the effects of the operations |

pub(crate) mod act;
pub(crate) mod fences;
pub mod op;
pub(crate) mod read;
pub(crate) mod rules;
