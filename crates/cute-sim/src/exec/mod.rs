//! The effect of each instruction on a warp.
//!
//! | file | subject |
//! |---|---|
//! | `step` | the function for each instruction, or family of instructions |
//! | `meet` | instructions that lanes execute together |
//! | `access` | accesses of memory by any instruction |
//! | `order` | the order that atomic operations make |
//! | `span` | the places that lanes access |
//! | `issue` | what issues of asynchronous operations have in common |
//! | `course` | the order of execution |
//! | `undefined` | reads of arrays that begin undefined |
//! | `tiles` | tiles in shared memory that MMAs read |
//! | `swizzles` | the swizzles of maps, pointers and descriptors |

mod access;
mod course;
mod issue;
mod meet;
mod order;
pub(crate) mod span;
mod step;
pub(crate) mod swizzles;
pub(crate) mod tiles;
mod undefined;
