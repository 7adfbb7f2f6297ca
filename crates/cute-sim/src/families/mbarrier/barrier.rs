//! `mbarrier`: a barrier in shared memory that counts arrivals and bytes, phase after phase (PTX
//! ISA, "mbarrier").

use super::history::History;
use super::uses::Uses;
use super::waits::Waits;
use crate::course::Past;
use crate::events::Awaits;
use crate::finding::MbarrierMisuse;
use crate::race::{Clocks, Known};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// The largest number of arrivals that a phase may need, and of bytes that it may be away from
/// completion, in either direction.
pub(crate) const LIMIT: i64 = (1 << 20) - 1;

/// Bytes of a barrier, and their alignment.
pub(crate) const BYTES: usize = 8;

#[derive(Debug, Clone)]
pub(crate) struct Mbarrier {
    /// The place of its initialisation, and the thread of the cluster that initialised it.
    pub(super) site: u32,
    pub(super) thread: u32,
    /// The lanes of the thread's warp that initialised it with that instruction.
    pub(super) lanes: u32,
    /// The first thread of these that executed `fence.mbarrier_init` after the initialisation, and
    /// the time.
    pub(super) fenced: Option<(u32, u32)>,
    /// Arrivals that each phase needs, and those that are left of this one.
    pub(super) expected: u32,
    pub(super) pending: u32,
    /// Bytes that are expected and have not arrived.
    pub(super) bytes: i64,
    /// Phases that are complete.
    pub(super) phase: u64,
    /// The knowledge published by arrivals in this phase, and by those in the previous one.
    pub(super) passed: Option<Known>,
    pub(super) complete: Option<Known>,
    /// The additional knowledge that they publish from other blocks, for waits whose scope is the
    /// whole cluster.
    pub(super) passed_far: Option<Known>,
    pub(super) complete_far: Option<Known>,
    /// The bytes that were expected in this phase.
    pub(super) announced: i64,
    /// The thread that expected bytes in this phase without arriving, and the instruction.
    pub(super) bare: Option<(u32, u32)>,
    /// The arrivals in this phase and before.
    pub(super) history: History,
    pub(super) uses: Uses,
    pub(super) waits: Waits,
}

/// The current phase of a barrier.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PhaseState {
    /// Phases that are complete.
    pub(crate) phase: u64,
    /// Arrivals that are left, and those that each phase needs.
    pub(crate) pending: u32,
    pub(crate) expected: u32,
    /// Bytes that are expected and have not arrived, and all that were expected.
    pub(crate) bytes: i64,
    pub(crate) announced: i64,
}

/// The condition of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Awaited {
    /// The end of the phase with this parity, the current one or the one before.
    Parity(u32),
    /// The end of the phase that a token is of.
    Phase(u64),
}

/// Bits of a token below the phase: the arrivals that were pending.
const PENDING_BITS: u32 = 20;

impl Mbarrier {
    pub(super) fn new(count: u32, site: u32, thread: u32) -> Result<Self, MbarrierMisuse> {
        if count == 0 || i64::from(count) > LIMIT {
            return Err(MbarrierMisuse::Count { count });
        }
        Ok(Mbarrier {
            site,
            thread,
            lanes: 1 << (thread % 32),
            fenced: None,
            expected: count,
            pending: count,
            bytes: 0,
            phase: 0,
            passed: None,
            complete: None,
            passed_far: None,
            complete_far: None,
            announced: 0,
            bare: None,
            history: History::default(),
            uses: Uses::default(),
            waits: Waits::default(),
        })
    }

    pub(super) fn is_initialised_by(&self, thread: u32) -> bool {
        self.thread / 32 == thread / 32 && self.lanes >> (thread % 32) & 1 == 1
    }

    /// Whether nothing has happened to it since its initialisation.
    pub(super) fn is_unused(&self) -> bool {
        let is_first = self.phase == 0 && self.pending == self.expected;
        is_first && (self.bytes, self.announced, self.bare) == (0, 0, None) && self.uses.are_only(self.site)
    }

    /// The state that an arrival returns.
    pub(super) fn token(&self) -> u64 {
        self.phase << PENDING_BITS | u64::from(self.pending)
    }

    /// The arrivals that were pending when the token was made.
    pub(super) fn pending_of(token: u64) -> u64 {
        token & ((1 << PENDING_BITS) - 1)
    }

    pub(super) fn phase_of(token: u64) -> u64 {
        token >> PENDING_BITS
    }

    pub(crate) fn state(&self) -> PhaseState {
        let Mbarrier { phase, pending, expected, bytes, announced, .. } = *self;
        PhaseState { phase, pending, expected, bytes, announced }
    }

    /// The instruction that initialised it.
    pub(crate) fn site(&self) -> u32 {
        self.site
    }

    pub(crate) fn history(&self) -> &History {
        &self.history
    }

