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
    /// The warps of these threads.
    pub warps: Vec<WaitingWarp>,
    /// The condition as numbers, where it has some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<Box<BarrierState>>,
}

/// Lanes of a warp that wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct WaitingWarp {
    /// The block's position in the grid.
    pub block: [u32; 3],
    /// The number of the warp in its block.
    pub warp: u32,
    /// The lanes, one bit each.
    pub lanes: u32,
}

/// The state of the barrier that threads of a deadlock wait for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BarrierState {
    /// Its name.
    pub barrier: String,
    /// The phase that is not complete, counted from 0; barriers of a block have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<u64>,
    /// Threads or arrivals that have come, and those that it needs.
    pub arrived: u32,
    /// Arrivals that it needs.
    pub expected: u32,
    /// Bytes that have not arrived, of those that were expected in this phase; negative if some
    /// have arrived that were not expected.
    #[serde(skip_serializing_if = "is_zero")]
    pub pending_bytes: i64,
    /// Bytes that were expected in this phase.
    #[serde(skip_serializing_if = "is_zero")]
    pub expected_bytes: i64,
}

fn is_zero(number: &i64) -> bool {
    *number == 0
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Waiting { threads, block, thread, op, location, what, details, .. } = self;
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
