//! Waits for phases of mbarriers that may come too late: the end of the next phase must follow them
//! under every schedule, in the [order of execution](crate::engine::course).

use crate::engine::course::Past;
use crate::engine::mbarrier::Awaited;
use crate::engine::waits::Missed;
use crate::finding::FindingKind;
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::group::GROUP;
use crate::machine::warp::Warp;
use cute_arch::WARP;
use smallvec::SmallVec;
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
            if let Some(barrier) = cluster.engine.barriers.get_mut(&at) {
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
        let Some(barrier) = cluster.engine.barriers.get_mut(&at) else { return };
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

    /// Lanes execute an instruction for which each of them waits for the others.
    #[cold]
    pub(crate) fn meet_lanes(&mut self, cluster: &mut Cluster<'_>, lanes: u32) {
        let warp = self.thread(0) / WARP;
        let is_whole = lanes | self.done == self.exists;
        if let Some(course) = &mut cluster.engine.course {
            let threads: SmallVec<[u32; WARP as usize]> =
                lanes_of(lanes).map(|lane| warp * WARP + lane).collect();
            course.meet(None, &threads, is_whole.then_some(warp).into_iter());
        }
        self.has_learned &= !is_whole;
    }
}

impl Cluster<'_> {
    /// The past of a thread's next act, if anything depends on it.
    pub(crate) fn past_of(&self, thread: u32) -> Option<Rc<Past>> {
        self.engine.course.as_ref().map(|course| course.of(thread))
    }

    /// Something with this past contributes to the current phase of a barrier.
    pub(crate) fn follow(&mut self, at: usize, past: Option<&Rc<Past>>) {
        if let (Some(past), Some(barrier)) = (past, self.engine.barriers.get_mut(&at)) {
            barrier.waits.follow(past);
        }
    }

    /// An MMA is issued by the four warps of a warpgroup: it is complete after all that they did.
    pub(crate) fn follow_products(&mut self, group: &mut [Warp]) {
        group.iter_mut().filter(|warp| warp.has_learned).for_each(|warp| warp.meet_lanes(self, warp.exists));
        let Some(course) = &self.engine.course else { return };
        let past = course.of_all(group.iter().map(|warp| warp.thread(0)));
        let queue = self.wgmma_queue(group[0].block.rank, group[0].warpgroup() as u32);
        if queue.pasts.back().is_none_or(|(_, last)| **last != *past) {
            queue.pasts.push_back((queue.issued, past));
        }
    }

    /// A warp has waited for the MMAs of its warpgroup up to one.
    pub(crate) fn follows_products(&mut self, warp: &mut Warp, ticket: u32) {
        if self.engine.course.is_none() {
            return;
        }
        let queue = self.wgmma_queue(warp.block.rank, warp.warpgroup() as u32);
        let past = queue.pasts.iter().rfind(|(issued, _)| *issued <= ticket).map(|(_, past)| past.clone());
        // Earlier ones than the last for which all four have waited are not needed any more.
        let all = queue.warps.iter().map(|own| own.waited).min().unwrap_or(0);
        while queue.pasts.len() > GROUP && queue.pasts.get(1).is_some_and(|(issued, _)| *issued <= all) {
            queue.pasts.pop_front();
        }
        if let (Some(past), Some(course)) = (past, &mut self.engine.course) {
            course.learn(lanes_of(warp.exists).map(|lane| warp.thread(lane)), &past);
            warp.has_learned = true;
        }
    }

    /// A phase of a barrier has ended, by this act at last: reports the waits for the phase before
    /// that might have come after it.
    #[cold]
    pub(crate) fn report_missed(&mut self, at: usize, who: (u32, u32)) {
        let Some(barrier) = self.engine.barriers.get_mut(&at) else { return };
        let (phase, missed) = (barrier.phase - 1, std::mem::take(&mut barrier.waits.missed));
        for Missed { warp, lanes, site, within_warp } in missed {
            let (place, offset) = self.barrier_place(at);
            let other = self.user(who);
            let kind = FindingKind::MissedPhase { place, offset, phase, lanes, within_warp, other };
            self.remark(site, warp * WARP + lanes.trailing_zeros(), kind);
        }
    }
}
