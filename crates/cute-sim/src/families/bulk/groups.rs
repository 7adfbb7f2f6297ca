//! Groups of bulk copies from shared memory: commits, and waits.

use super::outbox::Outboxes;
use crate::events::{Act, Event};
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::race::Clocks;

/// Each of these threads commits what it has issued.
pub(super) fn commit(outboxes: &mut Outboxes, clocks: &mut Clocks, threads: impl Iterator<Item = u32>) {
    threads.for_each(|thread| outboxes.of(thread, clocks).commit());
}

/// Completes all groups of each lane that waits except the `pending` youngest, or with `read` only
/// their reads. A store that several lanes issued together is executed once, so any of them may
/// wait for it. `first` is the first thread of the warp.
pub(super) fn wait(cluster: &mut Cluster<'_>, act: Act, first: u32, (pending, read): (usize, bool)) {
    cluster.journal.tell(|_| Event::Completes { act });
    let active = act.lanes;
    let outboxes = &cluster.engine.outboxes;
    let together = |lane: &u32| outboxes.get(first + lane).is_some_and(|o| o.lanes & active != 0);
    let owners = lanes_of(!active).filter(together).fold(active, |lanes, lane| lanes | 1 << lane);
    for lane in lanes_of(owners) {
        let Some(mut outbox) = cluster.engine.outboxes.take(first + lane) else { continue };
        cluster.settle_outbox(&mut outbox, pending, read);
        for other in lanes_of((outbox.lanes | 1 << lane) & active) {
            outbox.teach(&mut cluster.clocks, first + other);
        }
        cluster.engine.outboxes.put(first + lane, outbox);
    }
}
