//! Fences: of the async proxy, and those that make relaxed synchronisation pass on what threads know.

use super::alu::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::race::{Clocks, Known, Scope};
use std::collections::HashMap;

/// What fences and relaxed operations of a thread have to do with each other.
#[derive(Debug, Default)]
pub(crate) struct Relaxed {
    /// Of a thread's last fence, its scope and what the thread passed on: a relaxed arrival behind it passes that on.
    fenced: HashMap<u32, (Scope, Known)>,
    /// What relaxed waits of a thread found passed on, within its block and within its cluster: a fence behind them learns it.
    heard: HashMap<u32, [Option<Known>; 2]>,
}

impl Relaxed {
    /// What a relaxed arrival of a thread passes on to threads of its scope, which are no nearer than `distance`.
    pub(crate) fn passes_on(&self, thread: u32, scope: Scope, distance: Scope) -> Option<&Known> {
        let (fence, known) = self.fenced.get(&thread)?;
        (scope.min(*fence) >= distance).then_some(known)
    }

    /// A thread finds by a relaxed wait what was passed on within its block, or only within its cluster.
    pub(crate) fn hear(&mut self, thread: u32, known: &Known, distance: Scope) {
        let heard = &mut self.heard.entry(thread).or_default()[usize::from(distance > Scope::Block)];
        *heard = Some(Clocks::both(heard.as_ref(), known));
    }
}

impl Warp {
    /// `fence.proxy.async`, of shared memory, of global memory, or of both.
    #[cold]
    pub(super) fn fence_proxy(&self, cluster: &mut Cluster<'_>, spaces: (bool, bool), active: u32) {
        let threads: Vec<u32> = lanes_of(active).map(|lane| self.thread(lane)).collect();
        cluster.clocks.fence_proxy(&threads, spaces);
    }

    /// `fence.acq_rel`: the threads learn what relaxed waits before it found, and relaxed arrivals behind it pass on what they know.
    pub(super) fn fence(&self, cluster: &mut Cluster<'_>, scope: Scope, active: u32) {
        if !cluster.machine.relaxes {
            return;
        }
        for thread in lanes_of(active).map(|lane| self.thread(lane)) {
            let heard = cluster.engine.relaxed.heard.remove(&thread).unwrap_or_default();
            for (known, distance) in heard.iter().zip([Scope::Block, Scope::Cluster]) {
                if let Some(known) = known.as_ref().filter(|_| scope >= distance) {
                    cluster.clocks.acquire(thread, known);
                }
            }
            let known = cluster.clocks.release(None, &[thread]);
            cluster.engine.relaxed.fenced.insert(thread, (scope, known));
        }
    }
}
