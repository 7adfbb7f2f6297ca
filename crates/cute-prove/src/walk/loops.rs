//! Loops: the period of one, and its induction.

use super::{Head, MOST_STEPS, Stop, Visit, Walk};
use crate::{
    registers::{Reg, lanes_of},
    trace::{Event, Part, Trace},
    value::{Bounds, Line, Val, at_end, changing, later},
};
use std::collections::HashMap;

/// Iterations of a loop, after which no period of it is looked for.
const MOST_VISITS: usize = 72;

impl Walk<'_> {
    /// Notes that the warp is at the head of a loop once more, and looks for its period.
    pub(super) fn visit(&mut self, pc: u32) -> Result<(), Stop> {
        let now = Visit { registers: self.registers.clone(), decisions: self.decisions.len() };
        let head = (pc, self.pcs, self.alive, self.parked);
        let all = self.visits.entry(head).or_default();
        if all.last().is_none_or(|before| before.decisions >= now.decisions) {
            all.clear();
        }
        all.push(now);
        let count = all.len() - 1;
        let Some(length) = self.length(head) else { return Ok(()) };
        let tries = [0, 1, 2, 4, 8, 16, 32];
        let mut reason = None;
        if count >= length && (tries.contains(&(count - length)) || count == MOST_VISITS) {
            match self.summarise(head, length) {
                Ok(()) => return Ok(()),
                Err(Stop::Undecided { pc, why }) => reason = Some((pc, why)),
                Err(other) => return Err(other),
            }
        }
        if count == MOST_VISITS {
            if let Some(period) = self.period_of(head, length) {
                return Err(Stop::Period(period));
            }
            let (pc, why) = reason.unwrap_or((pc, "a loop without a period".into()));
            return self.undecided(pc, why);
        }
        Ok(())
    }

    /// The decisions before the visit of a head that lies this number of iterations back.
    pub(super) fn decided(&self, head: Head, back: usize) -> Option<&[(u32, Line)]> {
        let all = &self.visits[&head];
        let end = all.len().checked_sub(back + 1)?;
        let begin = end.checked_sub(1)?;
        Some(&self.decisions[all[begin].decisions..all[end].decisions])
    }

    /// The iterations after which one period less is left: those by which the line of a decision
    /// comes nearer to its end by its slope.
    ///
    /// Lanes that are apart may decide one after the other, with a visit after each decision, so
    /// that the line stays in each second one. So the steps over one, two and four visits are
    /// compared with those over twice as many.
    pub(super) fn length(&self, head: Head) -> Option<usize> {
        let now = self.decided(head, 0)?;
        let over = |visits: usize, (pc, line): &(u32, Line)| {
            let before = self.decided(head, visits)?;
            let (_, other) = before.iter().find(|(at, other)| at == pc && other.q == line.q)?;
            let (step, all) = (other.c - line.c, line.q.checked_mul(visits as i64)?);
            let iterations = all.checked_div(step)?;
            (line.q != 0 && iterations > 0 && iterations * step == all).then_some(iterations as usize)
        };
        let steady = |visits: usize| {
            now.iter().find_map(|own| over(visits, own).filter(|first| over(2 * visits, own) == Some(*first)))
        };
        [1, 2, 4].into_iter().find_map(steady).or_else(|| now.iter().find_map(|own| over(1, own)))
    }

    /// The period of sizes with which the registers of a loop come again, if it is another one.
    pub(super) fn period_of(&self, head: Head, length: usize) -> Option<i64> {
        let all = &self.visits[&head];
        let crate::world::Size::All { period, .. } = self.world.size else { return None };
        // The first visits may be unlike the others.
        let last = all.len() - 1;
        let steady_visits = last.saturating_sub(8);
        // Numbers of iterations after which each register has changed by the same amount.
        let mut fits = u64::MAX;
        for slot in 0..self.registers.len() {
            let at = |visit: usize| &all[visit].registers[slot];
            // A parity changes once in a turn of a ring.
            if (1..=steady_visits).all(|back| at(last) == at(last - back)) {
                continue;
            }
            for lane in lanes_of(self.alive) {
                let value = |back: usize| at(last - back).at(lane);
                let change = |p: usize, back: usize| match (value(back + p), value(back)) {
                    (a, b) if a == b => Some(0),
                    (a, b) => match changing(a, b) {
                        Val::Line(line) => Some(line.t),
                        _ => None,
                    },
                };
                // As far back as there are visits, in steps.
                let is_steady = |p: usize, step: usize| {
                    let first = change(p, 0);
                    let mut others = (0..=steady_visits - p).step_by(step);
                    first.is_some() && others.all(|back| change(p, back) == first)
                };
                let steady = |step: &dyn Fn(usize) -> usize| {
                    (1..=(steady_visits / 2).min(63))
                        .filter(|p| is_steady(*p, step(*p)))
                        .fold(0u64, |own, p| own | 1 << p)
                };
                // One that is set in some iterations only need not change alike in all of them.
                let own = match steady(&|_| 1) {
                    0 => steady(&|p| p),
                    own => own,
                };
                if own != 0 {
                    fits &= own;
                }
                if matches!(at(last), Reg::All(_)) {
                    break;
                }
            }
        }
        let own = (fits != 0).then(|| fits.trailing_zeros() as i64).filter(|own| *own < 64)?;
        // `length` iterations are `period` sizes.
        let whole = lcm(own, length as i64);
        let new = period * (whole / length as i64);
        (new != period && new <= 256).then_some(new)
    }

    /// Shows that the loop repeats itself, and goes to its last period.
    pub(super) fn summarise(&mut self, head: Head, length: usize) -> Result<(), Stop> {
        let all = &self.visits[&head];
        let (after, before) = (&all[all.len() - 1], &all[all.len() - 1 - length]);
        let claim = |a: &Reg, b: &Reg| match (a, b) {
            (Reg::All(a), Reg::All(b)) => Reg::All(changing(*a, *b)),
            (a, b) => Reg::of(|lane| changing(a.at(lane), b.at(lane))),
        };
        let mut claims: Vec<Reg> =
            before.registers.iter().zip(&after.registers).map(|(a, b)| claim(a, b)).collect();
        for _ in 0..16 {
            let mut trial = Walk {
                world: self.world,
                registers: claims.clone(),
                trace: Trace::default(),
                bounds: Bounds::default(),
                period: Some(self.fresh),
                visits: HashMap::new(),
                decisions: Vec::new(),
                open: HashMap::new(),
                reads: self.reads.clone(),
                notes: self.notes.clone(),
                ..*self
            };
            let mut count = 0;
            while count < length {
                if trial.step()?.is_some_and(|pc| (pc, trial.pcs, trial.alive, trial.parked) == head) {
                    count += 1;
                }
                if trial.steps - self.steps > MOST_STEPS / 8 {
                    return self.undecided(head.0, "a loop inside does not end");
                }
                if trial.alive == 0 {
                    return self.undecided(head.0, "the loop ends too early");
                }
            }
            self.steps = trial.steps;
            let mut weaker = false;
            for (claim, found) in claims.iter_mut().zip(&trial.registers) {
                let holds = |claim: Val, found: Val| claim == Val::Unknown || later(claim) == found;
                match (&*claim, found) {
                    (Reg::All(a), Reg::All(b)) if holds(*a, *b) => {}
                    (a, b) => {
                        let alive = self.alive;
                        if lanes_of(alive).all(|lane| holds(a.at(lane), b.at(lane))) {
                            continue;
                        }
                        weaker = true;
                        *claim =
                            match (a, b) {
                                (Reg::All(_), Reg::All(_)) => Reg::All(Val::Unknown),
                                (a, b) => Reg::of(|lane| {
                                    if holds(a.at(lane), b.at(lane)) { a.at(lane) } else { Val::Unknown }
                                }),
                            };
                    }
                }
            }
            if weaker {
                continue;
            }
            let less = trial.bounds.left;
            self.bounds.left = self.bounds.left.max(less);
            self.bounds.most = self.bounds.most.min(trial.bounds.most);
            self.fresh = trial.fresh;
            self.registers = claims.iter().map(|reg| reg.map(|value| at_end(value, less))).collect();
            let body: Vec<Event> = trial
                .trace
                .parts
                .into_iter()
                .flat_map(|part| match part {
                    Part::Once(events) | Part::Times { body: events, .. } => events,
                })
                .collect();
            self.trace.parts.push(Part::Times { body, less });
            self.visits.clear();
            return Ok(());
        }
        self.undecided(head.0, "the registers of a loop follow no rule")
    }
}

pub(crate) fn lcm(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
