//! Mistakes that only the highest lane of an `elect.sync` shows.
//!
//! PTX does not say which lane is elected, and devices elect the lowest. Kernels of CUTLASS rely on
//! that. So a mistake that a run with the highest lane shows and one with the lowest does not is
//! reported with the election that it relies on, and graded by what is known about devices.

use crate::{allow::accept, error::Result, simulate::Checks};
use cute_sim::{Election, Finding, Memory, Report};
use std::collections::BTreeMap;

/// The result of a run: the report of each launch, and the memory.
pub(crate) type Run = (Vec<Report>, Memory);

/// Whether a run that elects the highest lane has errors that may depend on it.
pub fn is_suspect((reports, _): &Run) -> bool {
    let has_errors = reports.iter().any(|report| report.errors().next().is_some());
    has_errors && reports.iter().any(|report| !report.elections.is_empty())
}

/// Explains errors of a run that elects the highest lane and that runs under `others` do not have.
/// If some of them are gone with the lowest lane, the result is that run, together with these as
/// findings of [their own kind](cute_sim::FindingKind::ElectedLane). Otherwise it is the run
/// itself. `again` runs the same launches with another lane.
///
/// # Errors
/// Returns the errors of `again`.
pub fn explained(
    run: Run,
    others: &[Report],
    checks: &Checks,
    mut again: impl FnMut(Election) -> Result<Run>,
) -> Result<Run> {
    let shows = |reports: &[Report], launch: usize, finding: &Finding| {
        reports.get(launch).is_some_and(|report| report.errors().any(|other| other.is_like(finding)))
    };
    let own = run.0.iter().enumerate().flat_map(|(i, report)| report.errors().map(move |f| (i, f)));
    let suspects: Vec<(usize, &Finding)> = own.filter(|(i, f)| !shows(others, *i, f)).collect();
    if suspects.is_empty() {
        return Ok(run);
    }
    let (mut reports, memory) = again(Election::First)?;
    let gone: Vec<(usize, &Finding)> =
        suspects.into_iter().filter(|(i, f)| !shows(&reports, *i, f)).collect();
    if gone.is_empty() {
        return Ok(run);
    }
    let mut sites: Vec<u32> = run.0.iter().flat_map(|r| &r.elections).map(|e| e.site).collect();
    sites.sort_unstable();
    sites.dedup();
    let mut known: BTreeMap<usize, Vec<Report>> = BTreeMap::new();
    for (launch, finding) in gone {
        // The first election that makes the mistake appear when it joins those before it.
        let (mut without, mut with) = (0, sites.len());
        while with - without > 1 {
            let middle = without + (with - without) / 2;
            let reports = match known.remove(&middle) {
                Some(reports) => reports,
                None => again(Election::LastBefore(sites[middle - 1] + 1))?.0,
            };
            match shows(&reports, launch, finding) {
                true => with = middle,
                false => without = middle,
            }
            known.insert(middle, reports);
        }
        let named = |report: &Report| report.elections.iter().find(|e| e.site == sites[with - 1]).cloned();
        let election = run.0.get(launch).and_then(named).or_else(|| run.0.iter().find_map(named));
        let Some(election) = election else { continue };
        let finding = finding.clone().on_elected_lane(&election, checks.strict_isa);
        if let Some(report) = reports.get_mut(launch) {
            report.findings.push(finding);
        }
    }
    reports.iter_mut().for_each(|report| accept(&checks.allow, report));
    Ok((reports, memory))
}
