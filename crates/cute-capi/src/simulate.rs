//! Launches in the simulator.

use std::ffi::c_char;

use cute_launch::{
    Launch, Ptx, Shape,
    elected::{Run, explained, is_suspect},
    launch::{self, blocks_of, misfit, the_kernel},
    ptx::is_ptx,
    report::Reports,
    simulate::{Checks, simulate},
};
use cute_manifest::{Kernel, Manifest};
use cute_report::{
    page::Page,
    timeline::{Blocks, Recorded},
};
use cute_session::{Parsed, Source};
use cute_sim::{Election, Memory, Program, Report};
use serde::Serialize;

use crate::{
    Failure, Status,
    arguments::{elements, text},
    bind::{CuteArgument, bind},
    calls::run,
    result::{CuteResult, MANIFEST, Parts, REPORT, REPORT_HTML, REPORT_JSON},
    session::CuteSession,
};

/// `cute_launch`.
#[repr(C)]
pub struct CuteLaunch {
    kernel: *const c_char,
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
            let (program, manifest, target) = if is_ptx(&source.text) {
                let ptx = Ptx::read(&source.name, &source.text)?;
                session.call(parts, |s| {
                    ptx.warnings.iter().for_each(|warning| s.warn(warning.clone()));
                    Ok(())
                })?;
                (ptx.program, ptx.manifest, session.target().unwrap_or(ptx.target))
            } else {
                let settings = session.settings()?;
                let (program, manifest) = session
                    .call(parts, |s| s.parsed(source, session.domain, |parsed| decoded(parsed, &settings)))?;
                (program, manifest, settings.target)
            };
            parts.set(MANIFEST, manifest.to_json());
            let kernel = the_kernel(&manifest, &file, wanted)?;
            let shape = shape(asked, kernel);
            if let Some(why) = misfit(kernel, &shape, target) {
                return Err(Failure::argument(format!("kernel '{}': {why}", kernel.name)));
            }
            let mut memory = Memory::new();
            let bound = bind(&kernel.leaves(), arguments, &mut memory)
                .map_err(|why| Failure::argument(format!("kernel '{}': {why}", kernel.name)))?;
            let launch = Launch { kernel, target, shape, words: bound.words.clone() };
            let checks = page.watch(&session.checks);
            let (reports, memory) = run_all(&program, &checks, std::slice::from_ref(&launch), memory)?;
            let report = reports.into_iter().next().expect("a launch has a report");
            parts.set(REPORT, report.to_string());
            parts.set(REPORT_JSON, json(&report));
            page.set(parts, vec![(launch.shape, report.clone())], &checks);
            let done = verdict(kernel, &report);
            if session.keep_arrays || done.is_ok() && report.is_complete {
                bound.copy_back(&memory);
            }
            done
        })
    }
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
            let (host, (program, manifest)) = session.call(parts, |s| {
                s.parsed(source, session.domain, |parsed| {
                    Ok::<_, Failure>((parsed.host(function)?, decoded(parsed, &settings)?))
                })
            })?;
            parts.set(MANIFEST, manifest.to_json());
            let mut memory = Memory::new();
            let bound = bind(&host.function.leaves(), arguments, &mut memory)
                .map_err(|why| Failure::argument(format!("host function '{}': {why}", host.program.name)))?;
            let launches = launch::launches(&host.program, &manifest, settings.target, &bound.words)?;
            let checks = page.watch(&session.checks);
            let (reports, memory) = run_all(&program, &checks, &launches, memory)?;
            let pairs = || launches.iter().zip(&reports);
            let done = pairs().try_for_each(|(launch, report)| verdict(launch.kernel, report));
            parts.set(REPORT, reports.iter().map(ToString::to_string).collect::<String>());
            parts.set(REPORT_JSON, json(&reports));
            let is_complete = reports.iter().all(|report| report.is_complete);
            let shapes = launches.into_iter().map(|launch| launch.shape);
            page.set(parts, shapes.zip(reports).collect(), &checks);
            if session.keep_arrays || done.is_ok() && is_complete {
                bound.copy_back(&memory);
            }
            done
        })
    }
}

