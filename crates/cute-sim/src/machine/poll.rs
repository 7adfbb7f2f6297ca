//! Threads that ask for a phase of an `mbarrier` in a loop, such as `try_wait` and a branch back.
//! If the kernel hangs, they are reported like threads that wait.

use super::marks::Poll;
use super::warp::{Wait, Warp};
use crate::families::mbarrier::barrier::Mbarriers;
use crate::lanes::lanes_of;

impl Warp {
    /// The last question of a lane that can continue, if its phase is still not complete.
    fn poll(&self, barriers: &Mbarriers, lane: u32) -> Option<Poll> {
        let poll = self.marks.last_poll(lane).filter(|_| self.lanes.ready() >> lane & 1 != 0)?;
        let Wait::Phase { barrier, awaited, .. } = poll.wait else { return None };
        let barrier = barriers.get(barrier);
        barrier.is_none_or(|barrier| !barrier.has_completed(awaited)).then_some(poll)
    }

    /// The mbarriers at which lanes wait for a phase, or ask for one in a loop.
    pub(crate) fn awaited(&self, barriers: &Mbarriers) -> impl Iterator<Item = usize> {
        lanes_of(self.lanes.exists()).filter_map(|lane| {
            match self.lanes.wait_of(lane).or_else(|| Some(self.poll(barriers, lane)?.wait))? {
                Wait::Phase { barrier, .. } => Some(barrier),
                _ => None,
            }
        })
    }

    /// A warp that repeats itself, with the lanes that ask for a phase in a loop waiting for that
    /// phase. If the loop reads something else last, it may wait for that, and nothing changes.
    fn patient(&self, barriers: &Mbarriers) -> Warp {
        let mut warp = self.clone();
        let polls: Vec<_> =
            lanes_of(self.lanes.ready()).filter_map(|l| Some((l, self.poll(barriers, l)?))).collect();
        if polls.iter().any(|(_, poll)| poll.site == self.spins_at().0) {
            for (lane, Poll { site, wait }) in polls {
                warp.lanes.stay(lane, site, wait);
            }
        }
        warp
    }
}

/// The warps of a cluster that hangs, if some threads wait for a phase or ask for one in a loop.
pub(crate) fn await_phases(barriers: &Mbarriers, warps: &[Warp]) -> Option<Vec<Warp>> {
    let warps: Vec<Warp> = warps.iter().map(|warp| warp.patient(barriers)).collect();
    let waits = |warp: &Warp| warp.lanes.waits().any(|wait| matches!(wait, Wait::Phase { .. }));
    warps.iter().any(waits).then_some(warps)
}

/// Releases lanes that only wait for a limited time for a phase. Returns whether there are any.
pub(super) fn time_out(warps: &mut [Warp]) -> bool {
    let mut any = false;
    for warp in warps {
        let timed = |wait| matches!(wait, Some(Wait::Phase { timed: true, .. }));
        let lanes = lanes_of(warp.lanes.stopped())
            .filter(|lane| timed(warp.lanes.wait_of(*lane)))
            .fold(0, |m, lane| m | 1 << lane);
        any |= lanes != 0;
        warp.lanes.resume(lanes);
    }
    any
}
