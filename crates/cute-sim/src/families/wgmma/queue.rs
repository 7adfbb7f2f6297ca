//! The MMAs that warpgroups have issued by `wgmma`.
//!
//! Each warpgroup has a queue: an agent that reads shared memory executes MMAs in the order of
//! issue. Accumulators to which several consecutive MMAs add stay with the queue, and the registers
//! that hold them are marked ([`flight`](crate::registers::flight)). Each warp commits and waits
//! separately; when it has waited for the last MMA of some accumulators, its registers receive its
//! part of them.

use super::model::Wgmma;
use super::tasks::Multiply;
use crate::course::Past;
use crate::registers::unknown::Origin;
use crate::tensor::accumulators::Accumulators;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

/// The accumulators of a warpgroup's MMAs that have been executed.
#[derive(Debug)]
pub(super) struct Accumulator {
    /// The first and the last MMA that adds to them, by their tickets.
    pub(super) first: u32,
    pub(super) last: u32,
    /// The instruction that made them, and its model.
    pub(super) site: u32,
    pub(super) model: &'static Wgmma,
    pub(super) accumulators: Accumulators,
    /// Elements that are undefined, by their place in the matrix.
    pub(super) undefined: HashMap<u32, Origin>,
    /// Warps whose registers have received them.
    pub(super) settled: u32,
}

/// An MMA that has not been executed.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) ticket: u32,
    pub(super) accumulator: u32,
    pub(super) multiply: Multiply,
}

/// The MMAs that a warp has committed.
#[derive(Debug, Clone, Default)]
pub(super) struct Committed {
    /// The last MMA of each group, and when it was issued; oldest first.
    pub(super) groups: VecDeque<(u32, u32)>,
    /// The last MMA for which the warp has waited.
    pub(super) waited: u32,
}

/// Registers of A that an MMA may still read.
#[derive(Debug)]
pub(super) struct Lent {
    pub(super) ticket: u32,
    pub(super) site: u32,
    /// The former contents in each warp, unless it has waited.
    pub(super) words: [Option<Vec<u32>>; 4],
}

/// The queue of a warpgroup.
#[derive(Debug, Default)]
pub(crate) struct WgmmaQueue {
    pub(super) agent: Option<u32>,
    /// MMAs are numbered from 1; when the last was issued.
    pub(super) issued: u32,
    pub(super) time: u32,
    pub(super) pending: VecDeque<Pending>,
    pub(super) accumulators: Vec<Accumulator>,
    pub(super) warps: [Committed; 4],
    /// Fragments of A that may not change.
    pub(super) lent: Vec<Lent>,
    /// From an MMA on, the past of the four warps when they issued it.
    pub(super) pasts: VecDeque<(u32, Rc<Past>)>,
    /// A `wgmma.fence` was executed; and since a warp last waited for accumulators.
    pub(super) is_fenced: bool,
    pub(super) is_fenced_since_wait: bool,
}

/// The number of accumulators of one instruction that are kept after their wait, because local
/// memory may refer to them.
pub(super) const KEPT: usize = 8;

impl WgmmaQueue {
    pub(super) fn accumulator(&mut self, last: u32) -> Option<&mut Accumulator> {
        self.accumulators.iter_mut().find(|own| own.last == last)
    }

    /// New accumulators. Old ones of the same instruction are forgotten.
    pub(super) fn begin(&mut self, accumulator: Accumulator) {
        let is_old = |own: &Accumulator| own.site == accumulator.site && own.settled == 0b1111;
        if self.accumulators.iter().filter(|own| is_old(own)).count() > KEPT {
            let oldest = self.accumulators.iter().position(is_old);
            oldest.map(|i| self.accumulators.remove(i));
        }
        self.accumulators.push(accumulator);
    }
}

/// The queues of a cluster, by the rank of a block and the number of a warpgroup in it, in this
/// order. They are few, and a load of accumulators looks for one in each lane.
#[derive(Debug, Default)]
pub(crate) struct Warpgroups(Vec<((u32, u32), WgmmaQueue)>);

impl Warpgroups {
    pub(super) fn of(&mut self, group: (u32, u32)) -> &mut WgmmaQueue {
        let at = match self.0.binary_search_by_key(&group, |(own, _)| *own) {
            Ok(at) => at,
            Err(at) => {
                self.0.insert(at, (group, WgmmaQueue::default()));
                at
            }
        };
        &mut self.0[at].1
    }

    #[inline]
    pub(super) fn get(&self, group: (u32, u32)) -> Option<&WgmmaQueue> {
        self.0.iter().find(|(own, _)| *own == group).map(|(_, queue)| queue)
    }

    /// Takes a queue out, which [`put`](Self::put) puts in again.
    pub(super) fn take(&mut self, group: (u32, u32)) -> WgmmaQueue {
        std::mem::take(self.of(group))
    }

    pub(super) fn put(&mut self, group: (u32, u32), queue: WgmmaQueue) {
        *self.of(group) = queue;
    }

    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = ((u32, u32), &mut WgmmaQueue)> {
        self.0.iter_mut().map(|(group, queue)| (*group, queue))
    }

    /// Whether an MMA has not been executed.
    pub(crate) fn any_pending(&self) -> bool {
        self.0.iter().any(|(_, queue)| !queue.pending.is_empty())
    }

    /// Whether an agent executes the MMAs of a warpgroup.
    pub(crate) fn have(&self, agent: u32) -> bool {
        self.0.iter().any(|(_, queue)| queue.agent == Some(agent))
    }
}
