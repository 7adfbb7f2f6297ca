//! Fences: those of the async proxy, those that order relaxed operations, and the waits for earlier
//! launches.

use super::alu::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::race::Fenced;
use crate::race::{Order, Scope};
use std::cell::OnceCell;
use std::rc::Rc;

impl Warp {
    /// `griddepcontrol`: the threads wait for earlier launches, or let later ones begin.
    #[cold]
    pub(super) fn depend_on_grids(&self, cluster: &mut Cluster<'_>, waits: bool, active: u32) {
        let rank = self.block.rank as usize;
        for thread in lanes_of(active).map(|lane| self.thread(lane)) {
            if waits {
                cluster.clocks.wait_for_launches(thread);
                cluster.dependence[rank].waits = true;
            } else if !cluster.clocks.knows_launch(thread, true) {
                cluster.dependence[rank].lets_begin = true;
            }
        }
    }

    /// `fence.proxy.async`, of shared memory, of global memory, or of both.
    #[cold]
    pub(super) fn fence_proxy(&self, cluster: &mut Cluster<'_>, spaces: (bool, bool), active: u32) {
        let threads: Vec<u32> = lanes_of(active).map(|lane| self.thread(lane)).collect();
        cluster.clocks.fence_proxy(&threads, spaces);
    }

    /// `fence.acq_rel` and its like: the threads acquire what earlier relaxed reads and waits
    /// found, and later relaxed writes and arrivals publish what they know.
    pub(super) fn fence(&self, cluster: &mut Cluster<'_>, scope: Scope, order: Order, active: u32) {
        if !cluster.machine.relaxes {
            return;
        }
        let within = ..=scope.index();
        for thread in lanes_of(active).map(|lane| self.thread(lane)) {
            let Cluster { clocks, engine, .. } = &mut *cluster;
            if let Some(heard) = engine.relaxed.heard.get_mut(&thread).filter(|_| order.acquire) {
                for known in &mut heard.at_barriers[within] {
                    known.take().iter().for_each(|known| clocks.acquire(thread, known));
                }
                for known in &mut heard.at_locations[within] {
                    clocks.acquire_published(thread, &std::mem::take(known));
                }
            }
            if order.release {
                let fence = Fenced(Rc::new((clocks.snapshot(thread), OnceCell::new())));
                let fenced = engine.relaxed.fenced.entry(thread).or_default();
                fenced[within].iter_mut().for_each(|last| *last = Some(fence.clone()));
            }
        }
    }
}
