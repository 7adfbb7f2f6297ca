//! `wgmma`: MMAs of warpgroups. All four warps issue an MMA together; each commits, waits, and
//! receives its part.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `rules` | what can go wrong |
//! | `model` | the instruction as a function of registers and bytes |
//! | `member` | the place of a warp in its warpgroup |
//! | `queue` | the MMAs of a warpgroup that are under way, and their sums |
//! | `issue` | the issue of an MMA, and the checks that are possible at that time |
//! | `complete`, `tasks` | MMAs are executed; an MMA as a function of bytes |
//! | `wait`, `land` | commits, waits, and sums that reach registers |
//! | `flight`, `course` | registers that are read too early; the order of execution |

pub(crate) mod complete;
mod course;
mod flight;
pub(crate) mod issue;
mod land;
mod member;
pub(crate) mod model;
pub mod op;
pub(crate) mod queue;
pub(crate) mod rules;
mod tasks;
pub(crate) mod wait;
