//! Asynchronous operations, which execute independently of the threads that issue them.
//!
//! A thread issues a *request*. The request is executed at some time between its issue and the
//! point where something waits for it; the schedule of the launch chooses when. Only a *completion
//! object* shows that it is complete:
//!
//! | object | the request is | who may wait |
//! |---|---|---|
//! | group of a thread ([`queue`]) | issued, and committed to the group | the same thread, for all but the youngest groups |
//! | group of a warp ([`wgmma`]) | an MMA of its warpgroup, and committed | the same warp, for all but the youngest groups |
//! | `tcgen05.wait` of a warp ([`tensor`]) | a load or store of tensor memory, issued | the same warp |
//! | `mbarrier` ([`mbarrier`](crate::families::mbarrier)) | counted in a phase: as an arrival, by its bytes, or by a later `tcgen05.commit` | any thread of the block, for the phase |
//!
//! Happens-before comes only from barriers, groups, mbarriers, commits and fences. Until some
//! thread has waited for a request, its accesses belong to an *agent* of the completion object,
//! which has its own component in the clocks ([`race`](crate::race)): a barrier of the issuing
//! thread does not order them.
//!
//! Memory has two observers: the generic proxy (loads, stores, `cp.async`, everything that a thread
//! does itself) and the async proxy (the accesses of TMA, `wgmma` and `tcgen05`). A generic write
//! is ordered with an access of the async proxy only if a `fence.proxy.async` lies on the path
//! between them. The clocks track that in addition to happens-before: see `Clocks::fence_proxy`.
//!
//! A new kind of request consists of a variant of [`Work`], its effect on completion, and the
//! instruction that issues it.

pub(crate) mod landing;
pub(crate) mod maps;
pub(crate) mod queue;
pub(crate) mod swizzles;
pub(crate) mod tensor;
pub(crate) mod tiles;
pub(crate) mod wgmma;

use crate::course::{Course, Past};
use crate::families::bulk::outbox::Outboxes;
use crate::families::mbarrier::barrier::Mbarriers;
use crate::finding::CopyRole;
use crate::memory::span::Span;
use crate::race::Relaxed;
use crate::race::TensorOrder;
use crate::schedule::Schedule;
use crate::task::Issued;
use landing::Landings;
use maps::MapFences;
use queue::Queue;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use swizzles::BoxSwizzles;
use tensor::{Offer, TensorQueue, TensorWarp};
use tiles::Tiles;
use wgmma::WgmmaQueue;

/// An operation that a thread issued and that is not known to be complete.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Request {
    pub(crate) site: u32,
    /// The lane of the warp that issued it.
    pub(crate) lane: u32,
    /// Requests are numbered in the order of their issue.
    pub(crate) number: u64,
    pub(crate) work: Work,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Work {
    /// `cp.async`.
    Copy(Copy),
    /// Executed by an agent, at this time of its clock. The thread does not know it yet.
    Done { agent: u32, time: u32 },
}

/// A copy of a few bytes from global to shared memory.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Copy {
    pub(crate) to: Span,
    pub(crate) bytes: [u8; 16],
    pub(crate) len: usize,
    /// The source of the bytes, as long as it must not be overwritten.
    pub(crate) from: Option<(Span, usize)>,
}

impl Request {
    /// The place that it reads or writes, and the number of bytes.
    pub(crate) fn span(&self, role: CopyRole) -> Option<(Span, usize)> {
        match (&self.work, role) {
            (Work::Copy(copy), CopyRole::Source) => copy.from,
            (Work::Copy(copy), CopyRole::Target) => Some((copy.to, copy.len)),
            (Work::Done { .. }, _) => None,
        }
    }
}

/// An arrival at a barrier that follows the requests of a thread: `cp.async.mbarrier.arrive`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Trigger {
    pub(crate) site: u32,
    /// The warp in the cluster, and the lane.
    pub(crate) warp: usize,
    pub(crate) lane: u32,
    /// The requests up to this one.
    pub(crate) upto: u64,
    /// The time of the thread's own last wait.
    pub(crate) waited: u32,
    /// The place of the barrier.
    pub(crate) barrier: usize,
    /// The past of the thread.
    pub(crate) past: Option<Rc<Past>>,
}

