//! Threads of a deadlock.

use super::Triple;
use cute_machine::place::SourcePlace;
use serde::Serialize;
use std::fmt;

/// Threads that wait for the same thing at the same instruction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Waiting {
    /// The number of threads.
    pub threads: u32,
    /// Their block, where several blocks are in a cluster.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<[u32; 3]>,
    /// The first of them.
    pub thread: [u32; 3],
    /// The operation's name.
    pub op: String,
    /// The source location.
    pub location: SourcePlace,
    /// The condition of the wait, and what it lacks.
    pub what: String,
    /// The instructions that have arrived there, and those that could have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Waiting { threads, block, thread, op, location, what, details } = self;
        write!(f, "{threads} thread{}", if *threads == 1 { "" } else { "s" })?;
        if let Some(block) = block {
            write!(f, " of block {}", Triple(block))?;
        }
        let (from, verb) = if *threads == 1 { ("", "waits") } else { ("from ", "on wait") };
        let thread = Triple(thread);
        write!(f, " {from}{thread} {verb} at `{op}` ({location}), {what}")?;
        details.iter().try_for_each(|detail| write!(f, "\n    {detail}"))
    }
}
