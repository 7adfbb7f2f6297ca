//! The lanes of a warp, diverged and together: which can continue, where each of them is, and why
//! others wait. Among the lanes that can continue, those that are least far in the code run
//! together until they meet others.

use super::wait::Wait;
use crate::lanes::lanes_of;

#[derive(Clone)]
pub(crate) struct Convergence {
    /// Lanes that are threads.
    exists: u32,
    /// Lanes that can continue.
    ready: u32,
    done: u32,
    /// The instruction that each lane is at; at a barrier, the barrier.
    pcs: [u32; 32],
    waits: [Option<Wait>; 32],
    /// The last turn was interrupted; other lanes run first, because these lanes may wait for them
    /// in a loop.
    others_first: bool,
    /// The instruction that runs.
    at: u32,
}

/// Lanes that run together.
pub(super) struct Together {
    pub(super) pc: u32,
    pub(super) lanes: u32,
    /// The place where they meet others.
    pub(super) limit: u32,
}

impl Convergence {
    /// These lanes begin at an instruction.
    pub(super) fn new(exists: u32, start: u32) -> Self {
        Convergence {
            exists,
            ready: exists,
            done: 0,
            pcs: [start; 32],
            waits: [None; 32],
            others_first: false,
            at: 0,
        }
    }

    /// Lanes that are threads.
    #[inline]
    pub(crate) fn exists(&self) -> u32 {
        self.exists
    }

    /// Lanes that can continue.
    #[inline]
    pub(crate) fn ready(&self) -> u32 {
        self.ready
    }

    /// Lanes whose threads have ended.
    #[inline]
    pub(crate) fn done(&self) -> u32 {
        self.done
    }

    /// Lanes that have not ended and cannot continue.
    pub(crate) fn stopped(&self) -> u32 {
        self.exists & !self.ready & !self.done
    }

    /// Whether all threads have ended.
    pub(super) fn is_over(&self) -> bool {
        self.done == self.exists
    }

    /// Whether these are all lanes whose threads have not ended.
    #[inline]
    pub(crate) fn is_whole(&self, lanes: u32) -> bool {
        lanes | self.done == self.exists
    }

    /// Whether these lanes may execute a barrier's instruction without the other lanes of the warp.
    pub(crate) fn may_run(&self, aligned: bool, lanes: u32) -> bool {
        !aligned || self.is_whole(lanes)
    }

    /// The instruction that runs.
    #[inline]
    pub(crate) fn at(&self) -> u32 {
        self.at
    }

    /// An instruction runs.
    #[inline]
    pub(crate) fn run(&mut self, at: u32) {
        self.at = at;
    }

    /// The instruction that a lane is at.
    #[inline]
    pub(crate) fn pc(&self, lane: u32) -> u32 {
        self.pcs[lane as usize]
    }

    /// The reason why a lane waits, if it does.
    #[inline]
    pub(crate) fn wait_of(&self, lane: u32) -> Option<Wait> {
        self.waits[lane as usize]
    }

    /// The reasons why lanes wait.
    pub(crate) fn waits(&self) -> impl Iterator<Item = Wait> {
        self.waits.into_iter().flatten()
    }

    /// The lanes to run now, their place, and the place where they meet others.
    pub(super) fn group(&self) -> Together {
        let at = |lane: u32| self.pcs[lane as usize];
        let first = lanes_of(self.ready).map(at).min().unwrap_or(0);
        let last = lanes_of(self.ready).map(at).max().unwrap_or(0);
        let pc = if self.others_first { last } else { first };
        let lanes = lanes_of(self.ready).filter(|lane| at(*lane) == pc).fold(0, |m, lane| m | 1 << lane);
        let limit = lanes_of(self.ready & !lanes).map(at).filter(|other| *other > pc).min();
        Together { pc, lanes, limit: limit.unwrap_or(u32::MAX) }
    }

    /// The turn is interrupted.
    pub(super) fn interrupt(&mut self) {
        let mut ready = lanes_of(self.ready).map(|lane| self.pcs[lane as usize]);
        let first = ready.next();
        self.others_first = !self.others_first && ready.any(|pc| Some(pc) != first);
    }

    /// The turn ends because no lane can continue.
    pub(super) fn rest(&mut self) {
        self.others_first = false;
    }

    /// Lanes go to an instruction.
    #[inline]
    pub(crate) fn park(&mut self, lanes: u32, pc: u32) {
        lanes_of(lanes).for_each(|lane| self.pcs[lane as usize] = pc);
    }

    /// Lets lanes wait at the instruction that runs.
    pub(crate) fn wait(&mut self, lanes: u32, why: impl Fn(u32) -> Wait) {
        let at = self.at;
        self.park(lanes, at);
        self.ready &= !lanes;
        lanes_of(lanes).for_each(|lane| self.waits[lane as usize] = Some(why(lane)));
    }

    /// A lane that can continue waits at an instruction.
    pub(super) fn stay(&mut self, lane: u32, site: u32, wait: Wait) {
        self.ready &= !(1 << lane);
        (self.pcs[lane as usize], self.waits[lane as usize]) = (site, Some(wait));
    }

    /// Lets waiting lanes continue after the instruction at which they wait.
    pub(crate) fn resume(&mut self, lanes: u32) {
        for lane in lanes_of(lanes) {
            self.waits[lane as usize] = None;
            self.pcs[lane as usize] += 1;
        }
        self.ready |= lanes;
    }

    /// Lets lanes retry the instruction at which they wait.
    pub(crate) fn retry(&mut self, lanes: u32) {
        lanes_of(lanes).for_each(|lane| self.waits[lane as usize] = None);
        self.ready |= lanes;
    }

    /// The threads of these lanes have ended.
    pub(super) fn end(&mut self, lanes: u32) {
        self.ready &= !lanes;
        self.done |= lanes;
    }

    /// Whether the lanes are where those of the other one are.
    pub(super) fn is_as(&self, other: &Self) -> bool {
        (self.ready, self.done, self.others_first) == (other.ready, other.done, other.others_first)
            && (&self.pcs, &self.waits) == (&other.pcs, &other.waits)
    }
}
