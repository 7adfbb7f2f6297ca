//! Executes the MMAs of warpgroups.

use crate::engine::wgmma::*;
use crate::events::{Event, Task};
use crate::machine::cluster::Cluster;
use crate::program::{GroupMma, Piece, Slot};
use crate::schedule::Turns;
use crate::tensor::sums;

impl Cluster<'_> {
    /// The queue of a block's warpgroup.
    pub(crate) fn wgmma_queue(&mut self, rank: u32, group: u32) -> &mut WgmmaQueue {
        self.engine.wgmma_queues.entry((rank, group)).or_default()
    }

    /// Executes some of the pending MMAs.
    pub(crate) fn multiply_some(&mut self, turns: &mut Turns) {
        let mut queues = std::mem::take(&mut self.engine.wgmma_queues);
        for (group, queue) in &mut queues {
            if let Some(next) = queue.pending.front().map(|next| next.ticket) {
                self.multiply(queue, *group, next + turns.below(3) as u32);
            }
        }
        self.engine.may_multiply = queues.values().any(|queue| !queue.pending.is_empty())
            || self.engine.tensor.values().any(|queue| !queue.pending.is_empty());
        self.engine.wgmma_queues = queues;
    }

    /// Executes the MMAs of the queue of a warpgroup of the block with this rank, up to this one.
    pub(crate) fn multiply(&mut self, queue: &mut WgmmaQueue, (rank, group): (u32, u32), upto: u32) {
        let kernel = self.machine.kernel;
        while queue.pending.front().is_some_and(|next| next.ticket <= upto) {
            let Some(next) = queue.pending.pop_front() else { return };
            let mma = &kernel.group_mmas[next.mma as usize];
            let GroupMma { model, majors, negate, .. } = mma;
            let memory = |tile: &Tile| self.shared.bytes_from(tile.origin);
            let a = match next.a {
                Matrix::Numbers(rows) => rows,
                Matrix::Tile(own) => model.a_of_tile(&own.tile, majors[0], memory(&own), negate[0]),
            };
            let b = model.b_of_tile(&next.b.tile, majors[1], memory(&next.b), negate[1]);
            if let Some(own) = queue.accumulators.iter_mut().find(|own| own.first == next.accumulator) {
                let rules = self.machine.launch.sums;
                sums::note(self.journal.sums(), rules, &model.query());
                model.multiply([&a, &b], (next.fresh, rules), &mut own.accumulators);
            }
            self.journal.changes(1);
            self.journal.acts();
            self.journal.tell(|_| Event::Done { task: Task::Wgmma(rank, group, next.ticket) });
        }
    }
}

impl GroupMma {
    /// The registers of a matrix, the first element that each holds, and how many.
    pub(crate) fn elements(pieces: &[Piece], bits: u32) -> impl Iterator<Item = (Slot, u32, u32)> {
        let mut next = 0;
        pieces.iter().map(move |piece| {
            let first = next;
            next += piece.bits / bits;
            (piece.slot, first, piece.bits / bits)
        })
    }
}
