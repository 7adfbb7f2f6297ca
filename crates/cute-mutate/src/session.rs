//! A mutant in the place of the kernel, wherever this process runs it.
//!
//! A test runs kernels by the command line or by the Python package, which all come to [`run`].
//! While a [`Trial`] goes on, a run takes the mutant, and behaves as a device does: its findings
//! are kept for the judge, and the test is not told.

use crate::trial::{self, Applied, Ran, Trial};
use cute_launch::{Job, job::Outcome, simulate::Checks};
use cute_sim::Program;
use std::{
    fs::OpenOptions,
    io::Write,
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
};

/// Why there are no results.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Interrupted {
    /// A finding ended the run.
    #[error("the run of a mutant ended at a finding: {}", .0.join(", "))]
    Ended(Vec<String>),
    /// The mutant is not another program.
    #[error("the mutant is not another program")]
    NoMutant,
    /// The trial of the environment cannot be read, or not be answered.
    #[error("{0}")]
    Environment(String),
}

/// A trial that goes on, and what ran so far.
struct Active {
    trial: Trial,
    ran: Vec<Ran>,
}

static ACTIVE: OnceLock<Mutex<Option<Active>>> = OnceLock::new();

fn active() -> Result<MutexGuard<'static, Option<Active>>, Interrupted> {
    let state = match ACTIVE.get() {
        Some(state) => state,
        None => {
            let trial = Trial::of_environment().map_err(Interrupted::Environment)?;
            ACTIVE.get_or_init(|| Mutex::new(trial.map(|trial| Active { trial, ran: Vec::new() })))
        }
    };
    Ok(state.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Begins a trial in this process.
///
/// # Errors
/// [`Interrupted::Environment`].
pub fn begin(trial: Trial) -> Result<(), Interrupted> {
    *active()? = Some(Active { trial, ran: Vec::new() });
    Ok(())
}

/// Ends the trial. Returns what ran.
///
/// # Errors
/// [`Interrupted::Environment`].
pub fn end() -> Result<Vec<Ran>, Interrupted> {
    Ok(active()?.take().map(|active| active.ran).unwrap_or_default())
}

/// Whether a trial goes on.
///
/// # Errors
/// [`Interrupted::Environment`].
pub fn is_active() -> Result<bool, Interrupted> {
    Ok(active()?.is_some())
}

/// A kernel that a test runs.
pub struct TestedKernel<'s> {
    /// As it was read or compiled.
    pub program: &'s Program,
    /// The name and the text of its file; without them it is never a mutant.
    pub text: Option<(&'s str, &'s str)>,
}

/// How a run of a trial differs from one without.
pub struct Rules {
    /// Instructions that it may execute.
    pub budget: Option<u64>,
    /// Whether arrays of the caller are written.
    pub writes_back: bool,
}

impl Rules {
    /// The checks of such a run. A mutant may race, and its score must not depend on the host.
    pub fn apply(&self, checks: &mut Checks) {
        checks.most = self.budget;
        checks.goes_on = true;
        checks.repeatable = true;
    }
}

/// Runs a job, with the mutant if a trial asks for that. `read` makes a program of a mutant's text.
///
/// # Errors
/// Those of `simulate`, and [`Interrupted`].
pub fn run<E: From<Interrupted>>(
    subject: &TestedKernel<'_>,
    job: &mut Job<'_>,
    read: impl FnOnce(&str, &str) -> Option<Program>,
    simulate: impl FnOnce(&Program, &Job<'_>, Option<&Rules>) -> Result<Outcome, E>,
) -> Result<Outcome, E> {
    let trial = active()?.as_ref().map(|active| active.trial.clone());
    let Some(trial) = trial else { return simulate(subject.program, job, None) };
    let substitution = trial.substitution.as_ref();
    let chosen = substitution.zip(subject.text).filter(|(own, (_, text))| own.text == **text);
    let changed = chosen.map(|(own, (name, _))| trial::program(subject.program, || read(name, &own.instead)));
    let applied = match &changed {
        None => Applied::No,
        Some(Ok(_)) => Applied::Yes,
        Some(Err(why)) => *why,
    };
    let mut ran = Ran {
        text: subject.text.filter(|_| trial.lists_texts).map(|(name, text)| (name.into(), text.into())),
        kernels: Vec::new(),
        applied,
        found: Vec::new(),
        ended: false,
        digest: 0,
        instructions: 0,
    };
    if let Some(Err(_)) = changed {
        keep(&trial, ran)?;
        return Err(Interrupted::NoMutant.into());
    }
    if let Some(seed) = trial.other_floats {
        job.randomise(seed);
    }
    let rules = Rules { budget: trial.budget, writes_back: trial.other_floats.is_none() };
    let changed = changed.and_then(Result::ok);
    let mut outcome = simulate(changed.as_ref().unwrap_or(subject.program), job, Some(&rules))?;
    for (shape, report) in outcome.reports.simulated() {
        ran.kernels.push(shape.kernel.clone());
        ran.instructions += report.stats.instructions;
    }
    ran.ended = !outcome.reports.are_complete();
    ran.found = outcome.reports.take_errors().into_iter().map(str::to_owned).collect();
    ran.digest = outcome.digest(job);
    let (ended, found) = (ran.ended, ran.found.clone());
    keep(&trial, ran)?;
    if ended { Err(Interrupted::Ended(found).into()) } else { Ok(outcome) }
}

/// Keeps what ran for the judge.
fn keep(trial: &Trial, ran: Ran) -> Result<(), Interrupted> {
    if let Some(file) = &trial.record {
        let line = serde_json::to_string(&ran).expect("it has a form in JSON") + "\n";
        let written = OpenOptions::new().create(true).append(true).open(file);
        written.and_then(|mut file| file.write_all(line.as_bytes())).map_err(|why| {
            Interrupted::Environment(format!("cannot write '{}', which a trial names: {why}", file.display()))
        })?;
    }
    if let Some(active) = active()?.as_mut() {
        active.ran.push(ran);
    }
    Ok(())
}
