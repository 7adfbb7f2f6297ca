//! Rules of the blocks of a cluster, and misuses of their barrier.

use serde::Serialize;
use std::fmt;

crate::isa::rules! {
    "C1", "a block uses shared memory or barriers of another one only after it knows that this one has begun, through a barrier of the cluster or through data that the other one has sent",
        "none: CUDA C++ Programming Guide, Distributed Shared Memory", "`not_begun`";
    "C2", "a block stays as long as another one can reach its shared memory or its barriers",
        "Distributed shared memory", "`exited`, `unfinished`";
    "C3", "between two arrivals at the barrier of the cluster, a thread waits there; a relaxed arrival publishes nothing; all threads of a warp execute the forms with `.aligned` together",
        "barrier.cluster", "`cluster_barrier`, `race`, `divergence`";
    "C9", "an address of shared memory contains the rank of its block; the lowest 1024 bytes of the window are reserved",
        "mapa", "`other_block`, `out_of_bounds`";
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
