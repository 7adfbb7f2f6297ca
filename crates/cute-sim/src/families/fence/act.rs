//! The effects of fences.

use super::op::FenceOp;
use crate::events::Event;
use crate::machine::issuer::Issuer;
use crate::machine::parts::Parts;
use crate::race::{Clocks, Fenced, Order, Relaxed, Scope};
use std::cell::OnceCell;
use std::rc::Rc;

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
        let order = (scope, order);
        issuer.threads().for_each(|thread| fence_thread(clocks, &mut engine.relaxed, thread, order));
    }
}

/// `fence.acq_rel` and its like: a thread acquires what earlier relaxed reads and waits found, and
/// later relaxed writes and arrivals publish what it knows.
fn fence_thread(clocks: &mut Clocks, relaxed: &mut Relaxed, thread: u32, (scope, order): (Scope, Order)) {
    let within = ..=scope.index();
    if let Some(heard) = relaxed.heard.get_mut(&thread).filter(|_| order.acquire) {
        for known in &mut heard.at_barriers[within] {
            known.take().iter().for_each(|known| clocks.acquire(thread, known));
        }
        for known in &mut heard.at_locations[within] {
            clocks.acquire_published(thread, &std::mem::take(known));
        }
    }
    if order.release {
        let fence = Fenced(Rc::new((clocks.snapshot(thread), OnceCell::new())));
        let fenced = relaxed.fenced.entry(thread).or_default();
        fenced[within].iter_mut().for_each(|last| *last = Some(fence.clone()));
    }
}
