//! Waits for phases of mbarriers that may come too late: the end of the next phase must follow them
//! under every schedule, in the [order of execution](crate::course).

use super::barrier::{Awaited, Mbarriers};
use super::misused::user;
use super::waits::Missed;
use crate::engine::Engine;
use crate::finding::FindingKind;
use crate::lanes::lanes_of;
use crate::machine::issuer::Issuer;
use crate::machine::journal::Journal;
use cute_arch::WARP;

/// Lanes ask for the ends of the current phases of their barriers, which have not come.
pub(super) fn ask_for_phases(barriers: &mut Mbarriers, issuer: &Issuer, places: &[usize; 32]) {
    let (warp, first, mut left) = (issuer.warp_of_cluster(), issuer.executed, issuer.lanes);
    while left != 0 {
        let at = places[left.trailing_zeros() as usize];
        let alike = lanes_of(left).filter(|lane| places[*lane as usize] == at);
        let alike = alike.fold(0, |lanes, lane| lanes | 1 << lane);
        if let Some(barrier) = barriers.get_mut(at) {
            barrier.waits.ask(warp, alike, first);
        }
        left &= !alike;
    }
}

/// A wait of some lanes, which may last, returns because its phase is complete. Returns whether the
/// warp has learned something from it.
pub(super) fn is_told(
    engine: &mut Engine,
    issuer: &Issuer,
    (at, awaited): (usize, Awaited),
    lasts: bool,
) -> bool {
    let (warp, now, lanes) = (issuer.warp_of_cluster(), issuer.executed, issuer.lanes);
    let lasts = matches!(awaited, Awaited::Parity(_)) && lasts;
    let Engine { course, barriers, .. } = engine;
    let Some(course) = course else { return false };
    let Some(barrier) = barriers.get_mut(at) else { return false };
    let threads = || issuer.threads();
    let is_last = match awaited {
        Awaited::Parity(_) => true,
        Awaited::Phase(phase) => barrier.phase == phase + 1,
    };
    if is_last {
        course.learn(threads(), &barrier.waits.complete);
    }
    if lasts {
        let time = course.returns(threads());
        barrier.waits.answer((warp, lanes), issuer.site, now, time);
        barrier.uses.told(threads(), time);
    }
    true
}

/// A phase of a barrier has ended, by this act at last: reports the waits for the phase before
/// that might have come after it.
#[cold]
pub(super) fn report_missed(barriers: &mut Mbarriers, journal: &mut Journal<'_>, at: usize, who: (u32, u32)) {
    let Some(barrier) = barriers.get_mut(at) else { return };
    let (phase, missed) = (barrier.phase - 1, std::mem::take(&mut barrier.waits.missed));
    for Missed { warp, lanes, site, within_warp } in missed {
        let (place, offset) = journal.scene().barrier_place(at);
        let other = user(journal.scene(), who);
        let kind = FindingKind::MissedPhase { place, offset, phase, lanes, within_warp, other };
        journal.remark(site, warp * WARP + lanes.trailing_zeros(), kind);
    }
}
