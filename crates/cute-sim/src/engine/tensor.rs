//! The operations that threads have issued to the tensor cores, and the loads and stores of tensor
//! memory by warps.
//!
//! Each thread has a queue: its MMAs and commits are executed in the order of issue, after those
//! operations of other threads that it knows to have been issued before. Loads and stores of a
//! warp are executed at once, but other threads learn of them only from a thread that has waited
//! for them.

use crate::course::Past;
use crate::race::Known;
use crate::task::Issued;
use crate::tensor::Tcgen05Mma;
use crate::tensor::tmem::Rect;
use cute_arch::atoms::{BadField, Tcgen05Group, Tcgen05Kind};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;

use super::wgmma::Tile;

/// Models by the words of their descriptors.
pub(crate) type Models = HashMap<ModelKey, Result<Rc<Tcgen05Mma>, BadField>>;

/// The descriptor, kind and blocks of an instruction, and its scale factors along K, if it has
/// some.
pub(crate) type ModelKey = (u32, Tcgen05Kind, Tcgen05Group, Option<u32>);

/// Loads, or stores, of tensor memory by a warp.
#[derive(Debug, Default)]
pub(crate) struct TensorWarp {
    pub(crate) agent: u32,
    /// When the last was issued.
    pub(crate) time: u32,
    /// The agent whose acts are those that are over without a wait that others can know of.
    pub(crate) over: Option<u32>,
    /// Followed loads whose values nothing has used: time and instruction.
    pub(crate) unused: BTreeMap<u32, u32>,
}

/// A warp that waits for columns of tensor memory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offer {
    /// The rank of its block, and whether a warp of the peer must wait for columns too.
    pub(crate) rank: u32,
    pub(crate) pair: bool,
    pub(crate) count: u32,
    pub(crate) site: u32,
    /// The first thread of the warp in the cluster, and the warp's number in its block.
    pub(crate) thread: u32,
    pub(crate) warp: u32,
    /// The first of its columns, and the agent and time of the allocation.
    pub(crate) granted: Option<(u32, u32, u32)>,
}

/// The operations that a thread has issued to the tensor cores.
#[derive(Debug)]
pub(crate) struct TensorQueue {
    /// The agent of its MMAs, and when it issued the last; likewise of copies.
    pub(crate) multiplier: (u32, u32),
    pub(crate) copier: (u32, u32),
    pub(crate) pending: VecDeque<Asked>,
    /// Agents of other threads, and the time up to which their operations are executed before the
    /// MMAs of this one. A commit covers them too.
    pub(crate) followed: HashMap<u32, u32>,
    /// Accumulators of MMAs for which no wait is known.
    pub(crate) accumulators: Vec<Accumulated>,
}

/// The accumulator of an MMA.
#[derive(Debug)]
pub(crate) struct Accumulated {
    pub(crate) site: u32,
    pub(crate) time: u32,
    /// Lane and column of its beginning.
    pub(crate) at: (u32, u32),
    pub(crate) model: Rc<Tcgen05Mma>,
}

#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) issued: Issued,
    pub(crate) work: TensorWork,
    /// Other threads, and the time up to which their operations are executed before.
    pub(crate) after: Vec<(u32, u32)>,
}

#[derive(Debug)]
pub(crate) enum TensorWork {
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
pub(crate) struct Multiply {
    pub(crate) model: Rc<Tcgen05Mma>,
    /// For each block, its rank, A, and its part of B.
    pub(crate) blocks: Vec<(u32, TensorMatrix, Tile)>,
    /// The word where D begins.
    pub(crate) d: usize,
    pub(crate) fresh: bool,
    /// The power of 2 that D is divided by first.
    pub(crate) scale: u32,
    /// The words where the scale factors of A and of B begin, if there are some.
    pub(crate) scales: Option<[usize; 2]>,
    /// Columns of B that count as zero; empty if there are none.
    pub(crate) zeros: Vec<bool>,
    /// Lanes that are not written, 32 in each word.
    pub(crate) disabled: Vec<u32>,
}

/// A of an MMA.
#[derive(Debug)]
pub(crate) enum TensorMatrix {
    Shared(Tile),
    /// The word where it begins.
    Tensor(usize),
}

impl TensorQueue {
    /// The number of operations to execute so that all MMAs and copies issued up to `time` are, if
    /// there are any.
    pub(crate) fn executes(&self, time: u32) -> Option<usize> {
        let is_meant =
            |asked: &Asked| asked.issued.time <= time && !matches!(asked.work, TensorWork::Commit { .. });
        self.pending.iter().rposition(is_meant).map(|last| last + 1)
    }
}

impl Accumulated {
    /// The words of D in a block.
    pub(crate) fn rects(&self) -> impl Iterator<Item = Rect> {
        let (lane, column) = self.at;
        self.model.d_rects().iter().map(move |rect| Rect {
            lane: rect.lane + lane,
            column: rect.column + column,
            ..*rect
        })
    }

    /// Whether two MMAs have the same accumulator and shape.
    pub(crate) fn is_like(&self, other: &Accumulated) -> bool {
        let of = |own: &Accumulated| {
            let descriptor = own.model.descriptor();
            (own.at, descriptor.shape[0], descriptor.shape[1], descriptor.d, own.model.group())
        };
        of(self) == of(other)
    }

    /// Whether two accumulators overlap without being equal.
    pub(crate) fn clashes(&self, other: &Accumulated) -> bool {
        !self.is_like(other) && self.rects().any(|a| other.rects().any(|b| a.meets(b)))
    }
}
