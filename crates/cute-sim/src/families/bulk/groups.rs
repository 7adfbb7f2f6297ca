//! Groups of bulk copies from shared memory: commits, and waits.

use super::outbox::Outboxes;
use crate::events::Event;
use crate::lanes::lanes_of;
use crate::machine::issuer::Issuer;
use crate::machine::parts::Parts;
use crate::race::Clocks;

/// Each of these threads commits what it has issued.
pub(super) fn commit(outboxes: &mut Outboxes, clocks: &mut Clocks, threads: impl Iterator<Item = u32>) {
    threads.for_each(|thread| outboxes.of(thread, clocks).commit());
}

/// Completes all groups of each lane that waits except the `pending` youngest, or with `read` only
/// their reads. A store that several lanes issued together is executed once, so any of them may
/// wait for it.
pub(super) fn wait(parts: &mut Parts<'_, '_>, issuer: &Issuer, (pending, read): (usize, bool)) {
    let Parts { shared, clocks, engine, journal } = parts;
    let (outboxes, active) = (&mut engine.outboxes, issuer.lanes);
    journal.tell(|_| Event::Completes { act: issuer.act() });
    let together = |lane: &u32| outboxes.get(issuer.thread(*lane)).is_some_and(|o| o.lanes & active != 0);
    let owners = lanes_of(!active).filter(together).fold(active, |lanes, lane| lanes | 1 << lane);
    for lane in lanes_of(owners) {
        let Some(outbox) = outboxes.get_mut(issuer.thread(lane)) else { continue };
        outbox.settle((pending, read), shared, journal);
        for other in lanes_of((outbox.lanes | 1 << lane) & active) {
            outbox.teach(clocks, issuer.thread(other));
        }
    }
}
