//! Instructions about launches: `clusterlaunchcontrol`, `griddepcontrol`.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `rules` | what can go wrong |
//! | `control` | requests for clusters that have not begun, and their responses |
//! | `dependence` | waits for earlier launches |

mod control;
mod dependence;
pub mod op;
pub(crate) mod rules;
