//! The order of accesses, by which races are judged, and the waits for asynchronous ones.

use crate::engine::Engine;
use crate::finding::Completion;
use crate::machine::scene::Scene;
use crate::race::{Clocks, Record};

/// The order of accesses, and the waits for those of agents.
#[derive(Clone, Copy)]
pub(crate) struct Orders<'c> {
    pub(crate) clocks: &'c Clocks,
    pub(crate) engine: &'c Engine,
}

impl Orders<'_> {
    /// How other threads can wait for an access by an agent.
    pub(super) fn completion(self, scene: &Scene<'_>, record: &Record) -> Option<Completion> {
        let agent = record.agent().filter(|_| self.clocks.first_of(record.made_by()).is_some())?;
        if let Some(landed) = self.engine.landings.of(agent) {
            let (place, offset) = scene.barrier_place(landed.barrier);
            let current = || self.engine.barriers.get(landed.barrier).map(|barrier| barrier.state().phase);
            let phase = landed.phase.or_else(current).filter(|_| landed.issued.time == record.time);
            return Some(Completion::Mbarrier { place, offset, phase });
        }
        if self.engine.warpgroups.have(agent) {
            return Some(Completion::Wgmma);
        }
        if let Some(stores) = self.engine.cores.of_warp(agent) {
            return Some(Completion::TensorWait { stores });
        }
        if self.engine.cores.have(agent) {
            return Some(Completion::TensorCommit);
        }
        self.engine.outboxes.have(agent).then(|| Completion::Group { read: record.kind.is_read() })
    }
}