/// The asynchronous operations of a cluster.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) schedule: Schedule,
    /// The operations that the threads of each warp have issued.
    pub(crate) queues: Vec<Queue>,
    pub(crate) triggers: Vec<Trigger>,
    /// Operations whose bytes barriers count.
    pub(crate) landings: Landings,
    /// Bulk copies from shared memory.
    pub(crate) outboxes: Outboxes,
    /// MMAs of the warpgroups, by the rank of their block and their number in it.
    pub(crate) wgmma_queues: BTreeMap<(u32, u32), WgmmaQueue>,
    pub(crate) tiles: Tiles,
    /// The swizzles with which copies of boxes fill shared memory.
    pub(crate) box_swizzles: BoxSwizzles,
    /// Operations issued to the tensor cores, by the thread of the cluster.
    pub(crate) tensor: BTreeMap<u32, TensorQueue>,
    /// Loads and stores of tensor memory, by the first thread of their warp, and whether they are
    /// stores.
    pub(crate) tensor_warps: HashMap<(u32, bool), TensorWarp>,
    /// The order of accesses to tensor memory that fences make.
    pub(crate) tensor_order: TensorOrder,
    /// Models by the words of instruction descriptors.
    pub(crate) tensor_models: tensor::Models,
    /// The last access of an agent to another block: the block's rank, the agent, and the access.
    pub(crate) reached: HashMap<(u32, u32), (Issued, Option<usize>)>,
    /// Warps that wait for columns of tensor memory.
    pub(crate) offers: Vec<Offer>,
    /// Columns of tensor memory were freed, or given to both blocks of a pair.
    pub(crate) columns_freed: bool,
    /// Whether there may be MMAs that the schedule is free to execute.
    pub(crate) may_multiply: bool,
    pub(crate) barriers: Mbarriers,
    /// The agent of each barrier for the requests of a block.
    pub(crate) agents: HashMap<(usize, u32), u32>,
    /// For a thread that fenced its initialisations of barriers, the agent for these fences, and
    /// the time of the last one.
    pub(crate) fenced: HashMap<u32, (u32, u32)>,
    pub(crate) maps: MapFences,
    /// By thread, the time at which it first saw that there was no cluster left to cancel.
    pub(crate) refused: HashMap<u32, u32>,
    pub(crate) relaxed: Relaxed,
    /// The order of execution, in a kernel with waits for phases that last.
    pub(crate) course: Option<Box<Course>>,
    /// The number of completed phases, and of those whose waiters have been notified.
    pub(crate) completed: u64,
    pub(crate) told: u64,
    pub(crate) issued: u64,
}

impl Engine {
    /// An engine for this number of warps.
    pub(crate) fn new(schedule: Schedule, warps: u32) -> Self {
        Engine {
            schedule,
            queues: std::iter::repeat_with(Queue::default).take(warps as usize).collect(),
            triggers: Vec::new(),
            landings: Landings::default(),
            outboxes: Outboxes::default(),
            wgmma_queues: BTreeMap::new(),
            tiles: Tiles::new(),
            box_swizzles: BoxSwizzles::default(),
            tensor: BTreeMap::new(),
            tensor_warps: HashMap::new(),
            tensor_order: TensorOrder::default(),
            tensor_models: tensor::Models::new(),
            reached: HashMap::new(),
            offers: Vec::new(),
            columns_freed: false,
            may_multiply: false,
            barriers: Mbarriers::default(),
            agents: HashMap::new(),
            fenced: HashMap::new(),
            maps: MapFences::default(),
            refused: HashMap::new(),
            relaxed: Relaxed::default(),
            course: None,
            completed: 0,
            told: 0,
            issued: 0,
        }
    }

    /// Whether there may be work that no thread waits for.
    pub(crate) fn has_news(&self) -> bool {
        self.may_multiply
            || self.columns_freed
            || !self.triggers.is_empty()
            || self.landings.pending() > 0
            || self.told != self.completed
    }

    /// A number for a request.
    pub(crate) fn number(&mut self) -> u64 {
        self.issued += 1;
        self.issued
    }
}
