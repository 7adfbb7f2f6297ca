//! The operations that threads have issued to the tensor cores, and the loads and stores of tensor
//! memory by warps.
//!
//! Each thread has a queue: its MMAs and commits are executed in the order of issue, after those
//! operations of other threads that it knows to have been issued before. Loads and stores of a
//! warp are executed at once, but other threads learn of them only from a thread that has waited
//! for them.

use super::model::Tcgen05Mma;
use crate::course::Past;
use crate::race::Known;
use crate::task::Issued;
use crate::tensor::tiles::Tile;
use crate::tensor::tmem::Rect;
use cute_arch::atoms::{BadField, Tcgen05Group, Tcgen05Kind};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

/// Models by the words of their descriptors.
pub(super) type Models = HashMap<ModelKey, Result<Rc<Tcgen05Mma>, BadField>>;

/// The descriptor, kind and blocks of an instruction, and its scale factors along K, if it has
/// some.
pub(super) type ModelKey = (u32, Tcgen05Kind, Tcgen05Group, Option<u32>);

/// Loads, or stores, of tensor memory by a warp.
#[derive(Debug, Default)]
pub(super) struct TensorWarp {
    pub(super) agent: u32,
    /// When the last was issued.
    pub(super) time: u32,
    /// The agent whose acts are those that are over without a wait that others can know of.
    pub(super) over: Option<u32>,
    /// Followed loads whose values nothing has used: time and instruction.
    pub(super) unused: BTreeMap<u32, u32>,
}

/// A warp that waits for columns of tensor memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Offer {
    /// The rank of its block, and whether a warp of the peer must wait for columns too.
    pub(super) rank: u32,
    pub(super) pair: bool,
    pub(super) count: u32,
    pub(super) site: u32,
    /// The first thread of the warp in the cluster, and the warp's number in its block.
    pub(super) thread: u32,
    pub(super) warp: u32,
    /// The first of its columns, and the agent and time of the allocation.
    pub(super) granted: Option<(u32, u32, u32)>,
}

/// The operations that a thread has issued to the tensor cores.
#[derive(Debug)]
pub(super) struct TensorQueue {
    /// The agent of its MMAs, and when it issued the last; likewise of copies.
    pub(super) multiplier: (u32, u32),
    pub(super) copier: (u32, u32),
    pub(super) pending: VecDeque<Asked>,
    /// Agents of other threads, and the time up to which their operations are executed before the
    /// MMAs of this one. A commit covers them too.
    pub(super) followed: HashMap<u32, u32>,
    /// Accumulators of MMAs for which no wait is known.
    pub(super) accumulators: Vec<Accumulated>,
}

/// The accumulator of an MMA.
#[derive(Debug)]
pub(super) struct Accumulated {
    pub(super) site: u32,
    pub(super) time: u32,
    /// Lane and column of its beginning.
    pub(super) at: (u32, u32),
    pub(super) model: Rc<Tcgen05Mma>,
}

#[derive(Debug)]
pub(super) struct Asked {
    pub(super) issued: Issued,
    pub(super) work: TensorWork,
    /// Other threads, and the time up to which their operations are executed before.
    pub(super) after: Vec<(u32, u32)>,
}

#[derive(Debug)]
pub(super) enum TensorWork {
    Multiply(Box<Multiply>),
    /// For each block, its rank and the rows; the destination words, in turn for each copy of a
    /// row.
    Copy {
        blocks: Vec<(u32, Tile)>,
        words: Vec<Vec<usize>>,
    },
    /// The places of barriers in the cluster's shared memory, the knowledge that the thread
    /// publishes, and the time.
    Commit {
        barriers: Vec<usize>,
        known: Known,
        when: u64,
        /// The past of the thread.
        past: Option<Rc<Past>>,
    },
}

/// An MMA, with everything that it reads and writes.
#[derive(Debug)]
pub(super) struct Multiply {
    pub(super) model: Rc<Tcgen05Mma>,
    /// For each block, its rank, A, and its part of B.
    pub(super) blocks: Vec<(u32, TensorMatrix, Tile)>,
    /// The word where D begins.
    pub(super) d: usize,
    pub(super) fresh: bool,
    /// The power of 2 that D is divided by first.
    pub(super) scale: u32,
    /// The words where the scale factors of A and of B begin, if there are some.
    pub(super) scales: Option<[usize; 2]>,
    /// Columns of B that count as zero; empty if there are none.
    pub(super) zeros: Vec<bool>,
    /// Lanes that are not written, 32 in each word.
    pub(super) disabled: Vec<u32>,
}

