//! `cp.async`: copies of a few bytes by a thread. The bytes leave global memory when the copy is
//! issued, and arrive in shared memory when the thread waits for the copy's group, or before a
//! barrier receives the arrival that follows it. In between, the destination must not be used:
//! reading or writing it is an error.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `rules` | what can go wrong; copies that are under way, as findings name them |
//! | `queue` | the copies of a warp's threads, in groups; arrivals that follow them |
//! | `issue` | the issue of a copy |
//! | `complete` | waits for groups, and arrivals that follow copies |

pub(crate) mod complete;
pub(crate) mod issue;
pub mod op;
pub(crate) mod queue;
pub(crate) mod rules;
