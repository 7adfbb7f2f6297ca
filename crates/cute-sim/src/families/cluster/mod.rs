//! The blocks of a cluster: their barrier, addresses of each other's shared memory, and values that
//! threads send there.
//!
//! | file | subject |
//! |---|---|
//! | `op` | the operations |
//! | `rules` | what can go wrong |
//! | `rendezvous`, `lanes` | the state of the barrier; the lanes of a warp there |
//! | `act` | arrivals at the barrier, waits, and the ends of these |
//! | `address` | `mapa`, and ranks of blocks |
//! | `send` | `st.async`, `red.async` |

pub(crate) mod act;
mod address;
pub(crate) mod lanes;
pub mod op;
pub(crate) mod rendezvous;
pub(crate) mod rules;
mod send;
