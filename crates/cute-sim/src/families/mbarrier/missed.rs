//! Waits for phases of mbarriers that may come too late: the end of the next phase must follow them
//! under every schedule, in the [order of execution](crate::course).

use super::barrier::Awaited;
use super::waits::Missed;
use crate::course::Past;
use crate::finding::FindingKind;
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use cute_arch::WARP;
use std::rc::Rc;

impl Warp {
    /// Lanes ask for the ends of the current phases of their barriers, which have not come.
    pub(super) fn ask_for_phases(&self, cluster: &mut Cluster<'_>, barriers: &[usize; 32], lanes: u32) {
        if !cluster.machine.lasts(self.at) {
            return;
        }
        let (warp, first, mut left) = (self.thread(0) / WARP, self.executed, lanes);
        while left != 0 {
            let at = barriers[left.trailing_zeros() as usize];
            let alike = lanes_of(left).filter(|lane| barriers[*lane as usize] == at);
            let alike = alike.fold(0, |lanes, lane| lanes | 1 << lane);
            if let Some(barrier) = cluster.engine.barriers.get_mut(at) {
                barrier.waits.ask(warp, alike, first);
            }
            left &= !alike;
        }
    }

    /// A wait of some lanes, at this instruction, returns because its phase is complete.
    pub(crate) fn is_told(
        &mut self,
        cluster: &mut Cluster<'_>,
        (at, awaited): (usize, Awaited),
        site: u32,
        lanes: u32,
    ) {
        let (warp, now) = (self.thread(0) / WARP, self.executed);
        let lasts = matches!(awaited, Awaited::Parity(_)) && cluster.machine.lasts(site);
        let Some(course) = &mut cluster.engine.course else { return };
        let Some(barrier) = cluster.engine.barriers.get_mut(at) else { return };
        self.has_learned = true;
        let threads = || lanes_of(lanes).map(|lane| warp * WARP + lane);
        let is_last = match awaited {
            Awaited::Parity(_) => true,
            Awaited::Phase(phase) => barrier.phase == phase + 1,
        };
        if is_last {
            course.learn(threads(), &barrier.waits.complete);
        }
        if lasts {
            let time = course.returns(threads());
            barrier.waits.answer((warp, lanes), site, now, time);
            barrier.uses.told(threads(), time);
        }
    }
}

impl Cluster<'_> {
    /// Something with this past contributes to the current phase of a barrier.
    pub(crate) fn follow(&mut self, at: usize, past: Option<&Rc<Past>>) {
        if let (Some(past), Some(barrier)) = (past, self.engine.barriers.get_mut(at)) {
            barrier.waits.follow(past);
        }
    }

    /// A phase of a barrier has ended, by this act at last: reports the waits for the phase before
    /// that might have come after it.
    #[cold]
    pub(crate) fn report_missed(&mut self, at: usize, who: (u32, u32)) {
        let Some(barrier) = self.engine.barriers.get_mut(at) else { return };
        let (phase, missed) = (barrier.phase - 1, std::mem::take(&mut barrier.waits.missed));
        for Missed { warp, lanes, site, within_warp } in missed {
            let (place, offset) = self.scene().barrier_place(at);
            let other = self.user(who);
            let kind = FindingKind::MissedPhase { place, offset, phase, lanes, within_warp, other };
            self.journal.remark(site, warp * WARP + lanes.trailing_zeros(), kind);
        }
    }
}