/// A of an MMA.
#[derive(Debug)]
pub(super) enum TensorMatrix {
    Shared(Tile),
    /// The word where it begins.
    Tensor(usize),
}

impl TensorQueue {
    /// The number of operations to execute so that all MMAs and copies issued up to `time` are, if
    /// there are any.
    pub(super) fn executes(&self, time: u32) -> Option<usize> {
        let is_meant =
            |asked: &Asked| asked.issued.time <= time && !matches!(asked.work, TensorWork::Commit { .. });
        self.pending.iter().rposition(is_meant).map(|last| last + 1)
    }
}

impl Accumulated {
    /// The words of D in a block.
    pub(super) fn rects(&self) -> impl Iterator<Item = Rect> {
        let (lane, column) = self.at;
        self.model.d_rects().iter().map(move |rect| Rect {
            lane: rect.lane + lane,
            column: rect.column + column,
            ..*rect
        })
    }

    /// Whether two MMAs have the same accumulator and shape.
    pub(super) fn is_like(&self, other: &Accumulated) -> bool {
        let of = |own: &Accumulated| {
            let descriptor = own.model.descriptor();
            (own.at, descriptor.shape[0], descriptor.shape[1], descriptor.d, own.model.group())
        };
        of(self) == of(other)
    }

    /// Whether two accumulators overlap without being equal.
    pub(super) fn clashes(&self, other: &Accumulated) -> bool {
        !self.is_like(other) && self.rects().any(|a| other.rects().any(|b| a.meets(b)))
    }
}

/// The operations of a cluster's tensor cores.
#[derive(Debug, Default)]
pub(crate) struct TensorCores {
    /// Operations issued to the tensor cores, by the thread of the cluster.
    pub(super) queues: BTreeMap<u32, TensorQueue>,
    /// Loads and stores of tensor memory, by the first thread of their warp, and whether they are
    /// stores.
    pub(super) warps: HashMap<(u32, bool), TensorWarp>,
    /// Models by the words of instruction descriptors.
    pub(super) models: Models,
    /// The last access of an agent to another block: the block's rank, the agent, and the access.
    pub(super) reached: HashMap<(u32, u32), (Issued, Option<usize>)>,
    /// Warps that wait for columns of tensor memory.
    pub(super) offers: Vec<Offer>,
    /// Columns of tensor memory were freed, or given to both blocks of a pair.
    pub(super) columns_freed: bool,
}

impl TensorCores {
    /// Whether an operation has not been executed.
    pub(crate) fn any_pending(&self) -> bool {
        self.queues.values().any(|queue| !queue.pending.is_empty())
    }

    /// Whether columns were freed for which a warp may wait.
    pub(crate) fn has_freed(&self) -> bool {
        self.columns_freed
    }

    /// Whether columns were freed since the last time.
    pub(crate) fn take_freed(&mut self) -> bool {
        std::mem::take(&mut self.columns_freed)
    }

    /// Warps that wait for columns.
    pub(crate) fn waiting(&self) -> usize {
        self.offers.len()
    }

    /// The last access of each agent to another block: its rank, the agent, the access, and the
    /// barrier, if it is a commit.
    pub(crate) fn reached(&self) -> impl Iterator<Item = (u32, u32, Issued, Option<usize>)> {
        self.reached.iter().map(|((rank, agent), (issued, barrier))| (*rank, *agent, *issued, *barrier))
    }

    /// Whether an agent executes the loads, or the stores, of a warp.
    pub(crate) fn of_warp(&self, agent: u32) -> Option<bool> {
        self.warps.iter().find(|(_, own)| own.agent == agent).map(|((_, stores), _)| *stores)
    }

    /// Whether an agent executes operations that a thread has issued.
    pub(crate) fn have(&self, agent: u32) -> bool {
        self.queues.values().any(|queue| [queue.multiplier.0, queue.copier.0].contains(&agent))
    }
}
