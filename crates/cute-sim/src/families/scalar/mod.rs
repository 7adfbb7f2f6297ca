//! Instructions that compute: arithmetic, comparisons, conversions, moves between registers, and
//! values that the machine gives a thread.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `execute` | the effect of each |
//! | `compute` | those that are functions of a warp's registers |
//! | `alu`, `cast` | arithmetic of 32 lanes; one conversion |
//! | `special` | values that the machine gives a thread |
//! | `coordinates` | coordinates beyond their extents, and accesses through them |

pub(crate) mod alu;
mod cast;
mod compute;
mod coordinates;
pub(crate) mod execute;
pub mod op;
mod special;
