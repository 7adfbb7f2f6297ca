//! The MMAs that warpgroups have issued by `wgmma`.
//!
//! Each warpgroup has a queue: an agent that reads shared memory executes MMAs in the order of
//! issue. Accumulators to which several consecutive MMAs add stay with the queue, and the registers
//! that hold them are marked (`exec::flight`). Each warp commits and waits separately; when it has
//! waited for the last MMA of some accumulators, its registers receive its part of them.

use crate::course::Past;
use crate::registers::unknown::Origin;
use crate::tensor::accumulators::Accumulators;
use crate::tensor::tile::SmemTile;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

/// The accumulators of a warpgroup's MMAs that have been executed.
#[derive(Debug)]
pub(crate) struct Accumulator {
    /// The first and the last MMA that adds to them, by their tickets.
    pub(crate) first: u32,
    pub(crate) last: u32,
    /// The instruction that made them, among the kernel's MMAs.
    pub(crate) mma: u32,
    pub(crate) accumulators: Accumulators,
    /// Elements that are undefined, by their place in the matrix.
    pub(crate) undefined: HashMap<u32, Origin>,
    /// Warps whose registers have received them.
    pub(crate) settled: u32,
}

/// An MMA that has not been executed.
#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) ticket: u32,
    pub(crate) accumulator: u32,
    pub(crate) mma: u32,
    pub(crate) a: Matrix,
    pub(crate) b: Tile,
    /// Whether it replaces the accumulators instead of adding to them.
    pub(crate) fresh: bool,
}

/// A of an MMA.
#[derive(Debug)]
pub(crate) enum Matrix {
    /// From registers, which must not change.
    Numbers(Vec<f32>),
    Tile(Tile),
}

/// A matrix in the cluster's shared memory; where its runs count from.
#[derive(Debug)]
pub(crate) struct Tile {
    pub(crate) tile: Rc<SmemTile>,
    pub(crate) origin: usize,
}

/// The MMAs that a warp has committed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Committed {
    /// The last MMA of each group, and when it was issued; oldest first.
    pub(crate) groups: VecDeque<(u32, u32)>,
    /// The last MMA for which the warp has waited.
    pub(crate) waited: u32,
}

/// Registers of A that an MMA may still read.
#[derive(Debug)]
pub(crate) struct Lent {
    pub(crate) ticket: u32,
    /// The instruction, and its MMA.
    pub(crate) site: u32,
    pub(crate) mma: u32,
    /// The former contents in each warp, unless it has waited.
    pub(crate) words: [Option<Vec<u32>>; 4],
}

/// The queue of a warpgroup.
#[derive(Debug, Default)]
pub(crate) struct WgmmaQueue {
    pub(crate) agent: Option<u32>,
    /// MMAs are numbered from 1; when the last was issued.
    pub(crate) issued: u32,
    pub(crate) time: u32,
    pub(crate) pending: VecDeque<Pending>,
    pub(crate) accumulators: Vec<Accumulator>,
    pub(crate) warps: [Committed; 4],
    /// Fragments of A that may not change.
    pub(crate) lent: Vec<Lent>,
    /// From an MMA on, the past of the four warps when they issued it.
    pub(crate) pasts: VecDeque<(u32, Rc<Past>)>,
    /// A `wgmma.fence` was executed; and since a warp last waited for accumulators.
    pub(crate) is_fenced: bool,
    pub(crate) is_fenced_since_wait: bool,
}

/// The number of accumulators of one instruction that are kept after their wait, because local
/// memory may refer to them.
pub(crate) const KEPT: usize = 8;

impl WgmmaQueue {
    pub(crate) fn accumulator(&mut self, last: u32) -> Option<&mut Accumulator> {
        self.accumulators.iter_mut().find(|own| own.last == last)
    }

    /// New accumulators. Old ones of the same instruction are forgotten.
    pub(crate) fn begin(&mut self, accumulator: Accumulator) {
        let is_old = |own: &Accumulator| own.mma == accumulator.mma && own.settled == 0b1111;
        if self.accumulators.iter().filter(|own| is_old(own)).count() > KEPT {
            let oldest = self.accumulators.iter().position(is_old);
            oldest.map(|i| self.accumulators.remove(i));
        }
        self.accumulators.push(accumulator);
    }
}
