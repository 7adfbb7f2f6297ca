//! The waits for phases of an `mbarrier` that the end of the next phase must follow.

use crate::course::Past;
use crate::lanes::lanes_of;
use cute_arch::WARP;
use std::rc::Rc;

/// Lanes of a warp that asked for the end of a phase at once, for the first time.
#[derive(Debug, Clone, Copy)]
struct Asked {
    warp: u32,
    lanes: u32,
    /// Instructions of the warp before.
    first: u64,
}

/// Lanes whose wait returned at once.
#[derive(Debug, Clone, Copy)]
struct Answered {
    asked: Asked,
    site: u32,
    time: u64,
}

/// Lanes whose wait may come after the end of the next phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Missed {
    pub(super) warp: u32,
    pub(super) lanes: u32,
    pub(super) site: u32,
    /// Another lane of the warp asked by the same instruction, no earlier, and the end of the phase
    /// follows its wait.
    pub(super) within_warp: bool,
}

/// The waits at one `mbarrier`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Waits {
    /// The past of what has contributed to this phase, and that of the end of the phase before.
    passed: Rc<Past>,
    pub(super) complete: Rc<Past>,
    /// For the end of this phase.
    asking: Vec<Asked>,
    /// For the end of the phase before.
    asked: Vec<Asked>,
    answered: Vec<Answered>,
    /// Those that missed the end of this phase, or would have.
    pub(super) missed: Vec<Missed>,
}

impl Waits {
    /// Something with this past contributes to the phase.
    pub(super) fn follow(&mut self, past: &Rc<Past>) {
        self.passed = Past::both(&self.passed, past);
    }

    /// Lanes ask for the end of this phase.
    pub(super) fn ask(&mut self, warp: u32, lanes: u32, first: u64) {
        let own = self.asking.iter().filter(|asked| asked.warp == warp);
        let lanes = own.fold(lanes, |lanes, asked| lanes & !asked.lanes);
        if lanes != 0 {
            self.asking.push(Asked { warp, lanes, first });
        }
    }

    /// Lanes learn of the end of the phase before. They asked for it by now.
    pub(super) fn answer(&mut self, (warp, lanes): (u32, u32), site: u32, now: u64, time: u64) {
        let (mut left, mut groups) = (lanes, Vec::new());
        // A later answer replaces an earlier one, but not the first question.
        let earlier = self.answered.iter().map(|own| own.asked).chain(self.asked.iter().copied());
        for asked in earlier.filter(|asked| asked.warp == warp && asked.lanes & lanes != 0) {
            groups.push(Asked { lanes: asked.lanes & left, ..asked });
            left &= !asked.lanes;
        }
        groups.push(Asked { warp, lanes: left, first: now });
        let own = self.answered.iter_mut().filter(|own| own.asked.warp == warp);
        own.for_each(|own| own.asked.lanes &= !lanes);
        self.answered.retain(|own| own.asked.lanes != 0);
        let groups = groups.into_iter().filter(|asked| asked.lanes != 0);
        self.answered.extend(groups.map(|asked| Answered { asked, site, time }));
    }

    /// The phase ends.
    pub(super) fn complete_phase(&mut self) {
        let answered = std::mem::take(&mut self.answered);
        for Answered { asked: Asked { warp, lanes, first }, site, time } in answered.iter().copied() {
            let follows = |lane: u32, time| self.passed.knows(warp * WARP + lane, time);
            let lost = lanes_of(lanes).filter(|lane| !follows(*lane, time)).fold(0, |m, lane| m | 1 << lane);
            if lost != 0 {
                let is_alike =
                    |own: &&Answered| (own.asked.warp, own.site) == (warp, site) && own.asked.first >= first;
                let alike = answered.iter().filter(is_alike);
                let mut alike = alike.flat_map(|own| lanes_of(own.asked.lanes).map(|lane| (lane, own.time)));
                let within_warp = alike.any(|(lane, time)| follows(lane, time));
                self.missed.push(Missed { warp, lanes: lost, site, within_warp });
            }
        }
        // The next phase ends after this one.
        self.complete = self.passed.clone();
        self.asked = std::mem::take(&mut self.asking);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::Course;

    /// Lanes of warp 1 wait for a phase; one of them, or a thread of warp 0, ends the next one.
    #[test]
    fn the_next_phase_follows_the_waits() {
        for (meets, late, ender) in
            [(true, 0, 32), (false, 0, 32), (false, 1 << 7, 32), (false, 0, 0), (true, 0, 0)]
        {
            let mut course = Course::new(64);
            let mut waits = Waits::default();
            waits.ask(1, !late, 5);
            waits.ask(1, late, 9);
            waits.complete_phase();
            for lanes in [!late, late] {
                let time = course.returns(lanes_of(lanes).map(|lane| 32 + lane));
                waits.answer((1, lanes), 3, 12, time);
            }
            if meets {
                course.meet(None, &(32..64).collect::<Vec<_>>(), std::iter::once(1));
            }
            waits.follow(&course.of(ender));
            waits.complete_phase();
            let missed = |lanes, within_warp| Missed { warp: 1, lanes, site: 3, within_warp };
            let expected = match (meets, late, ender) {
                (true, _, 32) => vec![],
                (false, 0, 32) => vec![missed(!1, true)],
                (false, late, 32) => vec![missed(!1 & !late, true), missed(late, false)],
                _ => vec![missed(u32::MAX, false)],
            };
            assert_eq!(waits.missed, expected, "{meets} {late:#x} {ender}");
        }
    }

    #[test]
    fn a_wait_after_a_question_is_one_wait() {
        let mut course = Course::new(32);
        let mut waits = Waits::default();
        for now in [4, 8] {
            let time = course.returns(0..32);
            waits.answer((0, u32::MAX), 2, now, time);
        }
        assert_eq!(waits.answered.len(), 1);
        assert_eq!((waits.answered[0].asked.first, waits.answered[0].time), (4, 2));
        waits.follow(&course.of_all(0..32));
        waits.complete_phase();
        assert!(waits.missed.is_empty());
    }
}
