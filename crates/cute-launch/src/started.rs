//! The start of a launch, for those who follow its threads without running them.

use crate::{
    error::{Error, Result},
    job::Job,
    simulate::{Checks, InStream, described},
    simulator::uploaded,
};
use cute_sim::{Program, Start};

/// The only launch of a job as the simulator takes it, and how its threads begin; `None` if the job
/// has several launches.
///
/// # Errors
/// Those of a run that does not begin.
pub fn started(
    program: &Program,
    checks: &Checks,
    job: &Job<'_>,
) -> Result<Option<(cute_sim::Launch, Start)>> {
    let (mut memory, _, addresses) = uploaded(job)?;
    let launches = job.launches(&addresses)?;
    let [launch] = &launches[..] else { return Ok(None) };
    let (launch, args) = described(program, checks, launch, InStream::default())?;
    let start = program.start(&launch, &mut memory, &args);
    Ok(Some((launch, start.map_err(|why| Error::Simulator(Box::new(why)))?)))
}
