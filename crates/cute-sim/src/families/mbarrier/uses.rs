//! The uses of an `mbarrier`: those that must be over before it is invalidated, and the arrivals
//! that end its phases.

use crate::course::Past;
use crate::race::{Clocks, Known};
use cute_arch::WARP;

/// A warp's first arrival in a phase, by a thread or by an agent on its behalf.
#[derive(Debug, Clone, Copy)]
struct Source {
    component: u32,
    time: u32,
    thread: u32,
    site: u32,
}

/// Two arrivals that may change places: the first ended a phase, the second counted in the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mixed {
    pub(super) phase: u64,
    /// Thread and instruction.
    pub(super) earlier: (u32, u32),
    pub(super) later: (u32, u32),
}

/// A thread's last arrival or wait.
#[derive(Debug, Clone, Copy, Default)]
struct Use {
    /// 0 if there is none.
    time: u32,
    site: u32,
    /// It is over: an arrival, or a wait that has found its phase complete.
    is_over: bool,
    /// When the wait returned, in the order of execution; 0 if that is not known.
    told: u64,
}

/// The operations at one `mbarrier`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Uses {
    /// By thread.
    threads: Vec<Use>,
    /// Agents that arrive, the time of the last arrival, its thread, and the instruction.
    agents: Vec<(u32, u32, (u32, u32))>,
    /// The arrivals in this phase and in the previous one.
    sources: Vec<Source>,
    ended: Vec<Source>,
    /// Whether threads wait for the barrier.
    pub(super) awaited: bool,
    /// The first proof that chance decides which arrivals end a phase.
    pub(super) mixed: Option<Mixed>,
    /// Some arrivals come from another block, or publish nothing. Their order is not known, so it
    /// cannot be said that there is none.
    pub(super) vague: bool,
}

impl Uses {
    /// Whether there is none but an instruction's.
    pub(super) fn are_only(&self, site: u32) -> bool {
        let is_other = |own: &Use| own.time > 0 && own.site != site;
        !self.threads.iter().any(is_other) && self.agents.is_empty() && self.sources.is_empty()
    }

    /// A thread arrives now, or asks for a phase.
    pub(super) fn note(&mut self, (thread, site): (u32, u32), is_over: bool, clocks: &Clocks) {
        let thread = thread as usize;
        if self.threads.len() <= thread {
            self.threads.resize(thread + 1, Use::default());
        }
        self.threads[thread] = Use { time: clocks.now(), site, is_over, told: 0 };
    }

    /// The wait of a thread returns now, because its phase is complete.
    pub(super) fn returns(&mut self, thread: u32, clocks: &Clocks) {
        if let Some(own) = self.threads.get_mut(thread as usize) {
            (own.time, own.is_over) = (clocks.now(), true);
        }
    }

    /// The waits of threads that have returned did so at this time of the order of execution.
    pub(super) fn told(&mut self, threads: impl Iterator<Item = u32>, time: u64) {
        for thread in threads {
            if let Some(own) = self.threads.get_mut(thread as usize).filter(|own| own.is_over) {
                own.told = time;
            }
        }
    }

    /// An agent will arrive, or has arrived, on behalf of a thread.
    pub(super) fn note_agent(&mut self, agent: u32, time: u32, who: (u32, u32)) {
        self.agents.retain(|(other, ..)| *other != agent);
        self.agents.push((agent, time, who));
    }

    /// The thread and the instruction of a use that is not ordered before the acts of `thread` now.
    /// Agents are left out if `relaxed` waits may have seen them.
    ///
    /// A use that is over has nothing in flight, so it needs no order by memory, only one of
    /// execution, as the lanes of a warp have after `match.sync` or a vote. `cuda::pipeline` relies
    /// on that: one lane of each warp decrements a counter for all lanes that have arrived there.
    /// So it is enough to know any lane of the warp since; or to be behind the return of the wait
    /// in the order of execution, as behind a relaxed barrier of the cluster, which publishes
    /// nothing: Triton invalidates behind such a one.
    pub(super) fn unordered(
        &self,
        thread: u32,
        relaxed: bool,
        clocks: &Clocks,
        past: Option<&Past>,
    ) -> Option<(u32, u32)> {
        let lanes = |other: u32| other & !(WARP - 1)..(other & !(WARP - 1)) + WARP;
        let is_ordered = |other: u32, own: &Use| match own.is_over {
            true => {
                lanes(other).any(|lane| lane == thread || clocks.knows_read(thread, lane, own.time))
                    || own.told > 0 && past.is_some_and(|past| past.knows(other, own.told))
            }
            false => other == thread || clocks.knows_read(thread, other, own.time),
        };
        let threads = (0..).zip(&self.threads).filter(|(_, own)| own.time > 0);
        let by_thread = threads
            .filter(|(other, own)| !is_ordered(*other, own))
            .map(|(other, own)| (other, own.site))
            .next();
        let mut agents = self.agents.iter().filter(|_| !relaxed);
        by_thread.or_else(|| {
            agents.find(|(agent, time, _)| !clocks.knows(thread, *agent, *time)).map(|(.., who)| *who)
        })
    }

    /// A thread of the barrier's own block is about to arrive in `phase`.
    pub(super) fn arrives(&mut self, who: (u32, u32), phase: u64, clocks: &Clocks) {
        let (thread, time) = (who.0, clocks.now());
        if self.has(thread) {
            return;
        }
        self.count(thread, time, who);
        let lanes = || thread & !31..(thread & !31) + 32;
        let follows =
            |source: &Source| lanes().any(|lane| clocks.knows_read(lane, source.component, source.time));
        self.compare(who, phase, follows);
    }

