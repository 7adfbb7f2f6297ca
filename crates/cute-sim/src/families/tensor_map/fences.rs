//! Tensor maps that a kernel changes: the fences that make changes visible to the TMA.
//!
//! A change is an access of the generic proxy, and the TMA reads maps through a separate proxy. So
//! after the change, a thread that has seen it must release it, and after that, a thread that has
//! seen the release must acquire the map. Copies by threads that have seen the acquire use the map
//! as it is then. Both the release and the acquire are acts of an agent, so that the knowledge of
//! them follows from barriers like all other knowledge.

use super::rules::MapFence;
use crate::race::{Clocks, Known, Record, Scope, View};
use std::collections::HashMap;

/// Releases, and acquires of a map, that are kept; older ones are forgotten.
const MOST: usize = 256;

#[derive(Debug, Default)]
pub(crate) struct MapFences {
    released: Vec<Fence>,
    acquired: Vec<(Map, Fence)>,
    /// The agent for the fences of each thread.
    agents: HashMap<u32, u32>,
}

/// A buffer of global memory, and where in it a map begins.
pub(super) type Map = (u32, usize);

/// A fence, and the changes that are visible after it.
#[derive(Debug)]
struct Fence {
    agent: u32,
    time: u32,
    /// The number of its block, and its scope.
    block: u32,
    scope: Scope,
    visible: Known,
}

impl Fence {
    /// Whether this fence and one of a thread of `block` with `scope` reach each other.
    fn meets(&self, block: u32, scope: Scope) -> bool {
        let narrow = self.scope.min(scope);
        if self.block == block { narrow >= Scope::Block } else { narrow >= Scope::Cluster }
    }
}

impl MapFences {
    /// Releases, in a thread of a block, all changes that `knower` has seen: the thread itself, or
    /// the lane that wrote a map for all lanes of its warp.
    pub(super) fn release(
        &mut self,
        clocks: &mut Clocks,
        (thread, knower): (u32, u32),
        block: u32,
        scope: Scope,
    ) {
        let visible = clocks.snapshot(knower);
        let fence = self.fence(clocks, thread, block, scope, visible);
        self.released.drain(..self.released.len().saturating_sub(MOST - 1));
        self.released.push(fence);
    }

    /// A thread of a block acquires a map.
    pub(super) fn acquire(&mut self, clocks: &mut Clocks, thread: u32, block: u32, map: Map, scope: Scope) {
        let met = |fence: &&Fence| fence.meets(block, scope) && clocks.knows(thread, fence.agent, fence.time);
        let visible = self.released.iter().filter(met);
        let visible =
            visible.fold(None, |all: Option<Known>, f| Some(Clocks::both(all.as_ref(), &f.visible)));
        let fence = self.fence(clocks, thread, block, scope, visible.unwrap_or_default());
        if self.acquired.iter().filter(|(own, _)| *own == map).count() >= MOST
            && let Some(first) = self.acquired.iter().position(|(own, _)| *own == map)
        {
            self.acquired.remove(first);
        }
        self.acquired.push((map, fence));
    }

    fn fence(&mut self, clocks: &mut Clocks, thread: u32, block: u32, scope: Scope, visible: Known) -> Fence {
        let agent = *self.agents.entry(thread).or_insert_with(|| clocks.agent());
        let time = clocks.act();
        clocks.learn(thread, agent, time);
        Fence { agent, time, block, scope, visible }
    }

    /// The fence that is missing between a change and a copy by a thread of this view that uses the
    /// map; the change itself is ordered with the copy.
    pub(super) fn gap(&self, clocks: &Clocks, view: &View, map: Map, change: &Record) -> Option<MapFence> {
        let known = |fence: &&Fence| view.knows(fence.agent, fence.time);
        let acquired = self.acquired.iter().filter(|(own, _)| *own == map).map(|(_, fence)| fence);
        let mut acquired = acquired.filter(known);
        let Some(first) = clocks.first_of(change.made_by()) else {
            // Releases by other clusters are not recorded.
            return if acquired.next().is_some() { None } else { Some(MapFence::Acquire) };
        };
        let sees = |fence: &Fence| {
            let has = |thread| fence.visible.get(thread as usize).is_some_and(|time| change.time <= *time);
            change.threads().all(|thread| has(first + thread))
        };
        if acquired.any(sees) {
            return None;
        }
        let is_released = self.released.iter().any(sees);
        Some(if is_released { MapFence::Acquire } else { MapFence::Release })
    }
}
