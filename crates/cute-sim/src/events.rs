//! Events of a launch, for an observer: waits, arrivals, copies and MMAs in flight, phases. Without
//! an observer, none is made.
//!
//! A cluster numbers its steps: the instructions of its warps, and the acts of its agents. They
//! give the order in which the simulator did things, which is one order that the hardware allows.
//! They are not time.

use crate::program::Site;
use crate::schedule::Schedule;
use std::fmt;
use std::sync::Arc;

/// Sees the events of launches.
pub trait Observer: Send + Sync {
    /// A launch begins, after those before it have ended.
    fn launch(&self, launch: &Launched<'_>);

    /// A cluster begins. Clusters begin in order, and run at the same time. Returns the recorder of
    /// its events, unless they are not wanted.
    fn cluster(&self, cluster: &Begun<'_>) -> Option<Box<dyn Recorder>>;
}

/// Sees the events of a cluster, in order.
pub trait Recorder {
    /// Something has happened, in a step.
    fn note(&mut self, step: u64, event: &Event);

    /// The cluster has ended after this number of steps; `whole` tells whether all its threads have
    /// returned.
    fn end(self: Box<Self>, steps: u64, whole: bool);
}

/// A launch that begins.
#[derive(Debug, Clone, Copy)]
pub struct Launched<'a> {
    /// The kernel's name.
    pub kernel: &'a str,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// The order of events where the hardware leaves it open.
    pub schedule: Schedule,
}

/// A cluster that begins.
#[derive(Debug)]
pub struct Begun<'a> {
    /// Its number in the grid.
    pub number: u32,
    /// The positions of its blocks in the grid, by rank.
    pub blocks: Vec<[u32; 3]>,
    /// Warps of each block.
    pub warps: u32,
    /// The names and places of instructions, by their number.
    pub sites: &'a [Site],
}

/// A warp of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Actor {
    /// The rank of its block.
    pub rank: u32,
    /// Its number in the block.
    pub warp: u32,
}

/// An instruction that some lanes of a warp execute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Act {
    /// The warp.
    pub by: Actor,
    /// The lanes, one bit each.
    pub lanes: u32,
    /// The number of the instruction.
    pub site: u32,
}

/// An asynchronous operation of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Task {
    /// A bulk copy, or a store to another block, with this number.
    Bulk(u32),
    /// The `cp.async` of a warp, by the number of its first request.
    Async(u64),
    /// The MMA of a warpgroup: the rank of the block, the number of the warpgroup, and that of the
    /// MMA.
    Wgmma(u32, u32, u32),
    /// An operation of the tensor cores on tensor memory.
    Tensor(u32),
}

/// The kind of an asynchronous operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Work {
    /// A bulk copy to shared memory.
    Load,
    /// A bulk copy from shared memory.
    Store,
    /// Values for the shared memory of a block of the cluster.
    Values,
    /// The answer of a request for another cluster.
    Response,
    /// `cp.async`.
    Async,
    /// An MMA.
    Multiply,
    /// A copy from shared to tensor memory.
    ToTensor,
}

/// The data of an asynchronous operation, as far as they are known when it is issued.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subject {
    /// The array in global memory that a bulk copy reads or writes.
    pub array: Option<String>,
    /// The coordinates that an instruction gives for a copy by a tensor map, the contiguous mode
    /// first.
    pub coordinates: Vec<i64>,
    /// The extents of what such a copy takes ([`TensorMap::copied`]).
    ///
    /// [`TensorMap::copied`]: cute_arch::tensor_map::TensorMap::copied
    pub extents: Vec<u32>,
    /// The M, N and K of an MMA.
    pub shape: Option<[u32; 3]>,
    /// The parts of the block's shared memory that it reads or writes, each from its first byte to
    /// the byte after its last: of a copy the tile, of an MMA those of A and B that lie there.
    pub shared: Vec<(u64, u64)>,
}

/// The condition of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Awaits {
    /// The end of a phase of the `mbarrier` with this key.
    Phase {
        /// The key of the barrier.
        barrier: usize,
        /// The phase, counted from 0.
        phase: u64,
    },
    /// A barrier of the block, by its number.
    Barrier(u32),
    /// The barrier of the cluster.
    Cluster,
    /// The other warps of the warpgroup.
    Group,
    /// Columns of tensor memory.
    Columns,
}

