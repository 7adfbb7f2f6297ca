//! A loop that a thread has not left.

use cute_machine::place::{SourcePlace, described};
use cute_text::line;
use serde::Serialize;
use std::fmt;

/// A loop, by the branch at its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Iterated {
    /// The branch.
    pub op: String,
    /// The source location of the branch.
    #[serde(flatten, serialize_with = "described")]
    pub location: SourcePlace,
    /// The number of times that threads of the cluster have executed the branch.
    pub times: u64,
}

impl fmt::Display for Iterated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Iterated { op, location, times } = self;
        let location = location.to_string();
        write!(
            f,
            "the thread is in the loop of `{}` ({}), a branch that the threads have executed {times} times",
            line(op),
            line(&location)
        )
    }
}
