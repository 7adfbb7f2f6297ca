//! The lanes of a warp that execute an instruction together, and those that return.

use super::cluster::Cluster;
use super::convergence::Convergence;
use super::warp::{Wait, Warp};
use crate::finding::{FindingKind, LaneFinding};
use crate::lanes::lanes_of;
use crate::program::{Kernel, Op, Slot};
use crate::registers::Registers;
use smallvec::SmallVec;

/// Groups of lanes, each of which runs a collective.
pub(crate) type Groups = SmallVec<[u32; 2]>;

impl Warp {
    /// Lanes return. Others may have waited for them alone.
    pub(crate) fn leave(&mut self, cluster: &mut Cluster<'_>, active: u32) {
        let at = self.lanes.at();
        self.lanes.park(active, at);
        self.lanes.end(active);
        self.registers.end(active);
        for lane in lanes_of(self.lanes.stopped()) {
            match self.lanes.wait_of(lane) {
                Some(Wait::Warp { .. }) => cluster.meetings().meet_lanes(&mut self.stopping(0), lane),
                Some(Wait::Together { mask }) => self.gather_again(cluster, lane, mask),
                _ => {}
            }
        }
    }

    /// Lets the lanes of a mask that wait with this one execute their collective, if none of them
    /// is missing but those that have returned.
    fn gather_again(&mut self, cluster: &mut Cluster<'_>, lane: u32, mask: u32) {
        let pc = self.lanes.pc(lane);
        let excuses =
            cluster.scene().machine().kernel.code.get(pc as usize).is_some_and(Op::excuses_returned);
        let members = mask & self.lanes.exists() & !self.lanes.done();
        let is_here =
            |l: u32| self.lanes.wait_of(l) == Some(Wait::Together { mask }) && self.lanes.pc(l) == pc;
        if excuses && lanes_of(members).all(is_here) {
            // They have been counted there.
            cluster.journal_mut().counters_mut().threads[pc as usize] -= u64::from(members.count_ones());
            self.lanes.retry(members);
        }
    }
}

impl Convergence {
    /// The groups of lanes that execute a collective together now: all lanes of one mask that pass
    /// this mask, but for those that are excused. Lanes with another mask form another group. Lanes
    /// whose group is not complete wait.
    pub(crate) fn gather(
        &mut self,
        registers: &Registers,
        kernel: &Kernel,
        mask: Option<Slot>,
        active: u32,
        excused: u32,
    ) -> Result<Groups, LaneFinding> {
        let mut masks = [u32::MAX; 32];
        if let Some(slot) = mask {
            registers.defined(kernel, slot, active, "lane mask")?;
            masks = registers.get(slot).map(|mask| mask as u32);
        }
        let own = |lane: u32| masks[lane as usize];
        if let Some(lane) = lanes_of(active).find(|l| own(*l) >> l & 1 == 0) {
            let kind = FindingKind::LaneMask { mask: own(lane), what: "the lane itself is not in it".into() };
            return Err(LaneFinding { lane, kind });
        }
        let waiting = |lane: u32| match self.wait_of(lane) {
            Some(Wait::Together { mask }) if self.pc(lane) == self.at() => Some(mask),
            _ => None,
        };
        let given = |lane: u32| if active >> lane & 1 != 0 { Some(own(lane)) } else { waiting(lane) };
        let (mut groups, mut waits) = (Groups::new(), Groups::new());
        let mut left = active;
        while left != 0 {
            let lane = left.trailing_zeros();
            let mask = own(lane);
            let members = mask & self.exists() & !excused;
            let here = lanes_of(members).filter(|l| given(*l) == Some(mask)).fold(0, |m, l| m | 1 << l);
            // A lane may return later with this mask, unless it waits for this one.
            let rival = lanes_of(members & !here).find_map(|l| Some((l, given(l)?)));
            if let Some((other, theirs)) = rival.filter(|(_, theirs)| theirs >> lane & 1 != 0) {
                let what = format!("lane {other}, which is in it, has mask {theirs:#010x}");
                return Err(LaneFinding { lane, kind: FindingKind::LaneMask { mask, what } });
            }
            if here == members {
                groups.push(members);
            } else {
                waits.push(here & active);
            }
            left &= !here;
        }
        for lanes in waits {
            self.wait(lanes, |lane| Wait::Together { mask: masks[lane as usize] });
        }
        Ok(groups)
    }
}
