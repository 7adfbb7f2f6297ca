//! Barriers that are used wrongly.

use super::Party;
use serde::Serialize;
use std::fmt;

/// How an `mbarrier` is used wrongly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "misuse", rename_all = "snake_case")]
pub enum MbarrierMisuse {
    /// Nothing has initialised it, or it was invalidated.
    #[error("is not initialised: `mbarrier.init` has to come first, and a barrier between that and its use")]
    Uninitialised,
    /// It is initialised while it is in use.
    #[error(
        "is initialised already, at {location}: `mbarrier.inval` has to come before it is initialised anew"
    )]
    Again {
        /// Where that was.
        location: String,
    },
    /// A count of arrivals that it does not have.
    #[error("cannot count {count} arrivals: a count is from 1 to 1048575")]
    Count {
        /// The count.
        count: u32,
    },
    /// More arrivals than the phase expects.
    #[error(
        "gets {count} more {} in phase {phase}, which expects only {pending} more{}",
        if *count == 1 { "arrival" } else { "arrivals" },
        after(.last)
    )]
    Arrivals {
        /// Arrivals.
        count: u32,
        /// Arrivals that are expected.
        pending: u32,
        /// The phase, counted from 0.
        phase: u64,
        /// The arrival before.
        last: Option<Box<Party>>,
    },
    /// The count of bytes leaves its range.
    #[error(
        "cannot have {bytes} bytes under way: the tx-count is from -1048575 to 1048575{}",
        if *bytes < 0 { "; more bytes have come than were ever expected" } else { "" }
    )]
    Bytes {
        /// Bytes that are expected and have not come; negative if more have come than are expected.
        bytes: i64,
    },
    /// Whether its phase is complete is not looked at.
    #[error(
        "is asked for a phase by a `try_wait` whose answer nobody looks at: it may come before the phase is complete, so ask \
         again in a loop until the answer is true"
    )]
    Ignored,
    /// An arrival that promises not to complete the phase would.
    #[error("would complete its phase by an arrival with `.noComplete`")]
    Completes,
}

fn after(last: &Option<Box<Party>>) -> String {
    last.as_ref().map_or_else(String::new, |last| format!("; before it came {last}"))
}

/// How a thread uses the barrier of its cluster wrongly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClusterBarrierMisuse {
    /// It arrives again before it has waited.
    ArrivesTwice,
    /// It waits and has not arrived.
    WaitsFirst,
}

impl fmt::Display for ClusterBarrierMisuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClusterBarrierMisuse::ArrivesTwice => {
                "the thread has arrived at the barrier of the cluster already, and not waited since"
            }
            ClusterBarrierMisuse::WaitsFirst => {
                "the thread waits at the barrier of the cluster, and has not arrived there since it last waited"
            }
        })
    }
}

/// A fence that is missing between a change of a tensor map and its use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MapFence {
    /// Behind the change.
    Release,
    /// Before the use.
    Acquire,
}

impl fmt::Display for MapFence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MapFence::Release => {
                "and nothing makes the change visible to the TMA: a thread that knows of the change executes \
                 `fence.proxy.tensormap::generic.release` or `tensormap.cp_fenceproxy`, and then whoever copies \
                 `fence.proxy.tensormap::generic.acquire`, whose scopes reach each other"
            }
            MapFence::Acquire => {
                "and may not see the change: whoever copies executes `fence.proxy.tensormap::generic.acquire` for this map, behind \
                 the release and with a scope that reaches it"
            }
        })
    }
}

/// A fence that the instruction set asks for between an access of the generic proxy and one of the async proxy, and that widely
/// used kernels leave out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProxyRule {
    /// Behind what `cp.async` wrote.
    Copy,
    /// Behind a read, before the bytes are written.
    Read,
    /// By the writer, where another thread fenced for it.
    OwnFence,
}

impl fmt::Display for ProxyRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ProxyRule::Copy => {
                "`cp.async` writes through the generic proxy, so a `fence.proxy.async` belongs between its wait and the barrier"
            }
            ProxyRule::Read => {
                "a read through the generic proxy is ordered with a write through the async proxy by a `fence.proxy.async` \
                 between the read and the barrier"
            }
            ProxyRule::OwnFence => {
                "the `fence.proxy.async` belongs into each thread that writes, before the barrier; another thread has executed it"
            }
        })
    }
}