    /// An agent arrives in `phase`, for a thread that knew this.
    pub(super) fn arrives_later(
        &mut self,
        (agent, time): (u32, u32),
        who: (u32, u32),
        phase: u64,
        known: &Known,
    ) {
        if self.has(who.0) {
            return;
        }
        self.count(agent, time, who);
        let knows = |source: &Source| known.get(source.component as usize).is_some_and(|t| source.time <= *t);
        self.compare(who, phase, knows);
    }

    /// Whether the warp of this thread has arrived in this phase.
    fn has(&self, thread: u32) -> bool {
        self.sources.iter().any(|source| source.thread / 32 == thread / 32)
    }

    fn count(&mut self, component: u32, time: u32, (thread, site): (u32, u32)) {
        self.sources.push(Source { component, time, thread, site });
    }

    /// A warp that did not arrive in the phase before, and does not follow one of its arrivals,
    /// could have taken the place of that arrival.
    fn compare(&mut self, (thread, site): (u32, u32), phase: u64, follows: impl Fn(&Source) -> bool) {
        if self.ended.iter().any(|source| source.thread / 32 == thread / 32) || self.mixed.is_some() {
            return;
        }
        if let Some(other) = self.ended.iter().find(|source| !follows(source)) {
            let earlier = (other.thread, other.site);
            self.mixed = Some(Mixed { phase: phase.saturating_sub(1), earlier, later: (thread, site) });
        }
    }

    /// The phase is over.
    pub(super) fn complete_phase(&mut self) {
        self.ended = std::mem::take(&mut self.sources);
    }

    /// The two arrivals, if some thread relies on the phases.
    pub(super) fn chance(&self) -> Option<Mixed> {
        self.mixed.filter(|_| self.awaited && !self.vague)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::Course;

    /// Warps 0 and 1 end a phase; warp 2 counts in the next one, with or without having met them.
    #[test]
    fn an_unordered_arrival_may_take_the_place_of_another() {
        for ordered in [false, true] {
            let mut clocks = Clocks::new(0, 1, 128);
            let mut uses = Uses { awaited: true, ..Uses::default() };
            for thread in [0, 32] {
                uses.arrives((thread, 7), 0, &clocks);
                clocks.release(None, &[thread]);
            }
            uses.complete_phase();
            if ordered {
                clocks.meet(&[0, 32, 64]);
            }
            uses.arrives((64, 8), 1, &clocks);
            let mixed = Mixed { phase: 0, earlier: (0, 7), later: (64, 8) };
            assert_eq!(uses.chance(), (!ordered).then_some(mixed));
        }
    }

    #[test]
    fn a_use_is_over_once_its_thread_has_been_met() {
        let mut clocks = Clocks::new(0, 1, 64);
        let mut uses = Uses::default();
        uses.note((40, 3), false, &clocks);
        assert_eq!(
            (uses.unordered(0, false, &clocks, None), uses.unordered(40, false, &clocks, None)),
            (Some((40, 3)), None)
        );
        clocks.meet(&[0, 40]);
        assert_eq!(uses.unordered(0, false, &clocks, None), None);
        let (agent, time) = (clocks.agent(), clocks.act());
        uses.note_agent(agent, time, (1, 5));
        assert_eq!(
            (uses.unordered(0, false, &clocks, None), uses.unordered(0, true, &clocks, None)),
            (Some((1, 5)), None)
        );
        clocks.learn(0, agent, time);
        assert_eq!(uses.unordered(0, false, &clocks, None), None);
    }

    /// Lane 8 of a warp decides for lane 9, which has not met anybody.
    #[test]
    fn a_use_that_is_over_is_known_through_any_lane_of_its_warp() {
        for is_over in [false, true] {
            let mut clocks = Clocks::new(0, 1, 64);
            let mut uses = Uses::default();
            uses.note((41, 3), false, &clocks);
            if is_over {
                uses.returns(41, &clocks);
            }
            assert_eq!(uses.unordered(0, false, &clocks, None), Some((41, 3)));
            clocks.meet(&[0, 40]);
            assert_eq!(uses.unordered(0, false, &clocks, None), (!is_over).then_some((41, 3)));
            assert_eq!(uses.unordered(32, false, &clocks, None), (!is_over).then_some((41, 3)));
            // Later acts of lane 9 are not known.
            uses.note((41, 4), true, &clocks);
            assert_eq!(uses.unordered(0, false, &clocks, None), Some((41, 4)));
        }
    }

    /// Thread 0 follows the wait of thread 41 in the order of execution, but knows nothing of it.
    #[test]
    fn a_use_that_is_over_may_be_known_by_the_order_of_execution_alone() {
        for met in [false, true] {
            let (clocks, mut course) = (Clocks::new(0, 1, 64), Course::new(64));
            let mut uses = Uses::default();
            uses.note((41, 3), true, &clocks);
            uses.told([41].into_iter(), course.returns([41].into_iter()));
            if met {
                course.meet(None, &[0, 41], std::iter::empty());
            }
            let past = course.of(0);
            assert_eq!(uses.unordered(0, false, &clocks, Some(&past)), (!met).then_some((41, 3)));
            // A wait that has not returned is in flight.
            uses.note((41, 4), false, &clocks);
            uses.told([41].into_iter(), course.returns([41].into_iter()));
            assert_eq!(uses.unordered(0, false, &clocks, Some(&past)), Some((41, 4)));
        }
    }
}
