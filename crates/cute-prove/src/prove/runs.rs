//! Runs of the simulator, whose events must be those of the walks.

use super::{Answer, How, Model, Prover, Sizes};
use crate::conform::{Events, Seer};
use cute_sim::{Schedule, events::Watcher};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Instant,
};

/// The schedules that find what depends on the order of events.
const SCHEDULES: [Schedule; 3] = [Schedule::Lazy, Schedule::Eager, Schedule::Reverse];

/// The results of the simulator so far.
#[derive(Debug, Default)]
pub(super) struct Looked {
    /// Sizes without findings, under one schedule at least.
    pub ran: BTreeSet<i64>,
    /// The events of some of them.
    seen: BTreeMap<i64, Events>,
}

impl<S: Sizes> Prover<'_, S> {
    /// The schedule of a size that runs once.
    fn schedule(n: i64) -> Schedule {
        SCHEDULES[n.rem_euclid(3) as usize]
    }

    /// Runs a size once. Answers if there is a finding.
    pub(super) fn look(&self, n: i64, looked: &mut Looked) -> Option<Answer> {
        let (schedule, seer) = (Self::schedule(n), Seer::default());
        let watcher = Some(Watcher::new(Arc::new(seer.clone())));
        let answer = self.once(n, How { schedule, watcher, races: true });
        if answer.is_none() {
            looked.ran.insert(n);
            looked.seen.insert(n, seer.events());
        }
        answer
    }

    /// Runs a size under each schedule that finds much. Answers if there is a finding.
    pub(super) fn search(&self, n: i64, looked: &mut Looked) -> Option<Answer> {
        let left = SCHEDULES.into_iter().filter(|own| !looked.ran.contains(&n) || *own != Self::schedule(n));
        let answer =
            left.into_iter().find_map(|schedule| self.once(n, How { schedule, watcher: None, races: true }));
        if answer.is_none() {
            looked.ran.insert(n);
        }
        answer
    }

    fn once(&self, n: i64, how: How) -> Option<Answer> {
        if Instant::now() > self.deadline {
            let why = format!("the time of {} s is over", self.question.time.as_secs_f64());
            return Some(Answer::Undecided { place: None, why });
        }
        let schedule = how.schedule;
        match self.sizes.run(n, how) {
            Ok(None) => None,
            Ok(Some(finding)) => Some(Answer::Counterexample { n, schedule, finding }),
            Err(why) => Some(Answer::Undecided { place: None, why: format!("n = {n}: {why}") }),
        }
    }

    /// Runs a size that has not run yet, and compares it with what the walks describe. Answers if
    /// there is a finding, or a difference.
    pub(super) fn compared(&self, n: i64, looked: &mut Looked, model: &Model<'_>) -> Option<Answer> {
        if !looked.ran.contains(&n)
            && let Some(answer) = self.look(n, looked)
        {
            return Some(answer);
        }
        // A highest lane that is elected is that of other walks.
        let seen = looked.seen.remove(&n).filter(|_| Self::schedule(n) != Schedule::Reverse)?;
        self.difference(n, &seen, model)
    }

    /// Compares the events of a size that is derived from smaller ones.
    pub(super) fn derived(&self, n: i64, model: &Model<'_>) -> Option<Answer> {
        let seer = Seer::default();
        let watcher = Some(Watcher::new(Arc::new(seer.clone())));
        let how = How { schedule: Schedule::Eager, watcher, races: false };
        self.once(n, how).or_else(|| self.difference(n, &seer.events(), model))
    }

    fn difference(&self, n: i64, seen: &Events, model: &Model<'_>) -> Option<Answer> {
        for (number, cluster) in self.clusters.iter().enumerate() {
            for (i, (rank, _, warp)) in cluster.iter().enumerate() {
                // Lanes that are apart do not depend on each other: the order is that of each lane.
                let by_lane = |mut all: Vec<(u32, u32)>| {
                    all.sort_by_key(|(_, lane)| *lane);
                    all
                };
                let own = by_lane(seen.get(&(number as u32, *rank, *warp)).cloned().unwrap_or_default());
                let model = by_lane(model(number, i));
                if own == model {
                    continue;
                }
                let at =
                    own.iter().zip(&model).position(|(a, b)| a != b).unwrap_or(own.len().min(model.len()));
                let pc = own.get(at).or(model.get(at)).map_or(0, |(pc, _)| *pc);
                let why = format!(
                    "warp {warp} of block {rank} does something else than the analysis says (n = {n})"
                );
                return Some(Answer::Undecided { place: self.place(pc), why });
            }
        }
        None
    }
}
