//! The lanes of a warp that execute an instruction, as data: who issues an operation, and where.

use super::WARP;
use super::scene::Scene;
use crate::block::BlockId;
use crate::events::{Act, Actor};
use crate::finding::AccessKind;
use crate::lanes::lanes_of;
use crate::memory::address::SHARED;
use crate::program::Op;
use crate::race::{Acting, Clocks, Needs, Reach, View, Who};
use crate::task::Issued;

/// The warp makes it for the instruction that runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Issuer {
    /// The instruction.
    pub(crate) site: u32,
    /// The lanes that execute it.
    pub(crate) lanes: u32,
    /// The lanes of the warp that are threads.
    pub(crate) exists: u32,
    /// The number in the cluster of the warp's first thread.
    pub(crate) first: u32,
    pub(crate) block: BlockId,
    /// The number of the warp in its block.
    pub(crate) warp: u32,
    /// Instructions that the warp has executed.
    pub(crate) executed: u64,
}

impl Issuer {
    /// The number in the cluster of a lane's thread.
    #[inline]
    pub(crate) fn thread(&self, lane: u32) -> u32 {
        self.first + lane
    }

    /// The threads of the lanes.
    pub(crate) fn threads(&self) -> impl Iterator<Item = u32> + use<> {
        let first = self.first;
        lanes_of(self.lanes).map(move |lane| first + lane)
    }

    /// The number of the warp in the cluster.
    pub(crate) fn warp_of_cluster(&self) -> u32 {
        self.first / WARP
    }

    /// Some of the lanes.
    pub(crate) fn only(self, lanes: u32) -> Self {
        Issuer { lanes, ..self }
    }

    pub(crate) fn actor(&self) -> Actor {
        Actor { rank: self.block.rank, warp: self.warp }
    }

    /// The instruction as events name it.
    pub(crate) fn act(&self) -> Act {
        Act { by: self.actor(), lanes: self.lanes, site: self.site }
    }

    /// The warp in the form that the race detector uses.
    #[inline]
    pub(crate) fn who(&self, scene: &Scene<'_>, space: u32, kind: AccessKind, reach: Reach) -> Who {
        let alone = space == SHARED && scene.is_alone();
        let Issuer { site, warp, block: BlockId { number: block, rank, .. }, .. } = *self;
        let op = scene.machine().kernel.code.get(site as usize);
        let is_update = || op.and_then(Op::memory).is_some_and(|op| op.is_atomic());
        let updates = kind == AccessKind::Atomic && is_update();
        Who { block, rank, warp, site, kind, alone, reach, updates }
    }

    /// An operation that a lane issues now.
    pub(crate) fn issued(&self, clocks: &mut Clocks, lane: u32) -> Issued {
        let time = clocks.act();
        Issued { site: self.site, thread: self.thread(lane), block: self.block, time }
    }

    /// An access of shared memory by an agent, at its time, for a lane that knew this.
    pub(crate) fn acting<'v>(
        &self,
        scene: &Scene<'_>,
        kind: AccessKind,
        lane: u32,
        (agent, time): (u32, u32),
        view: &'v View,
    ) -> Acting<'v> {
        let who = self.who(scene, SHARED, kind, Reach::default());
        Acting { who, lane, agent, time, view, needs: Needs::Fence { global: false } }
    }
}
