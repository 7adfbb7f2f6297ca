//! The results of runs, to compare those of a changed kernel with those of the kernel.

use crate::prove::How;
use cute_launch::{Job, job::Outcome};
use cute_sim::{Grade, Schedule};
use std::{
    collections::BTreeSet,
    fmt,
    sync::{Mutex, PoisonError},
};

/// A run of the simulator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub n: i64,
    pub schedule: Schedule,
    pub races: bool,
}

impl Run {
    pub fn how(self) -> How {
        How { schedule: self.schedule, watcher: None, races: self.races }
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "n = {}, {}", self.n, self.schedule)
    }
}

/// The results of runs.
#[derive(Debug, Default)]
pub struct Record(Mutex<Vec<(Run, Seen)>>);

/// The results of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    /// A number that follows from the elements of all arrays.
    pub digest: u64,
    /// The findings that are not errors.
    pub remarks: BTreeSet<String>,
}

impl Record {
    pub fn keep(&self, run: Run, outcome: &Outcome, job: &Job<'_>) {
        let remarks = outcome.reports.simulated().flat_map(|(_, report)| {
            let all = report.findings.iter().chain(&report.hidden_notes);
            all.filter(|finding| finding.grade != Grade::Error)
                .map(|finding| format!("{}: `{}`: {}", finding.location, finding.op, finding.kind.name()))
        });
        let seen = Seen { digest: outcome.digest(job), remarks: remarks.collect() };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((run, seen));
    }

    /// All results.
    pub fn all(&self) -> Vec<(Run, Seen)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn get(&self, run: Run) -> Option<Seen> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().find(|(own, _)| *own == run).map(|(_, seen)| seen.clone())
    }
}
