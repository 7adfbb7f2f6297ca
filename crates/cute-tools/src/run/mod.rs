//! `cutec run`: kernels in the simulator, or on a GPU.
//!
//! | file | subject |
//! |---|---|
//! | `cli`, `npy` | the command line, and arrays in files |
//! | `simulation` | the options that `cutec exec` has too |
//! | `gpu` | runs on a GPU; `cute-launch` has those in the simulator |
//! | `failure` | the report about a run that did not begin |
//! | `ready` | the program of a run, and the job that it is asked for |
//! | `progress` | the bar of a long run |
//! | `verdict` | runs that are kept, and said again |
//! | `views` | traces and pages of a run |

pub mod cli;
pub(crate) mod failure;
#[allow(unsafe_code)]
pub mod gpu;
pub mod npy;
mod progress;
pub(crate) mod ready;
pub mod simulation;
mod verdict;
pub(crate) mod views;

use crate::{
    diagnostics::{Heard, message},
    error::{Error, Result, UnwrittenFiles},
    overwrite::{collide, replaces},
    source,
};
use cli::Cli;
use cute_launch::{
    Allow, Job,
    after::After,
    array::Array,
    bind::{self, Sms},
    compare::{Comparison, compare, documented},
    job::{Outcome, Place},
    ptx::is_ptx,
    report::{Reports, VERSION},
    simulate::Checks,
    simulator::Simulator,
};
use cute_mutate::{session as mutants, trial};
use cute_output::{Sink, Writing};
use cute_session::{Listener, Session, Source};
use cute_sim::Program;
use failure::Stage;
use gpu::Gpu;
use progress::progress;
pub(crate) use ready::read_ptx;
use ready::{Ready, beside, load, load_source, named, operations, with_job};
use serde::Serialize;
use std::{
    env,
    io::Write,
    path::{Path, PathBuf},
};
use views::Views;

/// Runs a kernel, or a host function. A report for programs says why there is none.
///
/// # Errors
/// Those of [`reported`].
pub fn run(options: &Cli) -> Result<()> {
    let heard = Heard::default();
    let stage = Stage::default();
    let fresh = || reported(options, &heard, &stage);
    let done = match &options.cache {
        Some(folder) => verdict::kept(folder, options, &stage, fresh),
        None => fresh(),
    };
    match &done {
        Err(error) if !stage.has_report() => failure::print(options, error, &heard)?,
        _ => {}
    }
    done
}

/// Runs a kernel, or a host function.
///
/// # Errors
/// Returns an error if the run is not possible. After the report, returns [`Error::Findings`] if
/// the kernel has findings, or [`Error::Differs`] if the GPU's arrays differ from the simulator's.
fn reported(options: &Cli, heard: &Heard, stage: &Stage) -> Result<()> {
    if let Some(option) = options.simulators_option().filter(|_| !options.simulates()) {
        return Err(Error::ForSimulator { option });
    }
    let views = Views::of(options)?;
    let gpu = if options.gpu { Some(Gpu::open()?) } else { None };
    let target = match &gpu {
        Some(gpu) => Some(gpu.target(options.target)?),
        None => options.target,
    };
    let sms = match (&gpu, options.sms) {
        (Some(gpu), None) => Sms(Some(gpu.sms()?)),
        (_, said) => Sms(said.or(options.named().map(|device| device.multiprocessors))),
    };
    let loaded = load(options, target, heard)?;
    with_job(options, loaded, sms, |ready| simulated(options, stage, views.as_ref(), gpu.as_ref(), ready))
}

/// Runs a job in the simulator, on a GPU, or on both, and reports.
fn simulated(
    options: &Cli,
    stage: &Stage,
    views: Option<&Views>,
    gpu: Option<&Gpu>,
    mut ready: Ready<'_, '_>,
) -> Result<()> {
    let code = ready.code.take();
    let outputs = options.outputs.iter().map(|o| output(o, &ready.job)).collect::<Result<Vec<_>>>()?;
    check_files(&outputs, views, options)?;
    views.map_or(Ok(()), |views| views.check(&ready.job, options))?;

    let simulator = match ready.program {
        Some(program) => {
            let watch = |checks: Checks| {
                let sums = checks.sums.or(gpu.map(Gpu::sums));
                let checks = Checks { sums, ..checks };
                views.map_or_else(|| checks.clone(), |views| views.watch(checks.clone()))
            };
            let mut outcome = in_simulator(options, program, &mut ready, watch)?;
            outcome.reports.warnings = ready.warnings.clone();
            Some(outcome)
        }
        None => None,
    };
    let Ready { job, shown, .. } = ready;
    // A kernel with known mistakes does not run on a device.
    if let Some(outcome) = &simulator
        && let Some((kernel, count)) = outcome.reports.findings()
    {
        stage.print(options, &outcome.reports, &outcome.reports, &outcome.reports)?;
        views.map_or(Ok(()), |views| views.write(&outcome.reports, &shown))?;
        if views.is_some_and(Views::is_interrupted) {
            return Err(Error::Interrupted { left: left(&outputs) });
        }
        if options.keep_arrays {
            write(&job, &outcome.arrays, &outputs)?;
            return Err(Error::Findings { kernel: kernel.into(), count, left: UnwrittenFiles(Vec::new()) });
        }
        return Err(Error::Findings { kernel: kernel.into(), count, left: left(&outputs) });
    }
    if let (Some(views), Some(outcome)) = (views, &simulator) {
        views.write(&outcome.reports, &shown)?;
    }
    let gpu = gpu.zip(code).map(|(gpu, code)| gpu::Loaded { gpu, code }.run(&job)).transpose()?;
    let arrays = match (simulator, gpu) {
        (Some(one), None) | (None, Some(one)) => {
            stage.print(options, &one.reports, &one.reports, &one.reports)?;
            warn(&job, &one, &outputs);
            if !one.reports.are_complete() && !options.keep_arrays && !outputs.is_empty() {
                message(
                    "warning: an accepted finding ended the run, so that no array is written; --keep-arrays writes them",
                );
                return Ok(());
            }
            one.arrays
        }
        (Some(simulator), Some(gpu)) => both(options, stage, &job, &simulator, gpu, &outputs)?,
        (None, None) => Vec::new(),
    };

    write(&job, &arrays, &outputs)
}

