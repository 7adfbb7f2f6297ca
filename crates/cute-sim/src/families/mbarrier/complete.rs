//! Arrivals, bytes that are expected or have come, and the ends of phases.

use crate::engine::Engine;
use crate::events::{Act, Event};
use crate::finding::{FindingKind, MbarrierMisuse};
use crate::machine::cluster::Cluster;
use crate::race::{Clocks, Known, Scope};

impl Cluster<'_> {
    /// The finding that a barrier is misused.
    pub(crate) fn misused(&self, at: usize, misuse: MbarrierMisuse) -> FindingKind {
        let (place, offset) = self.scene().barrier_place(at);
        FindingKind::Mbarrier { place, offset, misuse: Box::new(misuse) }
    }

    /// The same for a thread that comes after another one.
    pub(crate) fn misused_after(
        &self,
        at: usize,
        misuse: MbarrierMisuse,
        before: Option<(u32, u32)>,
    ) -> FindingKind {
        let misuse = match misuse {
            MbarrierMisuse::Arrivals { count, pending, phase, .. } => {
                let last = before.map(|who| self.user(who));
                MbarrierMisuse::Arrivals { count, pending, phase, last }
            }
            other => other,
        };
        self.misused(at, misuse)
    }

    /// The knowledge that an arrival at another block's barrier publishes to all waiting threads:
    /// that reads are over, and completed acts of agents. The rest is published to waits whose
    /// scope is the cluster, if the arrival has that scope.
    pub(super) fn arrive_elsewhere(&mut self, at: usize, thread: u32, scope: Scope, relaxed: bool) -> Known {
        let own = if relaxed {
            self.engine.relaxed.passes_on(thread, scope, Scope::Cluster).cloned()
        } else {
            Some(self.clocks.release(None, &[thread]))
        };
        let Engine { agents, barriers, .. } = &mut self.engine;
        let barrier = barriers.get_mut(at);
        let before = barrier.as_ref().and_then(|barrier| barrier.passed.clone());
        let Some(own) = own else { return before.unwrap_or_default() };
        if let Some(barrier) = barrier.filter(|_| scope > Scope::Block) {
            barrier.passed_far = Some(Clocks::both(barrier.passed_far.as_ref(), &own));
        }
        let hands_over = |agent: u32| agents.values().all(|copies| *copies != agent);
        self.clocks.hand_over(before.as_ref(), &own, hands_over)
    }

    /// Raises the number of bytes that a barrier expects; a negative number has arrived. `act` is
    /// the instruction, if it is not a copy that arrives.
    pub(crate) fn expect_bytes(
        &mut self,
        at: usize,
        bytes: i64,
        act: Option<Act>,
    ) -> Result<(), FindingKind> {
        let Some(barrier) = self.engine.barriers.get_mut(at) else {
            return Err(self.misused(at, MbarrierMisuse::Uninitialised));
        };
        let expected = barrier.expect(bytes);
        let bytes = barrier.bytes;
        expected.map_err(|misuse| self.misused(at, misuse))?;
        self.journal.tell(|_| Event::Pending { act, barrier: at, bytes });
        Ok(())
    }

    /// Arrivals at a barrier, which pass on something, and the end of the phase if it was the last.
    pub(crate) fn arrive(
        &mut self,
        at: usize,
        count: u32,
        drop: bool,
        passed: Known,
        who: (u32, u32),
        when: u64,
    ) -> Result<(), FindingKind> {
        let Some(barrier) = self.engine.barriers.get_mut(at) else {
            return Err(self.misused(at, MbarrierMisuse::Uninitialised));
        };
        let last = barrier.history.last_in(barrier.phase);
        barrier.passed = Some(passed);
        let arrived = barrier.arrive(count, drop);
        barrier.history.note(who, when, barrier.phase, count);
        arrived.map_err(|misuse| self.misused_after(at, misuse, last))?;
        self.complete_phase(at, who);
        Ok(())
    }

    /// Ends the phase of a barrier if all is there, by the act of this thread and instruction.
    pub(crate) fn complete_phase(&mut self, at: usize, who: (u32, u32)) {
        self.journal.changes_softly();
        let Some(barrier) = self.engine.barriers.get_mut(at) else { return };
        let phase = barrier.phase;
        if barrier.complete_phase() {
            let has_missed = !barrier.waits.missed.is_empty();
            self.engine.completed += 1;
            self.journal.tell(|_| Event::EndsPhase { barrier: at, phase });
            if has_missed {
                self.report_missed(at, who);
            }
        }
    }
}
