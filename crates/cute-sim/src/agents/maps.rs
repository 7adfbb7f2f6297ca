//! Keeps the tensor maps that kernels change.

use crate::engine::maps::*;
use crate::machine::cluster::Cluster;
use crate::race::{Clocks, Known, Record, Scope, View};

impl Cluster<'_> {
    /// Releases, in a thread of the running block, all changes that `knower` has seen: the thread
    /// itself, or the lane that wrote a map for all lanes of its warp.
    pub(crate) fn release_maps(&mut self, thread: u32, knower: u32, scope: Scope) {
        let visible = self.clocks.snapshot(knower);
        let fence = self.map_fence(thread, scope, visible);
        let released = &mut self.engine.maps.released;
        released.drain(..released.len().saturating_sub(MOST - 1));
        released.push(fence);
    }

    /// A thread of the block that runs acquires a map.
    pub(crate) fn acquire_map(&mut self, thread: u32, map: Map, scope: Scope) {
        let block = self.scene().block().number;
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
        Fence { agent, time, block: self.scene().block().number, scope, visible }
    }

    /// The missing step between a change and a copy by a thread of this view that uses the map; the
    /// change itself is ordered with the copy.
    pub(crate) fn map_gap(&self, view: &View, map: Map, change: &Record) -> Option<MapGap> {
        let known = |fence: &&Fence| view.knows(fence.agent, fence.time);
        let acquired =
            self.engine.maps.acquired.iter().filter(|(own, _)| *own == map).map(|(_, fence)| fence);
        let mut acquired = acquired.filter(known);
        let Some(first) = self.clocks.first_of(change.made_by()) else {
            // Releases by other clusters are not recorded.
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
