//! Launches in the simulator.

use std::{env, ffi::c_char, fs};

use cute_arch::Target;
use cute_launch::{
    Host, Job, LaunchesFile, Ptx,
    bind::{Arguments, Face, Variables},
    job::{Grid, Outcome, Place, RequestedExtents},
    launch::the_kernel,
    ptx::is_ptx,
    report::Reports,
    simulate::Checks,
    simulator::{Simulator, unfollowed},
};
use cute_manifest::Manifest;
use cute_report::{
    page::{ENDED, Page},
    timeline::{Blocks, LaunchRecorder},
};
use cute_session::{Parsed, Source};
use cute_sim::Program;
use serde::Serialize;

use crate::{
    Failure, Status,
    arguments::{elements, text},
    bind::{CuteArgument, Passing},
    calls::run,
    result::{CuteResult, MANIFEST, Parts, REPORT, REPORT_HTML, REPORT_JSON},
    session::CuteSession,
};

/// `cute_launch`.
#[repr(C)]
pub struct CuteLaunch {
    pub(crate) kernel: *const c_char,
    grid: [u32; 3],
    block: [u32; 3],
    shared_memory: u32,
    cluster: [u32; 3],
}

/// `cute_simulate`.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_simulate(
    session: *const CuteSession,
    name: *const c_char,
    at: *const c_char,
    length: usize,
    launch: *const CuteLaunch,
    arguments: *const CuteArgument,
    count: usize,
    result: *mut *mut CuteResult,
) -> Status {
    // SAFETY: promised by the caller; this also holds in the closure.
    unsafe {
        run(session, (name, at, length), result, |session, source, parts| {
            let asked = launch.as_ref().ok_or_else(|| Failure::argument("the launch is null"))?;
            let wanted = text("the name of the kernel", asked.kernel)?;
            let arguments = elements("the arguments", arguments, count)?;
            let file = source.name.clone();
            let page = Recording::of(session, &source);
            let Loaded { program, manifest, target, hosts, warnings } = loaded(session, source, parts)?;
            let kernel = the_kernel(&manifest, &file, wanted)?;
            let passing = Passing::read(&kernel.leaves(), arguments)
                .map_err(|why| Failure::argument(format!("kernel '{}': {why}", kernel.name)))?;
            let job = Job::of_kernel(kernel, &extents(asked), &passing.arguments(), target, &hosts)?;
            let mut outcome = simulated(session, &program, &job, &page)?;
            outcome.reports.warnings = warnings;
            parts.set(REPORT_JSON, json(&outcome.reports));
            let done = page.finish(parts, &outcome.reports);
            if is_kept(session, &outcome.reports) {
                passing.copy_back(&job, &outcome);
            }
            done
        })
    }
}

/// A text as the simulator runs it.
pub(crate) struct Loaded {
    pub(crate) program: Program,
    pub(crate) manifest: Manifest,
    pub(crate) target: Target,
    /// The names of the host functions.
    hosts: Vec<String>,
    warnings: Vec<String>,
}

/// Reads PTX, or lowers a module.
pub(crate) fn loaded(session: &CuteSession, source: Source, parts: &mut Parts) -> Result<Loaded, Failure> {
    let loaded = if is_ptx(&source.text) {
        let ptx = read_ptx(session, &source)?;
        session.call(parts, |s| {
            ptx.warnings.iter().for_each(|warning| s.warn(warning.clone()));
            Ok(())
        })?;
        let target = session.target().unwrap_or(ptx.target);
        let Ptx { program, manifest, warnings, .. } = ptx;
        Loaded { program, manifest, target, hosts: Vec::new(), warnings }
    } else {
        let settings = session.settings()?;
        let (hosts, (program, manifest)) = session.call(parts, |s| {
            s.parsed(source, session.domain, |parsed| {
                Ok::<_, Failure>((parsed.hosts(), decoded(parsed, &settings)?))
            })
        })?;
        Loaded { program, manifest, target: settings.target, hosts, warnings: Vec::new() }
    };
    parts.set(MANIFEST, loaded.manifest.to_json());
    Ok(loaded)
}

/// `cute_simulate_launches`.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_simulate_launches(
    session: *const CuteSession,
    name: *const c_char,
    at: *const c_char,
    length: usize,
    launches: *const c_char,
    result: *mut *mut CuteResult,
) -> Status {
    // SAFETY: promised by the caller; this also holds in the closure.
    unsafe {
        run(session, (name, at, length), result, |session, source, parts| {
            let launches =
                text("the launches", launches)?.ok_or_else(|| Failure::argument("the launches are null"))?;
            let operations = LaunchesFile::read("launches", launches)?;
            let file = source.name.clone();
            let page = Recording::of(session, &source);
            let Loaded { program, manifest, target, warnings, .. } = loaded(session, source, parts)?;
            let passing = Passing::read(&[], &[]).map_err(Failure::argument)?;
            let variables = Variables { given: &[], program: Some(&program) };
            let arguments = Arguments { face: Face::Json, variables, ..passing.arguments() };
            let job = Job::of_operations(operations, (&manifest, &file), &arguments, target)?;
            let mut outcome = simulated(session, &program, &job, &page)?;
            outcome.reports.warnings = warnings;
            parts.set(REPORT_JSON, json(&outcome.reports.each()));
            page.finish(parts, &outcome.reports)
        })
    }
}

