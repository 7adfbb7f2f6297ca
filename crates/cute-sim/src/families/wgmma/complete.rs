//! MMAs of warpgroups are executed.

use super::queue::WgmmaQueue;
use crate::events::{Event, Task};
use crate::machine::parts::Parts;
use crate::schedule::Turns;
use crate::tensor::sums;
use crate::tensor::tiles::Tile;

/// Executes some of the pending MMAs.
pub(crate) fn multiply_some(parts: &mut Parts<'_, '_>, turns: &mut Turns) {
    let mut groups = std::mem::take(&mut parts.engine.warpgroups);
    for (group, queue) in groups.all_mut() {
        if let Some(next) = queue.pending.front().map(|next| next.ticket) {
            multiply(parts, queue, group, next + turns.below(3) as u32);
        }
    }
    parts.engine.warpgroups = groups;
    parts.engine.has_multiplied();
}

/// Executes the MMAs of the queue of a warpgroup up to this one.
pub(super) fn multiply(
    parts: &mut Parts<'_, '_>,
    queue: &mut WgmmaQueue,
    (rank, group): (u32, u32),
    upto: u32,
) {
    let Parts { shared, journal, .. } = parts;
    while queue.pending.front().is_some_and(|next| next.ticket <= upto) {
        let Some(next) = queue.pending.pop_front() else { return };
        let (rules, ticket) = (journal.machine().launch.sums, next.ticket);
        let own = queue.accumulators.iter_mut().find(|own| own.first == next.accumulator);
        if let Some(own) = own {
            sums::note(journal.sums(), rules, &next.multiply.model.query());
            let memory = |tile: &Tile| shared.bytes_from(tile.origin);
            next.multiply.multiply(memory, &mut own.accumulators, rules);
        }
        journal.changes(1);
        journal.acts();
        journal.tell(|_| Event::Done { task: Task::Wgmma(rank, group, ticket) });
    }
}
