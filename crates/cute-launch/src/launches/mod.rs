//! Several launches: what a host enqueues in streams, in the order in which it does so.
//!
//! | file | subject |
//! |---|---|
//! | `file` | the operations as a user writes them, in JSON |
//! | `graph` | graphs as operations in streams |
//! | `fields` | the fields of an object of JSON, with their paths |
//! | `sequence` | the operations, bound and checked |
//! | `perform` | operations other than launches |
//! | `plan` | which operations may run beside later ones |
//! | `queue` | the operations around the launches of a run |

mod fields;
mod file;
mod graph;
mod perform;
mod plan;
mod queue;
mod sequence;

pub use file::{CopyRange, HostMemory, LaunchesFile, Operation, PlacedOperation, Requested, Synchronized};
pub(crate) use queue::Queue;
pub(crate) use sequence::Sequence;
