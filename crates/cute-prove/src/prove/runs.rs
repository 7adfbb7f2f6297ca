//! Runs of the simulator, whose events must be those of the walks.

use super::{Answer, MOST_SCHEDULES, Model, Prover, Sizes};
use crate::conform::Seer;
use cute_sim::{Schedule, events::Watcher};
use std::{collections::BTreeSet, sync::Arc, time::Instant};

impl<S: Sizes> Prover<'_, S> {
    /// Runs a size in the simulator. Answers if there is a finding, or if the run is not one that
    /// the walks describe.
    pub(super) fn runs(&self, n: i64, ran: &mut BTreeSet<i64>, walks: Option<&Model<'_>>) -> Option<Answer> {
        // The order of the barriers is one for all schedules: larger sizes need one of them.
        let all = [Schedule::Lazy, Schedule::Eager, Schedule::Reverse];
        let some = match walks.is_some() && n >= self.question.first + MOST_SCHEDULES {
            true => &all[(n % 3) as usize..][..1],
            false => &all[..],
        };
        for schedule in some.iter().copied() {
            if Instant::now() > self.deadline {
                let why = format!("the time of {} s is over", self.question.time.as_secs_f64());
                return Some(Answer::Undecided { place: None, why });
            }
            let seer = Seer::default();
            let watched = walks.filter(|_| schedule != Schedule::Reverse);
            let watcher = watched.map(|_| Watcher::new(Arc::new(seer.clone())));
            match self.sizes.run(n, schedule, watcher) {
                Ok(None) => {}
                Ok(Some(finding)) => return Some(Answer::Counterexample { n, schedule, finding }),
                Err(why) => return Some(Answer::Undecided { place: None, why: format!("n = {n}: {why}") }),
            }
            let Some(walks) = watched else { continue };
            let seen = seer.events();
            for (number, cluster) in self.clusters.iter().enumerate() {
                for (i, (rank, _, warp)) in cluster.iter().enumerate() {
                    let own = seen.get(&(number as u32, *rank, *warp)).cloned().unwrap_or_default();
                    let model = walks(number, i);
                    if own != model {
                        let at = own
                            .iter()
                            .zip(&model)
                            .position(|(a, b)| a != b)
                            .unwrap_or(own.len().min(model.len()));
                        let pc = own.get(at).or(model.get(at)).map_or(0, |(pc, _)| *pc);
                        let why = format!(
                            "warp {warp} of block {rank} does something else than the analysis says (n = {n})"
                        );
                        return Some(Answer::Undecided { place: self.place(pc), why });
                    }
                }
            }
        }
        ran.insert(n);
        None
    }
}