/// An event of a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A warp's turn begins.
    Runs {
        /// The warp.
        by: Actor,
        /// The number of its first instruction.
        site: u32,
    },
    /// A warp's turn ends.
    Rests {
        /// The warp.
        by: Actor,
        /// The number of its last instruction.
        site: u32,
    },
    /// Lanes begin to wait.
    Waits {
        /// The instruction.
        act: Act,
        /// The condition.
        on: Awaits,
    },
    /// Lanes continue after a wait.
    GoesOn {
        /// The warp.
        by: Actor,
        /// The lanes, one bit each.
        lanes: u32,
    },
    /// Lanes ask for the end of a phase, which is not complete.
    Asks {
        /// The instruction.
        act: Act,
        /// The condition.
        on: Awaits,
    },
    /// Lanes ask for the end of a phase, which is complete.
    Finds {
        /// The instruction.
        act: Act,
        /// The key of the barrier.
        barrier: usize,
    },
    /// Lanes wait for groups of their own operations, which are complete afterwards.
    Completes {
        /// The instruction.
        act: Act,
    },
    /// An arrival at an `mbarrier`.
    Arrives {
        /// The instruction.
        act: Act,
        /// The key of the barrier.
        barrier: usize,
        /// The kind of the thread's operations after which an agent arrives on its behalf, if it
        /// does not arrive itself.
        after: Option<Work>,
    },
    /// An arrival at a barrier of the block, without a wait.
    ArrivesAtBarrier {
        /// The instruction.
        act: Act,
        /// The number of the barrier.
        id: u32,
    },
    /// Lanes execute a fence, close a group of their operations, or get to a barrier of the block,
    /// of the cluster or of the warpgroup at which they may have to wait.
    Orders {
        /// The instruction.
        act: Act,
    },
    /// An arrival at the barrier of the cluster.
    ArrivesAtCluster {
        /// The instruction.
        act: Act,
    },
    /// An `mbarrier` is initialised.
    Initialises {
        /// The instruction.
        act: Act,
        /// A key for the barrier, until it is invalidated.
        barrier: usize,
        /// The rank of its block.
        rank: u32,
        /// Its place.
        name: String,
        /// Arrivals that a phase needs.
        count: u32,
    },
    /// The bytes that an `mbarrier` expects in this phase, and that have not arrived.
    Pending {
        /// The instruction that changes the number, if it is not a copy that arrives.
        act: Option<Act>,
        /// The key of the barrier.
        barrier: usize,
        /// Bytes; negative if some arrived before they were expected.
        bytes: i64,
    },
    /// A phase of an `mbarrier` ends, because of the event before.
    EndsPhase {
        /// The key of the barrier.
        barrier: usize,
        /// The phase, counted from 0.
        phase: u64,
    },
    /// An `mbarrier` is invalidated.
    Invalidates {
        /// The key of the barrier.
        barrier: usize,
    },
    /// Columns of tensor memory are allocated or freed.
    Columns {
        /// The rank of the block.
        rank: u32,
        /// The number that is allocated from now on.
        allocated: u32,
    },
    /// An asynchronous operation is issued.
    Issues {
        /// The instruction.
        act: Act,
        /// The operation.
        task: Task,
        /// Its kind.
        work: Work,
        /// Requests: more than one for `cp.async`, one of each lane, with consecutive numbers.
        requests: u32,
        /// Bytes that it moves; 0 for an MMA.
        bytes: u64,
        /// The key of the `mbarrier` that counts its bytes.
        barrier: Option<usize>,
        /// Its data.
        subject: Box<Subject>,
    },
    /// An asynchronous operation is complete; for `cp.async`, one of its requests.
    Done {
        /// The operation.
        task: Task,
    },
}

/// An observer, shared by the launches that have it.
#[derive(Clone)]
pub struct Watcher(pub(crate) Arc<dyn Observer>);

impl Watcher {
    /// Lets an observer see launches.
    pub fn new(observer: Arc<dyn Observer>) -> Self {
        Watcher(observer)
    }
}

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
}

impl PartialEq for Watcher {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Watcher {}
