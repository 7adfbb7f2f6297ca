//! Misuses of the barrier of a cluster.

use serde::Serialize;
use std::fmt;

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
