//! The effect of each instruction on a warp.
//!
//! | file | subject |
//! |---|---|
//! | `step` | the function for each instruction, or family of instructions |
//! | `meet` | instructions that lanes execute together |
//! | `access` | accesses of memory by any instruction |
//! | `order` | the order that atomic operations make |
//! | `span` | the places that lanes access |
//! | `group` | instructions of warpgroups |

mod access;
mod group;
mod meet;
mod order;
pub(crate) mod span;
mod step;