    /// The thread that expected bytes in this phase without arriving, and the instruction.
    pub(crate) fn only_expects(&self) -> Option<(u32, u32)> {
        self.bare
    }

    pub(crate) fn has_completed(&self, awaited: Awaited) -> bool {
        match awaited {
            Awaited::Parity(parity) => self.phase & 1 != u64::from(parity & 1),
            Awaited::Phase(phase) => self.phase > phase,
        }
    }

    /// Raises the number of expected bytes in this phase; a negative number has arrived.
    pub(super) fn expect(&mut self, bytes: i64) -> Result<(), MbarrierMisuse> {
        let all = self.bytes + bytes;
        if all.abs() > LIMIT {
            return Err(MbarrierMisuse::Bytes { bytes: all });
        }
        self.bytes = all;
        self.announced += bytes.max(0);
        Ok(())
    }

    /// Raises the number of arrivals that this phase needs, for a thread that will arrive.
    pub(super) fn expect_arrival(&mut self) -> Result<(), MbarrierMisuse> {
        if i64::from(self.pending) >= LIMIT {
            return Err(MbarrierMisuse::Count { count: self.pending + 1 });
        }
        self.pending += 1;
        Ok(())
    }

    /// Counts `count` arrivals. With `drop`, later phases need that many fewer.
    pub(super) fn arrive(&mut self, count: u32, drop: bool) -> Result<(), MbarrierMisuse> {
        if count == 0 || i64::from(count) > LIMIT {
            return Err(MbarrierMisuse::Count { count });
        }
        if count > self.pending {
            let Mbarrier { pending, phase, .. } = *self;
            return Err(MbarrierMisuse::Arrivals { count, pending, phase, last: None });
        }
        if drop {
            self.expected = self.expected.saturating_sub(count);
        }
        self.pending -= count;
        Ok(())
    }

    /// Ends the phase if all is there. Answers whether it did.
    pub(super) fn complete_phase(&mut self) -> bool {
        if self.pending != 0 || self.bytes != 0 {
            return false;
        }
        self.phase += 1;
        self.pending = self.expected;
        self.complete = self.passed.take();
        self.complete_far = self.passed_far.take();
        self.uses.complete_phase();
        self.waits.complete_phase();
        (self.announced, self.bare) = (0, None);
        true
    }
}

/// The barriers of a cluster, by their places in its shared memory.
#[derive(Debug, Default)]
pub(crate) struct Mbarriers {
    all: BTreeMap<usize, Mbarrier>,
    /// The number of completed phases, and of those whose waiters have been notified.
    completed: u64,
    told: u64,
    /// The agent of each barrier for the copies of a block that its arrivals follow.
    agents: HashMap<(usize, u32), u32>,
    /// For a thread that fenced its initialisations of barriers, the agent for these fences, and
    /// the time of the last one.
    fenced: HashMap<u32, (u32, u32)>,
}

impl Mbarriers {
    /// The agent of a barrier for the copies of a block that arrivals follow.
    pub(crate) fn agent_of(&mut self, at: usize, block: u32, clocks: &mut Clocks) -> u32 {
        *self.agents.entry((at, block)).or_insert_with(|| clocks.agent())
    }

    /// Whether what an agent has done is known behind an arrival at another block's barrier: it is
    /// not one that executes copies of threads.
    pub(crate) fn hands_over(&self, agent: u32) -> bool {
        self.agents.values().all(|copies| *copies != agent)
    }

    /// The agent for the fences of a thread that has initialised barriers, and the time of the
    /// last.
    pub(crate) fn fence_of(&self, thread: u32) -> Option<(u32, u32)> {
        self.fenced.get(&thread).copied()
    }

    /// `fence.mbarrier_init`: the barriers that a thread has initialised may be used by any thread
    /// that synchronises with it next, even at a relaxed barrier of the cluster.
    pub(super) fn fence(&mut self, thread: u32, clocks: &mut Clocks) {
        if !self.all.values().any(|barrier| barrier.is_initialised_by(thread)) {
            return;
        }
        let agent = self.fence_of(thread).map_or_else(|| clocks.agent(), |(agent, _)| agent);
        let time = clocks.act();
        clocks.learn(thread, agent, time);
        self.fenced.insert(thread, (agent, time));
        let own = self.all.values_mut().filter(|barrier| barrier.is_initialised_by(thread));
        own.for_each(|barrier| barrier.fenced = barrier.fenced.or(Some((thread, time))));
    }

    pub(crate) fn get(&self, at: usize) -> Option<&Mbarrier> {
        self.all.get(&at)
    }

    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut Mbarrier> {
        self.all.get_mut(&at)
    }

    pub(super) fn insert(&mut self, at: usize, barrier: Mbarrier) {
        self.all.insert(at, barrier);
    }

    pub(super) fn remove(&mut self, at: usize) -> Option<Mbarrier> {
        self.all.remove(&at)
    }

