//! `setmaxnreg`: registers that a block moves from warpgroup to warpgroup.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operation |
//! | `rules` | what can go wrong |
//! | `pool` | the registers of a block |
//! | `change` | its effect on a warpgroup, or on the warps of it that have reached it |

pub(crate) mod change;
pub mod op;
pub(crate) mod pool;
pub(crate) mod rules;
