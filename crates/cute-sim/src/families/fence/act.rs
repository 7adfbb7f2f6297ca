//! The effects of fences.

use super::op::FenceOp;
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::race::{Clocks, Fenced, Order, Relaxed, Scope};
use std::cell::OnceCell;
use std::rc::Rc;

impl Warp {
    pub(crate) fn execute_fence(&self, cluster: &mut Cluster<'_>, op: FenceOp, active: u32) {
        self.tells_order(cluster, active);
        match op {
            FenceOp::Memory { scope, order } => self.fence(cluster, scope, order, active),
            FenceOp::Proxy { shared, global } => self.fence_proxy(cluster, (shared, global), active),
        }
    }

    #[cold]
    fn fence_proxy(&self, cluster: &mut Cluster<'_>, spaces: (bool, bool), active: u32) {
        let threads: Vec<u32> = lanes_of(active).map(|lane| self.thread(lane)).collect();
        cluster.clocks.fence_proxy(&threads, spaces);
    }

    /// A fence of the generic proxy, which another operation may contain.
    pub(crate) fn fence(&self, cluster: &mut Cluster<'_>, scope: Scope, order: Order, active: u32) {
        if cluster.machine.relaxes {
            let Cluster { clocks, engine, .. } = cluster;
            let threads = lanes_of(active).map(|lane| self.thread(lane));
            threads.for_each(|thread| fence(clocks, &mut engine.relaxed, thread, (scope, order)));
        }
    }
}

/// `fence.acq_rel` and its like: a thread acquires what earlier relaxed reads and waits found, and
/// later relaxed writes and arrivals publish what it knows.
fn fence(clocks: &mut Clocks, relaxed: &mut Relaxed, thread: u32, (scope, order): (Scope, Order)) {
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
