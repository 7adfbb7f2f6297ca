//! Operations that are done on their own time, beside the threads that ask for them.
//!
//! A thread issues a *request*. Some time between that and where something waits for it the request is done; the schedule
//! of the launch chooses when. That it is done is known through a *completion object*, and in no other way:
//!
//! | object | the request is | whoever waits |
//! |---|---|---|
//! | group of a thread ([`queue`]) | issued, and committed to the group | the same thread, for all but the youngest groups |
//! | group of a warp ([`products`]) | a product of its warpgroup, and committed | the same warp, for all but the youngest groups |
//! | `tcgen05.wait` of a warp ([`tensor`]) | a load or store of tensor memory, issued | the same warp |
//! | `mbarrier` ([`mbarrier`]) | counted in a phase: as an arrival, by its bytes, or by a `tcgen05.commit` behind it | any thread of the block, for the phase |
//!
//! Happens-before comes from barriers, groups, mbarriers, commits and fences only. What a request does before some thread
//! has waited for it is the doing of an *agent* of the completion object, a component of the clocks of its own
//! ([`race`](crate::race)): a barrier of the issuing thread orders none of it.
//!
//! Memory has two observers: the generic proxy (loads, stores, `cp.async`, all that a thread does) and the async proxy (what
//! TMA, `wgmma` and `tcgen05` do). A generic write is ordered with an access of the async proxy only if a
//! `fence.proxy.async` lies on the path between them. The clocks keep that beside what is known: see
//! `Clocks::fence_proxy`.
//!
//! A new kind of request is a variant of [`Work`], what it does when it is done, and the instruction that issues it.

pub(crate) mod bulk;
pub(crate) mod history;
pub(crate) mod maps;
pub(crate) mod mbarrier;
pub(crate) mod products;
pub(crate) mod queue;
pub(crate) mod tensor;
mod transit;
mod waits;

pub(crate) use waits::{settle, time_out};

use crate::exec::fences::Relaxed;
use crate::exec::span::Span;
use crate::exec::tiles::Tiles;
use crate::finding::CopyRole;
use crate::machine::schedule::Schedule;
use bulk::{Issued, Landed, Landing, Outbox};
use maps::MapFences;
use mbarrier::Mbarrier;
use products::ProductQueue;
use queue::Queue;
use std::collections::{BTreeMap, HashMap};
use tensor::{Offer, TensorQueue, TensorWarp};

/// Something that a thread asked for and that is not known to be done.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Request {
    pub(crate) site: u32,
    /// Of the warp that issued it.
    pub(crate) lane: u32,
    /// Requests are numbered in the order of their issue.
    pub(crate) number: u64,
    pub(crate) work: Work,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Work {
    /// `cp.async`.
    Copy(Copy),
    /// Done by an agent, at this time of its own. The thread does not know yet.
    Done { agent: u32, time: u32 },
}

/// A copy of a few bytes from global to shared memory.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Copy {
    pub(crate) to: Span,
    pub(crate) bytes: [u8; 16],
    pub(crate) len: usize,
    /// Where the bytes came from, for as long as they may not be overwritten.
    pub(crate) from: Option<(Span, usize)>,
}

impl Request {
    /// Where it reads or writes, and how many bytes.
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
    /// When the thread last waited for some itself.
    pub(crate) waited: u32,
    /// Where the barrier lies.
    pub(crate) barrier: usize,
}

/// The asynchronous operations of a cluster.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) schedule: Schedule,
    /// What the threads of each warp have issued.
    pub(crate) queues: Vec<Queue>,
    pub(crate) triggers: Vec<Trigger>,
    /// Bulk copies to shared memory.
    pub(crate) landings: Vec<Landing>,
    /// Those from shared memory, by the thread of the cluster.
    pub(crate) outboxes: BTreeMap<u32, Outbox>,
    /// For each barrier the agents of bulk copies that it counts, and whether they are at it.
    pub(crate) landers: HashMap<usize, Vec<(u32, bool)>>,
    /// The last copy of each of those agents.
    pub(crate) landed: BTreeMap<u32, Landed>,
    /// Products of the warpgroups, by the rank of their block and their number in it.
    pub(crate) products: BTreeMap<(u32, u32), ProductQueue>,
    pub(crate) tiles: Tiles,
    /// What threads have asked of the tensor cores, by the thread of the cluster.
    pub(crate) tensor: BTreeMap<u32, TensorQueue>,
    /// Loads and stores of tensor memory, by the first thread of their warp, and whether they are stores.
    pub(crate) tensor_warps: HashMap<(u32, bool), TensorWarp>,
    /// By the words of instruction descriptors.
    pub(crate) tensor_models: tensor::Models,
    /// The last work of an agent at another block than its own: the block's rank, the agent, and what it was.
    pub(crate) reached: HashMap<(u32, u32), Issued>,
    /// Warps that want columns of tensor memory.
    pub(crate) offers: Vec<Offer>,
    /// Columns of tensor memory were given back, or given to both blocks of a pair.
    pub(crate) columns_freed: bool,
    /// There may be products that the schedule is free to do.
    pub(crate) may_multiply: bool,
    /// By where they lie in the cluster's shared memory.
    pub(crate) barriers: BTreeMap<usize, Mbarrier>,
    /// The agent of each barrier for the requests of a block.
    pub(crate) agents: HashMap<(usize, u32), u32>,
    /// For a thread that fenced its initialisations of barriers, the agent that stands for them, and when it last did.
    pub(crate) fenced: HashMap<u32, (u32, u32)>,
    pub(crate) maps: MapFences,
    /// By thread, when it first saw that there was no cluster left to cancel.
    pub(crate) refused: HashMap<u32, u32>,
    pub(crate) relaxed: Relaxed,
    /// Phases that completed, and those whose waiters have been told.
    pub(crate) completed: u64,
    pub(crate) told: u64,
    pub(crate) issued: u64,
}

impl Engine {
    /// For so many warps.
    pub(crate) fn new(schedule: Schedule, warps: u32) -> Self {
        Engine {
            schedule,
            queues: std::iter::repeat_with(Queue::default).take(warps as usize).collect(),
            triggers: Vec::new(),
            landings: Vec::new(),
            outboxes: BTreeMap::new(),
            landers: HashMap::new(),
            landed: BTreeMap::new(),
            products: BTreeMap::new(),
            tiles: Tiles::new(),
            tensor: BTreeMap::new(),
            tensor_warps: HashMap::new(),
            tensor_models: tensor::Models::new(),
            reached: HashMap::new(),
            offers: Vec::new(),
            columns_freed: false,
            may_multiply: false,
            barriers: BTreeMap::new(),
            agents: HashMap::new(),
            fenced: HashMap::new(),
            maps: MapFences::default(),
            refused: HashMap::new(),
            relaxed: Relaxed::default(),
            completed: 0,
            told: 0,
            issued: 0,
        }
    }

    /// May there be something to do that nobody asks for?
    pub(crate) fn has_news(&self) -> bool {
        self.may_multiply
            || self.columns_freed
            || !self.triggers.is_empty()
            || !self.landings.is_empty()
            || self.told != self.completed
    }

    /// A number for a request.
    pub(crate) fn number(&mut self) -> u64 {
        self.issued += 1;
        self.issued
    }
}
