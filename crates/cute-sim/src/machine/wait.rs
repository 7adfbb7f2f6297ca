//! The reasons why lanes wait.

use crate::families::mbarrier::barrier::Awaited;

/// The reason why a lane waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    /// At a block barrier that completes with this many threads.
    Barrier { id: u32, threads: u32 },
    /// At a warp barrier of these lanes.
    Warp { mask: u32 },
    /// At an operation of these lanes together.
    Together { mask: u32 },
    /// At an instruction of its warpgroup.
    Group,
    /// At the barrier of the cluster.
    Cluster,
    /// For this number of columns of tensor memory; `peer` is set while the peer has not requested
    /// them.
    Columns { count: u32, peer: Option<u32> },
    /// For a phase of the `mbarrier` at this place in the cluster's shared memory; `timed` waits
    /// have a time limit.
    Phase { barrier: usize, awaited: Awaited, timed: bool },
}
