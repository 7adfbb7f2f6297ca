//! Runs of the simulator, whose events must be those of the walks.

use super::{Answer, How, Model, Prover, Sizes};
use crate::conform::{Clusters, Difference, Seer, replay};
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
    seen: BTreeMap<i64, Clusters>,
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

    fn difference(&self, n: i64, seen: &Clusters, model: &Model<'_>) -> Option<Answer> {
        let Difference { at, why } = self.conforms(seen, model).err()?;
        let (place, who) = self.differs(at);
        let why = format!("{who} does something else than the analysis says (n = {n}): {why}");
        Some(Answer::Undecided { place, why })
    }

    /// Compares a run with the walks. Returns the instructions that were reached.
    pub(super) fn conforms(&self, seen: &Clusters, model: &Model<'_>) -> Result<BTreeSet<u32>, Difference> {
        let (mut reached, none) = (BTreeSet::new(), Default::default());
        for (number, cluster) in self.clusters.iter().enumerate() {
            let of = |i: usize, rank: u32, warp: u32| ((rank, warp), model(number, i));
            let warps: Vec<_> = (0..).zip(cluster).map(|(i, (rank, _, warp))| of(i, *rank, *warp)).collect();
            let own = seen.get(&(number as u32)).unwrap_or(&none);
            reached.extend(replay(self.kernel, &warps, own)?);
        }
        Ok(reached)
    }

    /// The place of a difference, and the warp that it is about.
    pub(super) fn differs(&self, at: Option<(u32, u32, u32)>) -> (Option<String>, String) {
        match at {
            Some((rank, warp, pc)) => (self.place(pc), format!("warp {warp} of block {rank}")),
            None => (None, "the run".to_owned()),
        }
    }
}
