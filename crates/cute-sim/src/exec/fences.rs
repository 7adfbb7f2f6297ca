//! Fences: those of the async proxy, and those that make relaxed synchronisation publish the
//! threads' knowledge.

use super::alu::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::race::{Clocks, Known, Scope};
use std::collections::HashMap;

/// The state that links fences and relaxed operations of a thread.
#[derive(Debug, Default)]
pub(crate) struct Relaxed {
    /// The scope of a thread's last fence, and the knowledge that it published. A relaxed arrival
    /// after it publishes that.
    fenced: HashMap<u32, (Scope, Known)>,
    /// The knowledge that relaxed waits of a thread found, within its block and within its cluster.
    /// A fence after them acquires it.
    heard: HashMap<u32, [Option<Known>; 2]>,
}

impl Relaxed {
    /// The knowledge that a relaxed arrival of a thread publishes to threads in its scope at this
    /// `distance` or further.
    pub(crate) fn passes_on(&self, thread: u32, scope: Scope, distance: Scope) -> Option<&Known> {
        let (fence, known) = self.fenced.get(&thread)?;
        (scope.min(*fence) >= distance).then_some(known)
    }

    /// A thread's relaxed wait finds knowledge that was published within its block, or only within
    /// its cluster.
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

    /// `fence.acq_rel`: the threads acquire what earlier relaxed waits found, and later relaxed
    /// arrivals publish what they know.
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
