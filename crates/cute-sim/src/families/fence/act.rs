//! The effects of fences.

use super::op::FenceOp;
use crate::events::Event;
use crate::machine::issuer::Issuer;
use crate::machine::parts::Parts;
use crate::race::{Clocks, Order, Scope};

/// Executes a fence.
pub(crate) fn execute(parts: &mut Parts<'_, '_>, issuer: &Issuer, op: FenceOp) {
    parts.journal.tell(|_| Event::Orders { act: issuer.act() });
    match op {
        FenceOp::Memory { scope, order } => fence(parts, issuer, scope, order),
        FenceOp::Proxy { shared, global } => fence_proxy(parts.clocks, issuer, (shared, global)),
    }
}

#[cold]
fn fence_proxy(clocks: &mut Clocks, issuer: &Issuer, spaces: (bool, bool)) {
    let threads: Vec<u32> = issuer.threads().collect();
    clocks.fence_proxy(&threads, spaces);
}

/// A fence of the generic proxy, which another operation may contain.
pub(crate) fn fence(parts: &mut Parts<'_, '_>, issuer: &Issuer, scope: Scope, order: Order) {
    if parts.machine().relaxes {
        let Parts { clocks, engine, .. } = parts;
        issuer.threads().for_each(|thread| engine.relaxed.fence(clocks, thread, scope, order));
    }
}
