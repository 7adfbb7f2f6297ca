//! The effect of each instruction on a warp.
//!
//! | file | subject |
//! |---|---|
//! | `step` | the function for each instruction, or family of instructions |
//! | `meet` | instructions that lanes execute together |
//! | `access` | accesses of memory by any instruction |
//! | `order` | the order that atomic operations make |
//! | `span` | the places that lanes access |
//! | `course` | the order of execution |
//! | `tiles` | tiles in shared memory that MMAs read |
//! | `swizzles` | the swizzles of maps, pointers and descriptors |

mod access;
mod course;
mod meet;
mod order;
pub(crate) mod span;
mod step;
pub(crate) mod swizzles;
pub(crate) mod tiles;
