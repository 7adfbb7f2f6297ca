//! The bytes of asynchronous operations, and accesses of agents.

use super::Parts;
use crate::families::mbarrier::barrier::{BYTES, Mbarriers};
use crate::finding::{CopyRole, FindingKind};
use crate::machine::issuer::Issuer;
use crate::machine::scene::Scene;
use crate::memory::span::Span;
use crate::memory::tracked::ByteState;
use crate::race::Acting;
use crate::registers::unknown::Local;

/// The reason why a byte does not have the state that an access needs. `place` is its span, and the
/// number of bytes before it.
pub(crate) fn state_finding(
    scene: &Scene<'_>,
    barriers: &Mbarriers,
    locals: &[Local],
    (span, delta): (Span, usize),
    state: ByteState,
) -> FindingKind {
    let place = scene.place(locals, span);
    let offset = span.offset + delta as i64;
    match state {
        ByteState::Barrier => {
            let barrier = barriers.get((span.start + delta) / BYTES * BYTES);
            match barrier.map(|barrier| scene.site(barrier.site()).1) {
                None => FindingKind::Uninitialised { place, offset },
                Some(location) => FindingKind::BarrierStorage { place, offset, location },
            }
        }
        ByteState::InFlight => FindingKind::InFlight { place, offset, role: CopyRole::Target, copy: None },
        _ => FindingKind::Uninitialised { place, offset },
    }
}

impl Parts<'_, '_> {
    /// The reason why a byte of shared memory, so far into the span, does not have the state that
    /// the access needs.
    pub(crate) fn state_finding(&self, span: (Span, usize), state: ByteState) -> FindingKind {
        state_finding(self.scene(), &self.engine.barriers, &[], span, state)
    }

    /// Checks that the bytes may be sent. An empty byte is noted, since its writer may be late.
    pub(crate) fn can_send(
        &mut self,
        (issuer, lane): (&Issuer, u32),
        span: Span,
        bytes: usize,
    ) -> Result<(), FindingKind> {
        let Some((delta, state)) = self.shared.bytes().unwritten(span.start, bytes) else { return Ok(()) };
        let kind = self.state_finding((span, delta), state);
        if state != ByteState::Empty {
            return Err(kind);
        }
        self.journal.remark_early_read(issuer.site, issuer.thread(lane), kind);
        Ok(())
    }

    /// Records an agent's access to a run of bytes of shared memory, from a place on, and a race,
    /// if there is one. The span has the run, or is of the same object. Returns whether there was
    /// a race.
    pub(crate) fn watch_transfer(
        &mut self,
        span: Span,
        (at, bytes): (usize, usize),
        acting: &Acting<'_>,
    ) -> bool {
        if !self.machine().launch.check_races {
            return false;
        }
        let found = self.shared.shadow().transfer(at, bytes, acting, self.clocks);
        let Some((delta, race)) = found else { return false };
        let offset = span.offset + (at + delta) as i64 - span.start as i64;
        let place = self.scene().place(&[], span);
        self.note_race((&acting.who, acting.lane), (place, offset), race);
        true
    }
}