/// Runs launches up to the first with an error. An error that only the highest lane of an election
/// shows is explained.
fn run_all(
    program: &Program,
    checks: &Checks,
    launches: &[Launch<'_>],
    mut memory: Memory,
) -> Result<Run, cute_launch::Error> {
    let run = |checks: &Checks, memory: &mut Memory| {
        let mut reports = Vec::new();
        for (i, launch) in launches.iter().enumerate() {
            reports.push(simulate(program, checks, launch, launches.get(i + 1), memory, |_| {})?);
            if reports.last().is_some_and(|report| report.errors().next().is_some()) {
                break;
            }
        }
        Ok::<_, cute_launch::Error>(reports)
    };
    let elects_last = checks.elect.is_none() && checks.schedule.election() == Election::Last;
    let before = elects_last.then(|| memory.clone());
    let own = (run(checks, &mut memory)?, memory);
    match before.filter(|_| is_suspect(&own)) {
        None => Ok(own),
        Some(before) => explained(own, &[], checks, |election| {
            let checks = Checks { elect: Some(election), watcher: None, ..checks.clone() };
            let mut memory = before.clone();
            Ok((run(&checks, &mut memory)?, memory))
        }),
    }
}

/// The recording of a run for its page, if the session asks for one.
struct Recording(Option<(Recorded, String, String)>);

impl Recording {
    fn of(session: &CuteSession, source: &Source) -> Self {
        let recorded = || (Recorded::new(Blocks::default()), source.name.clone(), source.text.clone());
        Recording(session.checks.banks.then(recorded))
    }

    fn watch(&self, checks: &Checks) -> Checks {
        let watcher = self.0.as_ref().map(|(recorded, ..)| recorded.watcher());
        Checks { watcher, ..checks.clone() }
    }

    /// Sets the part with the page.
    fn set(&self, parts: &mut Parts, launches: Vec<(Shape, Report)>, checks: &Checks) {
        let Some((recorded, file, text)) = &self.0 else { return };
        let timeline = recorded.take();
        let whole = timeline.is_whole() || launches.is_empty();
        let interrupted = (!whole).then_some("the run ended before its blocks did");
        let reports = &Reports::of(launches, checks.schedule);
        let timeline = Some(&timeline);
        parts.set(REPORT_HTML, Page { file, text, reports, timeline, registers: &[], interrupted }.write());
    }
}

/// The kernels of a module for the simulator, and how they are launched.
fn decoded(parsed: Parsed<'_, '_>, settings: &cute_driver::Options) -> Result<(Program, Manifest), Failure> {
    let mut lowered = parsed.lower(settings)?;
    let program = cute_decode::decode(lowered.kernel_module()?);
    let program = program.map_err(|why| Failure::new(Status::Failed, why.to_string()))?;
    Ok((program, lowered.manifest()?))
}

fn json(report: &impl Serialize) -> String {
    serde_json::to_string_pretty(report).expect("a report is JSON") + "\n"
}

/// A failure if there are findings.
fn verdict(kernel: &Kernel, report: &Report) -> Result<(), Failure> {
    let found = match report.error_count() {
        0 => return Ok(()),
        1 => "1 finding".into(),
        count => format!("{count} findings"),
    };
    Err(Failure::new(Status::Findings, format!("kernel '{}' has {found}", kernel.name)))
}

/// The launch that is asked for, with the kernel's own numbers where it has zeros.
fn shape(asked: &CuteLaunch, kernel: &Kernel) -> Shape {
    let given = |extents: [u32; 3]| Some(extents).filter(|extents| *extents != [0; 3]);
    let required = kernel.block.map(|block| block.map(|n| n.max(0) as u32));
    let shared = kernel.shared_memory.dynamic_size.unwrap_or(0).min(u32::MAX.into()) as u32;
    Shape {
        kernel: kernel.name.clone(),
        grid: if kernel.grid_of_clusters { blocks_of(asked.grid, kernel) } else { asked.grid },
        block: given(asked.block).or(required).unwrap_or([0; 3]),
        shared_memory: asked.shared_memory.max(shared),
        cluster: given(asked.cluster),
        preferred_cluster: None,
        cooperative: false,
        programmatic: false,
    }
}
