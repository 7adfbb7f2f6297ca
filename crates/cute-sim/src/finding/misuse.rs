//! Barriers that are used wrongly.

use super::{Party, Triple};
use cute_machine::place::SourcePlace;
use serde::Serialize;
use std::fmt;

/// A misuse of an `mbarrier`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "misuse", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum MbarrierMisuse {
    /// It was not initialised, or it was invalidated.
    #[error("is not initialised: `mbarrier.init` must come first, and then a barrier before its use")]
    Uninitialised,
    /// It is initialised while it is in use.
    #[error(
        "is initialised already, at {location}: `mbarrier.inval` must come before it is initialised again"
    )]
    Again {
        /// The location of the initialisation.
        location: SourcePlace,
    },
    /// A count of arrivals that is out of range.
    #[error("cannot count {count} arrivals: a count is from 1 to 1048575")]
    Count { count: u32 },
    /// More arrivals than the phase expects.
    #[error(
        "gets {count} {} in phase {phase}, but that phase expects {}{}",
        if *count == 1 { "arrival" } else { "arrivals" },
        if *pending == 0 { "no more".to_owned() } else { format!("only {pending} more") },
        after(.last)
    )]
    Arrivals {
        count: u32,
        /// Arrivals that are expected.
        pending: u32,
        /// The phase, counted from 0.
        phase: u64,
        /// The arrival before.
        last: Option<Box<Party>>,
    },
    /// One execution of an instruction arrives more often than a phase expects.
    #[error(
        "gets {count} arrivals from {lanes} lanes of a warp that execute this instruction together, but each of its phases \
         expects {expected}: let one elected thread execute it"
    )]
    Surplus {
        count: u64,
        /// Lanes that arrive.
        lanes: u32,
        /// Arrivals that each phase expects.
        expected: u32,
    },
    /// Chance decides which arrivals end a phase.
    #[error(
        "has phases that too many threads may end: phase {phase} expects {expected} {} and counted that of {}, the next phase \
         counted that of {}, and nothing orders the second after the first: initialise the mbarrier with the number of all \
         threads that arrive in a phase",
        if *expected == 1 { "arrival" } else { "arrivals" },
        named(earlier),
        named(later)
    )]
    Mixed {
        /// The phase that the first arrival helped to end.
        phase: u64,
        /// Arrivals that each phase expects.
        expected: u32,
        /// The arrival in that phase.
        earlier: Box<Party>,
        /// The arrival in the next phase.
        later: Box<Party>,
    },
    /// It is invalidated while others may still use it.
    #[error(
        "is invalidated, but nothing orders that after its use by {}: a barrier of threads must lie between the two",
        named(other)
    )]
    InUse { other: Box<Party> },
    /// The count of bytes leaves its range.
    #[error(
        "cannot have {bytes} bytes pending: the tx-count ranges from -1048575 to 1048575{}",
        if *bytes < 0 { "; more bytes have arrived than were ever expected" } else { "" }
    )]
    Bytes {
        /// Bytes that are expected and have not arrived; negative if more have arrived than are
        /// expected.
        bytes: i64,
    },
    /// The result of the test of its phase is not used.
    #[error(
        "is tested by a `try_wait` whose result is not used: it may return before the phase is complete, so repeat it \
         in a loop until the result is true"
    )]
    Ignored,
    /// An arrival that promises not to complete the phase would.
    #[error("would complete its phase by an arrival with `.noComplete`")]
    Completes,
}

/// A party without its access.
pub(super) fn named(party: &Party) -> String {
    let Party { op, location, block, thread, .. } = party;
    format!("thread {} of block {}, `{op}` ({location})", Triple(thread), Triple(block))
}

fn after(last: &Option<Box<Party>>) -> String {
    last.as_ref().map_or_else(String::new, |last| format!("; the previous arrival is {last}"))
}

/// A misuse of the barrier of the cluster by a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClusterBarrierMisuse {
    /// The thread arrives again before it has waited.
    ArrivesTwice,
    /// The thread waits without having arrived.
    WaitsFirst,
}

impl fmt::Display for ClusterBarrierMisuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClusterBarrierMisuse::ArrivesTwice => {
                "the thread has already arrived at the barrier of the cluster, and has not waited there since"
            }
            ClusterBarrierMisuse::WaitsFirst => {
                "the thread waits at the barrier of the cluster, but has not arrived there since it last waited"
            }
        })
    }
}

/// A fence that is missing between a change of a tensor map and its use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MapFence {
    /// After the change.
    Release,
    /// Before the use.
    Acquire,
}

impl fmt::Display for MapFence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MapFence::Release => {
                "and nothing makes the change visible to the TMA: a thread that has seen the change must execute \
                 `fence.proxy.tensormap::generic.release` or `tensormap.cp_fenceproxy`, and then whoever copies \
                 `fence.proxy.tensormap::generic.acquire`, whose scopes reach each other"
            }
            MapFence::Acquire => {
                "and may not see the change: the copying thread must execute `fence.proxy.tensormap::generic.acquire` for this map, after \
                 the release and with a scope that reaches it"
            }
        })
    }
}

/// A fence that is missing between accesses of tensor memory by different threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TensorFence {
    /// `tcgen05.fence::before_thread_sync`, by the thread of the earlier access.
    Before,
    /// `tcgen05.fence::after_thread_sync`, by the thread of the later access.
    After,
}

impl TensorFence {
    /// Why the relaxed synchronisation of the threads does not order their accesses.
    pub(crate) fn why_unordered(self) -> &'static str {
        match self {
            TensorFence::Before => {
                "relaxed synchronisation orders tensor memory only together with fences: the thread that issued the earlier \
                 access, or waited for it, must execute `tcgen05.fence::before_thread_sync` before it arrives"
            }
            TensorFence::After => {
                "relaxed synchronisation orders tensor memory only together with fences: the thread must execute \
                 `tcgen05.fence::after_thread_sync` between its wait and this access"
            }
        }
    }
}

impl fmt::Display for TensorFence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TensorFence::Before => {
                "PTX requires a `tcgen05.fence::before_thread_sync` between that access and the synchronisation of the threads"
            }
            TensorFence::After => {
                "PTX requires a `tcgen05.fence::after_thread_sync` between the synchronisation of the threads and this access"
            }
        })
    }
}
