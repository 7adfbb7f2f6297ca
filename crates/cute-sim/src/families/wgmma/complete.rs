//! MMAs of warpgroups are executed.

use super::queue::WgmmaQueue;
use crate::events::{Event, Task};
use crate::machine::cluster::Cluster;
use crate::schedule::Turns;
use crate::tensor::sums;
use crate::tensor::tiles::Tile;

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
            if let Some(own) = own {
                sums::note(self.journal.sums(), rules, &next.multiply.query());
                let memory = |tile: &Tile| self.shared.bytes_from(tile.origin);
                next.multiply.multiply(memory, &mut own.accumulators, rules);
            }
            self.journal.changes(1);
            self.journal.acts();
            self.journal.tell(|_| Event::Done { task: Task::Wgmma(rank, group, ticket) });
        }
    }
}
