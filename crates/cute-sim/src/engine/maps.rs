//! Tensor maps that a kernel changes: who made changes visible to the TMA, and who looked for them.
//!
//! A change is an access of the generic proxy, and the TMA reads maps through a proxy of their own. So behind the change comes a
//! release by a thread that knows of it, and behind that an acquire of the map by a thread that knows of the release; copies by
//! those that know of the acquire use the map as it is then. Each of the two is something that an agent does, so that who knows of
//! it follows from barriers like all else.

use crate::machine::cluster::Cluster;
use crate::race::{Clocks, Known, Record, Scope, View};
use std::collections::HashMap;

/// Releases, and acquires of a map, that are kept; older ones are forgotten.
const MOST: usize = 256;

#[derive(Debug, Default)]
pub(crate) struct MapFences {
    released: Vec<Fence>,
    acquired: Vec<(Map, Fence)>,
    /// What stands for the fences of each thread.
    agents: HashMap<u32, u32>,
}

/// A buffer of global memory, and where in it a map begins.
pub(crate) type Map = (u32, usize);

/// A fence, and what is visible behind it.
#[derive(Debug)]
struct Fence {
    agent: u32,
    time: u32,
    /// The number of its block, and whom it reaches.
    block: u32,
    scope: Scope,
    visible: Known,
}

/// What is missing between a change of a map and its use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MapGap {
    Release,
    Acquire,
}

impl Fence {
    /// Do this fence and one of a thread of `block` with `scope` reach each other?
    fn meets(&self, block: u32, scope: Scope) -> bool {
        let narrow = self.scope.min(scope);
        if self.block == block { narrow >= Scope::Block } else { narrow >= Scope::Cluster }
    }
}

impl Cluster<'_> {
    /// A thread of the block that runs releases all changes that `knower` knows of: the thread itself, or the lane that wrote a map
    /// for all lanes of its warp.
    pub(crate) fn release_maps(&mut self, thread: u32, knower: u32, scope: Scope) {
        let visible = self.clocks.snapshot(knower);
        let fence = self.map_fence(thread, scope, visible);
        let released = &mut self.engine.maps.released;
        released.drain(..released.len().saturating_sub(MOST - 1));
        released.push(fence);
    }

    /// A thread of the block that runs acquires a map.
    pub(crate) fn acquire_map(&mut self, thread: u32, map: Map, scope: Scope) {
        let block = self.block.number;
        let met =
            |fence: &&Fence| fence.meets(block, scope) && self.clocks.knows(thread, fence.agent, fence.time);
        let visible = self.engine.maps.released.iter().filter(met);
        let visible =
            visible.fold(None, |all: Option<Known>, f| Some(Clocks::both(all.as_ref(), &f.visible)));
        let fence = self.map_fence(thread, scope, visible.unwrap_or_default());
        let acquired = &mut self.engine.maps.acquired;
        if acquired.iter().filter(|(own, _)| *own == map).count() >= MOST
            && let Some(first) = acquired.iter().position(|(own, _)| *own == map)
        {
            acquired.remove(first);
        }
        acquired.push((map, fence));
    }

    fn map_fence(&mut self, thread: u32, scope: Scope, visible: Known) -> Fence {
        let agent = *self.engine.maps.agents.entry(thread).or_insert_with(|| self.clocks.agent());
        let time = self.clocks.act();
        self.clocks.learn(thread, agent, time);
        Fence { agent, time, block: self.block.number, scope, visible }
    }

    /// What is missing between a change and a copy by a thread of this view that uses the map; the change is ordered with it.
    pub(crate) fn map_gap(&self, view: &View, map: Map, change: &Record) -> Option<MapGap> {
        let known = |fence: &&Fence| view.knows(fence.agent, fence.time);
        let acquired =
            self.engine.maps.acquired.iter().filter(|(own, _)| *own == map).map(|(_, fence)| fence);
        let mut acquired = acquired.filter(known);
        let Some(first) = self.clocks.first_of(change.made_by()) else {
            // What another cluster has released is not kept.
            return if acquired.next().is_some() { None } else { Some(MapGap::Acquire) };
        };
        let sees = |fence: &Fence| {
            let has = |thread| fence.visible.get(thread as usize).is_some_and(|time| change.time <= *time);
            change.threads().all(|thread| has(first + thread))
        };
        if acquired.any(sees) {
            return None;
        }
        let is_released = self.engine.maps.released.iter().any(sees);
        Some(if is_released { MapGap::Acquire } else { MapGap::Release })
    }
}
