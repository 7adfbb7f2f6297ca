//! The effect of each instruction on a warp.
//!
//! | file | subject |
//! |---|---|
//! | `step` | the function for each instruction, or family of instructions |
//! | `group` | instructions of warpgroups |

mod group;
mod step;
