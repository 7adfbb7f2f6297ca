//! The marks that instructions leave on a warp: how much of its turn is left, and what reports and
//! the [order of execution](crate::course) ask about it later.

use super::issuer::Issuer;
use super::wait::Wait;
use crate::course::Course;
use crate::lanes::lanes_of;
use cute_arch::WARP;
use smallvec::SmallVec;

/// The number of instructions within which a spinning warp reads the value that it waits for.
const SPIN: u64 = 20_000;

/// The number of instructions that an atomic or volatile access of a lane counts for, because other
/// warps may have to act first.
const MEETING: u32 = 100;

/// A question for a phase of an `mbarrier` that was not complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Poll {
    pub(super) site: u32,
    /// The wait that it stands for.
    pub(super) wait: Wait,
}

#[derive(Clone)]
pub(crate) struct Marks {
    /// Remaining instructions of the turn.
    turn: u32,
    executed: u64,
    /// The last instruction that read memory, its first lane, and what had been executed then.
    last_read: (u32, u32, u64),
    /// For each lane, the last question for a phase of an `mbarrier` that was not complete.
    polls: [Option<Poll>; 32],
    /// A wait for a phase has returned in some lanes, or they have learned of others' waits, since
    /// all lanes met.
    has_learned: bool,
    /// The last output of each lane.
    printed: [String; 32],
}

impl Marks {
    /// Those of a warp that has executed nothing.
    pub(super) fn new() -> Self {
        Marks {
            turn: 0,
            executed: 0,
            last_read: (0, 0, 0),
            polls: [None; 32],
            has_learned: false,
            printed: Default::default(),
        }
    }

    /// A turn of this many instructions begins.
    pub(super) fn begin_turn(&mut self, quantum: u32) {
        self.turn = quantum;
    }

    /// Whether nothing is left of the turn.
    #[inline]
    pub(super) fn has_had_turn(&self) -> bool {
        self.turn == 0
    }

    /// An instruction is executed.
    #[inline]
    pub(super) fn count(&mut self) {
        self.turn = self.turn.saturating_sub(1);
        self.executed += 1;
    }

    /// A lane has done something on which other warps may depend.
    #[inline]
    pub(crate) fn meet_others(&mut self) {
        self.turn = self.turn.saturating_sub(MEETING);
    }

    /// Instructions that the warp has executed.
    #[inline]
    pub(crate) fn executed(&self) -> u64 {
        self.executed
    }

    /// Some of the lanes read memory at an instruction.
    #[inline]
    pub(crate) fn read(&mut self, site: u32, lanes: u32) {
        self.last_read = (site, lanes.trailing_zeros(), self.executed);
    }

    /// The instruction that read memory last, and its first lane, if that is not long ago.
    pub(super) fn last_read(&self) -> Option<(u32, u32)> {
        let (site, lane, when) = self.last_read;
        (when > 0 && self.executed - when < SPIN).then_some((site, lane))
    }

    /// An instruction found phases incomplete in some lanes.
    pub(crate) fn poll(&mut self, site: u32, lanes: u32, wait: impl Fn(usize) -> Wait) {
        for lane in lanes_of(lanes).map(|lane| lane as usize) {
            self.polls[lane] = Some(Poll { site, wait: wait(lane) });
        }
    }

    /// The last question of a lane.
    pub(super) fn last_poll(&self, lane: u32) -> Option<Poll> {
        self.polls[lane as usize]
    }

    /// Some of the lanes have learned of waits, if `learned` is set.
    #[inline]
    pub(crate) fn learn(&mut self, learned: bool) {
        self.has_learned |= learned;
    }

    /// Whether some of the lanes may know of waits of which others do not.
    #[inline]
    pub(crate) fn has_learned(&self) -> bool {
        self.has_learned
    }

    /// Lanes execute an instruction for which each of them waits for the others. `is_whole` tells
    /// that no others are left in the warp.
    #[cold]
    pub(crate) fn meet_lanes(&mut self, course: Option<&mut Course>, issuer: &Issuer, is_whole: bool) {
        if let Some(course) = course {
            let threads: SmallVec<[u32; WARP as usize]> = issuer.threads().collect();
            course.meet(None, &threads, is_whole.then_some(issuer.warp_of_cluster()).into_iter());
        }
        if is_whole {
            self.share();
        }
    }

    /// All lanes have met, and know the same.
    pub(crate) fn share(&mut self) {
        self.has_learned = false;
    }

    /// A lane has printed this.
    pub(crate) fn print(&mut self, lane: usize, text: String) {
        self.printed[lane] = text;
    }

    /// The last output of a lane.
    pub(crate) fn printed(&self, lane: usize) -> &str {
        &self.printed[lane]
    }
}