/// Runs a job in the simulator, with a mutant in the place of its kernel if a trial goes on.
pub(crate) fn in_simulator(
    options: &Cli,
    program: &Program,
    ready: &mut Ready<'_, '_>,
    watch: impl Fn(Checks) -> Checks,
) -> Result<Outcome> {
    let (schedule, schedules) = (options.simulation.schedule, options.simulation.schedules);
    let mut checks = options.checks();
    checks.allow.extend(allowed()?);
    let (target, text) = (ready.target, ready.text);
    let read = |name: &str, text: &str| match is_ptx(text) {
        true => trial::read_ptx(name, text),
        false => {
            let source = Source::new(name.to_owned(), text.as_bytes().to_vec()).ok()?;
            let silent = Session::new(Listener::new(|_| {}));
            load_source(options, source, Some(target), silent).ok()?.program
        }
    };
    let of_operations = ready.of_operations.clone();
    let subject = mutants::TestedKernel { program, text };
    mutants::run(&subject, &mut ready.job, read, |program, job, rules| {
        let mut checks = watch(checks.clone());
        if let Some(rules) = rules {
            rules.apply(&mut checks);
        }
        let simulator = Simulator { program, checks, schedule, schedules, progress: &progress };
        simulator.run(job).map_err(|why| named(why, of_operations.as_deref()))
    })
}

/// The entries of the allow list of the current directory, if it has one.
pub(crate) fn allowed() -> Result<Vec<Allow>> {
    let file = Path::new(ALLOWED);
    if !file.exists() {
        return Ok(Vec::new());
    }
    let text = source::read(file)?.text;
    Allow::read(&text).map_err(|why| Error::Allow { file: file.display().to_string(), why })
}