    /// A phase is complete.
    pub(super) fn note_completed(&mut self) {
        self.completed += 1;
    }

    /// The number of completed phases.
    pub(crate) fn completed(&self) -> u64 {
        self.completed
    }

    /// Whether phases are complete of whose ends the waiters have not been notified.
    pub(crate) fn have_news(&self) -> bool {
        self.told != self.completed
    }

    /// The same, for whoever notifies them now.
    pub(crate) fn take_news(&mut self) -> bool {
        std::mem::replace(&mut self.told, self.completed) != self.completed
    }

    /// Something with this past contributes to the current phase of a barrier.
    pub(crate) fn follow(&mut self, at: usize, past: Option<&Rc<Past>>) {
        if let (Some(past), Some(barrier)) = (past, self.get_mut(at)) {
            barrier.waits.follow(past);
        }
    }

    /// Whether there is one at a place.
    pub(crate) fn are_at(&self, at: usize) -> bool {
        self.all.contains_key(&at)
    }

    /// All barriers with their places, in the order of these.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, &Mbarrier)> {
        self.all.iter().map(|(at, barrier)| (*at, barrier))
    }

    /// The condition of a wait for a phase, as events name it.
    pub(crate) fn awaits(&self, barrier: usize, awaited: Awaited) -> Awaits {
        let phase = match awaited {
            Awaited::Phase(phase) => phase,
            Awaited::Parity(_) => self.get(barrier).map_or(0, |own| own.phase),
        };
        Awaits::Phase { barrier, phase }
    }

    /// The knowledge that arrivals in the current phase of a barrier have published.
    pub(crate) fn passed(&self, at: usize) -> Option<&Known> {
        self.all.get(&at)?.passed.as_ref()
    }

    /// The current phase of a barrier publishes this.
    pub(crate) fn pass_on(&mut self, at: usize, known: Known) {
        if let Some(barrier) = self.all.get_mut(&at) {
            barrier.passed = Some(known);
        }
    }

    /// An agent uses a barrier at its time, for a thread at an instruction.
    pub(crate) fn note_agent(&mut self, at: usize, (agent, time): (u32, u32), who: (u32, u32)) {
        if let Some(barrier) = self.all.get_mut(&at) {
            barrier.uses.note_agent(agent, time, who);
        }
    }

    /// It is not known which phase of a barrier an arrival belongs to.
    pub(crate) fn leave_open(&mut self, at: usize) {
        if let Some(barrier) = self.all.get_mut(&at) {
            barrier.uses.vague = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_ends_with_its_arrivals_and_bytes() {
        let mut barrier = Mbarrier::new(2, 0, 0).unwrap();
        // A new barrier counts as having completed the phase before its first.
        assert!(barrier.has_completed(Awaited::Parity(1)) && !barrier.has_completed(Awaited::Parity(0)));
        let token = barrier.token();
        assert_eq!((Mbarrier::phase_of(token), Mbarrier::pending_of(token)), (0, 2));
        // Bytes may arrive before they are expected, as long as an arrival is pending.
        barrier.expect(-64).unwrap();
        barrier.arrive(1, false).unwrap();
        assert!(!barrier.complete_phase());
        barrier.expect(96).unwrap();
        barrier.arrive(1, false).unwrap();
        assert!(!barrier.complete_phase() && barrier.bytes == 32);
        assert!(matches!(barrier.arrive(1, false), Err(MbarrierMisuse::Arrivals { pending: 0, .. })));
        barrier.expect(-32).unwrap();
        assert!(barrier.complete_phase() && barrier.phase == 1 && barrier.pending == 2);
        assert!(barrier.has_completed(Awaited::Parity(0)) && barrier.has_completed(Awaited::Phase(0)));
        assert!(!barrier.has_completed(Awaited::Phase(1)));
    }

    #[test]
    fn whoever_drops_out_is_not_expected_again() {
        let mut barrier = Mbarrier::new(2, 0, 0).unwrap();
        barrier.arrive(1, true).unwrap();
        barrier.arrive(1, false).unwrap();
        assert!(barrier.complete_phase() && barrier.pending == 1);
    }

    #[test]
    fn counts_have_limits() {
        let limit = LIMIT as u32;
        assert!(Mbarrier::new(0, 0, 0).is_err() && Mbarrier::new(limit + 1, 0, 0).is_err());
        let mut barrier = Mbarrier::new(limit, 0, 0).unwrap();
        assert!(barrier.expect_arrival().is_err());
        assert_eq!(barrier.expect(LIMIT + 1), Err(MbarrierMisuse::Bytes { bytes: LIMIT + 1 }));
        barrier.expect(LIMIT).unwrap();
        assert!(barrier.expect(1).is_err() && barrier.expect(-LIMIT).is_ok());
        assert_eq!(barrier.expect(-LIMIT - 1), Err(MbarrierMisuse::Bytes { bytes: -LIMIT - 1 }));
    }
}
