//! MMAs of warpgroups are executed.

use super::queue::{Accumulator, Matrix, Pending, WgmmaQueue};
use crate::events::{Event, Task};
use crate::machine::cluster::Cluster;
use crate::machine::shared::SharedMemory;
use crate::schedule::Turns;
use crate::tensor::sums::{self, Sums};
use crate::tensor::tiles::Tile;

impl Pending {
    /// Executes the MMA: reads its matrices, and adds their product to the accumulators.
    fn multiply(self, shared: &SharedMemory, own: Option<&mut Accumulator>, rules: Sums) {
        let Pending { model, majors, negate, .. } = self;
        let memory = |tile: &Tile| shared.bytes_from(tile.origin);
        let a = match self.a {
            Matrix::Numbers(rows) => rows,
            Matrix::Tile(own) => model.a_of_tile(&own.tile, majors[0], memory(&own), negate[0]),
        };
        let b = model.b_of_tile(&self.b.tile, majors[1], memory(&self.b), negate[1]);
        if let Some(own) = own {
            model.multiply([&a, &b], (self.fresh, rules), &mut own.accumulators);
        }
    }
}

impl Cluster<'_> {
    /// Executes some of the pending MMAs.
    pub(crate) fn multiply_some(&mut self, turns: &mut Turns) {
        let mut groups = std::mem::take(&mut self.engine.warpgroups);
        for (group, queue) in groups.all_mut() {
            if let Some(next) = queue.pending.front().map(|next| next.ticket) {
                self.multiply(queue, group, next + turns.below(3) as u32);
            }
        }
        self.engine.may_multiply = groups.any_pending() || self.engine.cores.any_pending();
        self.engine.warpgroups = groups;
    }

    /// Executes the MMAs of the queue of a warpgroup up to this one.
    pub(super) fn multiply(&mut self, queue: &mut WgmmaQueue, (rank, group): (u32, u32), upto: u32) {
        while queue.pending.front().is_some_and(|next| next.ticket <= upto) {
            let Some(next) = queue.pending.pop_front() else { return };
            let (rules, ticket) = (self.machine.launch.sums, next.ticket);
            let own = queue.accumulators.iter_mut().find(|own| own.first == next.accumulator);
            if own.is_some() {
                sums::note(self.journal.sums(), rules, &next.model.query());
            }
            next.multiply(&self.shared, own, rules);
            self.journal.changes(1);
            self.journal.acts();
            self.journal.tell(|_| Event::Done { task: Task::Wgmma(rank, group, ticket) });
        }
    }
}
