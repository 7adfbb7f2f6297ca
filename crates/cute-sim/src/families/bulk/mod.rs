//! Bulk copies: data that the TMA moves between global and shared memory, or between the shared
//! memories of a cluster.
//!
//! A copy to shared memory is *landing*, and an `mbarrier` counts it when it arrives
//! ([`landing`](crate::engine::landing)). A copy from shared memory is in the *outbox* of the
//! thread that issued it, in groups: it is read, and then written. The accesses of a copy are
//! recorded in the shadows when it is issued, as those of an agent, so races with it occur under
//! every schedule.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `rules` | what can go wrong |
//! | `rows` | the bytes of a copy, and their places |
//! | `boxes`, `elements` | the rows of a box of a tensor; updates of elements |
//! | `operands` | the operands in registers |
//! | `issue` | the issue of a copy, and the checks that are possible at that time |
//! | `sent` | stores that lanes of a warp issue again |
//! | `bytes` | the move of its bytes |
//! | `outbox`, `groups`, `complete` | copies from shared memory: their groups, and their execution |

mod boxes;
mod bytes;
mod complete;
mod elements;
mod groups;
pub(crate) mod issue;
pub mod op;
mod operands;
pub(crate) mod outbox;
pub(crate) mod rows;
pub(crate) mod rules;
pub(crate) mod sent;