/// Reads PTX, and the manifest that the session has for it.
fn read_ptx(session: &CuteSession, source: &Source) -> Result<Ptx, Failure> {
    let mut ptx = Ptx::read(&source.name, &source.text, env::current_dir().ok().as_deref())?;
    if let Some((file, name)) = &session.manifest {
        let json = fs::read_to_string(file)
            .map_err(|why| Failure::new(Status::Failed, format!("cannot read '{name}': {why}")))?;
        ptx.describe(name, &json)?;
    }
    Ok(ptx)
}

/// `cute_simulate_host`.
///
/// # Safety
/// As the header says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cute_simulate_host(
    session: *const CuteSession,
    name: *const c_char,
    at: *const c_char,
    length: usize,
    function: *const c_char,
    arguments: *const CuteArgument,
    count: usize,
    result: *mut *mut CuteResult,
) -> Status {
    // SAFETY: promised by the caller; this also holds in the closure.
    unsafe {
        run(session, (name, at, length), result, |session, source, parts| {
            let function = text("the name of the function", function)?;
            let arguments = elements("the arguments", arguments, count)?;
            let settings = session.settings()?;
            let page = Recording::of(session, &source);
            let (host, (program, manifest)): (Host, _) = session.call(parts, |s| {
                s.parsed(source, session.domain, |parsed| {
                    Ok::<_, Failure>((parsed.host(function)?, decoded(parsed, &settings)?))
                })
            })?;
            parts.set(MANIFEST, manifest.to_json());
            let passing = Passing::read(&host.function.leaves(), arguments)
                .map_err(|why| Failure::argument(format!("host function '{}': {why}", host.program.name)))?;
            let job = Job::of_host(&host, &manifest, &passing.arguments(), settings.target)?;
            let outcome = simulated(session, &program, &job, &page)?;
            parts.set(REPORT_JSON, json(&outcome.reports.each()));
            let done = page.finish(parts, &outcome.reports);
            if is_kept(session, &outcome.reports) {
                passing.copy_back(&job, &outcome);
            }
            done
        })
    }
}

/// Runs a job under the schedules that the session asks for.
fn simulated(
    session: &CuteSession,
    program: &Program,
    job: &Job<'_>,
    page: &Recording,
) -> Result<Outcome, cute_launch::Error> {
    let checks = page.watch(&session.checks);
    let (schedule, schedules) = (session.schedule, session.schedules);
    Simulator { program, checks, schedule, schedules, progress: &unfollowed }.run(job)
}

/// Whether arrays are written back: like a file, after a run without findings.
fn is_kept(session: &CuteSession, reports: &Reports) -> bool {
    session.keep_arrays || reports.findings().is_none() && reports.are_complete()
}

/// The recording of a run for its page, if the session asks for one.
struct Recording(Option<(LaunchRecorder, String, String)>);

impl Recording {
    fn of(session: &CuteSession, source: &Source) -> Self {
        let recorded = || (LaunchRecorder::new(Blocks::default()), source.name.clone(), source.text.clone());
        Recording(session.checks.banks.then(recorded))
    }

    fn watch(&self, checks: &Checks) -> Checks {
        let watcher = self.0.as_ref().map(|(recorded, ..)| recorded.watcher());
        Checks { watcher, ..checks.clone() }
    }

    /// Sets the parts with the text and the page. A failure if there are findings.
    fn finish(&self, parts: &mut Parts, reports: &Reports) -> Result<(), Failure> {
        parts.set(REPORT, reports.to_string());
        if let Some((recorded, file, text)) = &self.0 {
            let timeline = recorded.take();
            let whole = timeline.is_whole() || reports.simulated().next().is_none();
            let interrupted = (!whole).then_some(ENDED);
            let timeline = Some(&timeline);
            parts.set(
                REPORT_HTML,
                Page { file, text, reports, timeline, registers: &[], interrupted }.write(),
            );
        }
        let Some((kernel, count)) = reports.findings() else { return Ok(()) };
        let found = if count == 1 { "1 finding".into() } else { format!("{count} findings") };
        Err(Failure::new(Status::Findings, format!("kernel '{kernel}' has {found}")))
    }
}

/// The kernels of a module for the simulator, and how they are launched.
pub(crate) fn decoded(
    parsed: Parsed<'_, '_>,
    settings: &cute_driver::Options,
) -> Result<(Program, Manifest), Failure> {
    let mut lowered = parsed.lower_to_simulate(settings)?;
    let program = cute_decode::decode(lowered.kernel_module()?);
    let program = program.map_err(|why| Failure::new(Status::Failed, why.to_string()))?;
    Ok((program, lowered.manifest()?))
}

pub(crate) fn json(report: &impl Serialize) -> String {
    serde_json::to_string_pretty(report).expect("a report is JSON") + "\n"
}

/// The launch that is asked for; zeros stand for the kernel's own numbers.
pub(crate) fn extents(asked: &CuteLaunch) -> RequestedExtents {
    let given = |extents: [u32; 3]| Some(extents).filter(|extents| *extents != [0; 3]);
    RequestedExtents {
        preferred_cluster: None,
        grid: Grid::Extents(asked.grid),
        block: given(asked.block),
        shared: Some(asked.shared_memory).filter(|bytes| *bytes > 0),
        cluster: given(asked.cluster),
        cooperative: false,
    }
}