/// Writes arrays to the files of `--out`, all or none.
fn write(job: &Job<'_>, arrays: &[After], outputs: &[Output]) -> Result<()> {
    let mut files = Vec::new();
    for Output { array, file, .. } in outputs {
        let (array, after) = (&job.arrays[*array], &arrays[*array]);
        let header = npy::header(array.element, &array.shape);
        let write = move |to: &mut dyn Write| {
            to.write_all(&header)?;
            after.parts(array, |part| to.write_all(part))
        };
        files.push((sink(file), write));
    }
    let files: Vec<(Sink, Writing<'_>)> =
        files.iter().map(|(sink, write)| (sink.clone(), write as _)).collect();
    Ok(cute_output::write_parts(&files)?)
}

/// The folder from which places are named.
fn here() -> Option<PathBuf> {
    env::current_dir().ok()
}

/// An `--out`.
struct Output {
    text: String,
    /// The number of its array.
    array: usize,
    file: String,
}

/// Reads `NAME=FILE`.
fn output(text: &str, job: &Job<'_>) -> Result<Output> {
    let fail = |why: String| Error::Out { argument: text.into(), why };
    let arrays = &job.arrays;
    let (name, file) = text.split_once('=').ok_or_else(|| fail("write NAME=FILE.npy".into()))?;
    // PTX has the symbol of the kernel in front of the names of its parameters.
    let is_it =
        |a: &Array| a.name == name || a.name.starts_with("param_") && name.ends_with(&format!("_{}", a.name));
    let array = arrays.iter().position(is_it).ok_or_else(|| {
        let names = arrays.iter().map(|a| a.name.as_str()).collect::<Vec<_>>().join(", ");
        fail(format!("there is no array '{name}'; there are {names}"))
    })?;
    if job.variables.iter().any(|variable| variable.is_constant && variable.array == array) {
        return Err(fail(format!("'{name}' is in constant memory, which kernels cannot write to")));
    }
    Ok(Output { text: text.into(), array, file: file.into() })
}

fn sink(file: &str) -> Sink {
    Sink::of(Some(Path::new(file)))
}

/// The allow list that every run in a folder reads, if there is one.
const ALLOWED: &str = "cute-allow.toml";

/// The files that a run of the simulator reads besides the module; some need not exist.
fn inputs(options: &Cli) -> Vec<PathBuf> {
    let arrays = options.arguments.iter().chain(&options.arrays).chain(&options.variables);
    let arrays = arrays.filter_map(|text| bind::file(text));
    let launches = options.launches.as_deref().filter(|file| *file != Path::new("-"));
    // A file that cannot be read names no others.
    let of_launches = launches.and_then(|file| operations(file).ok()).map(|all| {
        let programs = all.programs().into_iter();
        let programs =
            programs.flat_map(|file| [file.to_owned(), beside(Path::new(file)).display().to_string()]);
        programs.chain(all.files()).collect::<Vec<_>>()
    });
    let named = arrays.chain(of_launches.into_iter().flatten()).map(PathBuf::from);
    let named = named.chain(launches.into_iter().chain(options.settings.libdevice()).map(Path::to_path_buf));
    named.chain([beside(&options.file), PathBuf::from(ALLOWED)]).collect()
}

/// Refuses an output that would replace an input, or another output.
fn check_files(outputs: &[Output], views: Option<&Views>, options: &Cli) -> Result<()> {
    let inputs = inputs(options);
    let own = |view: (&'static str, &str)| (format!("{} {}", view.0, view.1), view.1.to_owned());
    let views = views.into_iter().flat_map(Views::files).map(own);
    let outputs = outputs.iter().map(|o| (format!("--out {}", o.text), o.file.clone()));
    let all: Vec<(String, String)> = outputs.chain(views).collect();
    for (i, (option, file)) in all.iter().enumerate() {
        let own = sink(file);
        let why = if replaces(&own, &options.file) {
            "it would overwrite the module"
        } else if inputs.iter().any(|input| replaces(&own, input)) {
            "it would overwrite a file that this run reads"
        } else if let Some((other, _)) = all[..i].iter().find(|(_, file)| collide(&sink(file), &own)) {
            return Err(Error::SameFile { option: option.clone(), other: other.clone() });
        } else {
            continue;
        };
        return Err(Error::Output { option: option.clone(), why });
    }
    Ok(())
}

/// The files that a failure leaves as they are.
fn left(outputs: &[Output]) -> UnwrittenFiles {
    UnwrittenFiles(outputs.iter().map(|o| o.file.clone()).collect())
}

/// Warns about a requested array that still has its initial contents.
fn warn(job: &Job<'_>, outcome: &Outcome, outputs: &[Output]) {
    let Some(written) = &outcome.written else { return };
    for Output { array, file, .. } in outputs.iter().filter(|o| !written[o.array]) {
        let name = &job.arrays[*array].name;
        message(&format!(
            "warning: the kernel never writes to array {name}; '{file}' gets its initial contents"
        ));
    }
}

/// The report of two runs for tools.
#[derive(Serialize)]
struct Both<'r> {
    version: u32,
    gpu: &'r Reports,
    simulator: &'r Reports,
    arrays: &'r [Comparison],
}

/// Reports two runs, and returns the GPU's arrays if they match the simulator's.
fn both(
    options: &Cli,
    stage: &Stage,
    job: &Job<'_>,
    simulator: &Outcome,
    gpu: Outcome,
    outputs: &[Output],
) -> Result<Vec<After>> {
    let approximate = &simulator.reports.approximate()[..];
    let pairs = gpu.arrays.iter().zip(&simulator.arrays);
    // Addresses differ from place to place.
    let comparisons: Vec<Comparison> = (job.arrays.iter().zip(pairs))
        .filter(|(array, _)| array.holes.is_empty())
        .map(|(array, (gpu, simulator))| {
            let tolerance = options.tolerance.unwrap_or_else(|| documented(approximate, array.element));
            compare(array, &gpu.rows(array), &simulator.rows(array), tolerance)
        })
        .collect();
    let mut lines = String::new();
    if options.tolerance.is_none() && !approximate.is_empty() {
        lines.push_str("allowed beside one unit of an array's type, as PTX documents it:\n");
        lines.extend(approximate.iter().map(|accuracy| format!("  {accuracy}\n")));
    }
    lines.extend(comparisons.iter().map(|c| format!("{c}\n")));
    let both =
        Both { version: VERSION, gpu: &gpu.reports, simulator: &simulator.reports, arrays: &comparisons };
    stage.print(options, &format!("{}{lines}", gpu.reports), &both, &simulator.reports)?;
    match comparisons.iter().filter(|c| c.beyond > 0).count() {
        0 => {
            warn(job, simulator, outputs);
            Ok(gpu.arrays)
        }
        count => Err(Error::Differs { count, of: comparisons.len(), left: left(outputs) }),
    }
}
