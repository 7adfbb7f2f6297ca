//! Instructions about launches: `clusterlaunchcontrol`, `griddepcontrol`.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `rules` | what can go wrong |
//! | `control` | requests for clusters that have not begun, and their responses |
//! | `grids` | what a cluster knows of its grid and of other launches |

pub(crate) mod control;
pub(crate) mod grids;
pub mod op;
pub(crate) mod rules;
