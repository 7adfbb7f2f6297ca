//! `cutec run`: kernels in the simulator, or on a GPU.
//!
//! | file | subject |
//! |---|---|
//! | `cli`, `npy` | the command line, and arrays in files |
//! | `simulation` | the options that `cutec exec` has too |
//! | `gpu` | runs on a GPU; `cute-launch` has those in the simulator |
//! | `failure` | the report about a run that did not begin |
//! | `progress` | the bar of a long run |
//! | `verdict` | runs that are kept, and said again |
//! | `views` | traces and pages of a run |

pub mod cli;
mod failure;
#[allow(unsafe_code)]
pub mod gpu;
pub mod npy;
mod progress;
pub mod simulation;
mod verdict;
pub(crate) mod views;

use crate::{
    diagnostics::{Heard, message, session_that},
    error::{Error, Result, Unwritten},
    overwrite::{collide, replaces},
    source,
};
use cli::{Cli, Through};
use cute_arch::{Target, UnknownTarget};
use cute_driver::{Compiled, ptxas};
use cute_launch::{
    Allow, Host, Job, Kernels, LaunchesFile, OtherFile, Ptx,
    after::After,
    array::Array,
    bind::{self, Arguments, Face, Given, Sms, Variables},
    compare::{Comparison, compare, documented},
    job::{Outcome, Place},
    launch::the_kernel,
    ptx::is_ptx,
    report::{Reports, VERSION},
    simulator::Simulator,
};
use cute_manifest::Manifest;
use cute_output::{Sink, Writing};
use cute_session::Source;
use cute_sim::Program;
use failure::Stage;
use gpu::{Code, Gpu};
use progress::progress;
use serde::Serialize;
use std::{
    env,
    io::Write,
    path::{Path, PathBuf},
};
use views::{Shown, Views};

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
    let operations = options.launches.as_deref().map(operations).transpose()?;
    let Loaded { manifest, mut program, code, host, hosts, target, shown, mut warnings } =
        load(options, target, heard)?;
    let mut beside = Vec::new();
    for file in operations.iter().flat_map(LaunchesFile::programs) {
        let own = Path::new(file);
        if own == options.file {
            continue;
        }
        let source = source::read(own)?;
        let mut ptx = read_ptx(own, &source)?;
        warnings.append(&mut ptx.warnings);
        beside.extend(program.as_mut().map(|program| OtherFile::join(file, ptx, program)));
    }
    warnings.iter().for_each(|warning| message(&format!("warning: {}", cute_text::line(warning))));
    let given = |texts: &[String]| texts.iter().map(|text| Given::Text(text.clone())).collect::<Vec<_>>();
    let (others, set) = (given(&options.arrays), given(&options.variables));
    let given = given(&options.arguments);
    let variables = Variables { given: &set, program: program.as_ref() };
    let arguments = options.arguments(&given, &others, variables, sms);
    let of_operations = operations.as_ref().map(|file| file.name.clone());
    let named = |why: cute_launch::Error| match &of_operations {
        Some(file) => in_operations(why, file),
        None => why.into(),
    };
    let file = options.file.display().to_string();
    let job = match (&host, operations) {
        (Some(host), _) => Job::of_host(host, &manifest, &arguments, target)?,
        (None, Some(operations)) => {
            let arguments = Arguments { face: Face::Json, ..arguments };
            let kernels = Kernels { manifest: &manifest, file: &file, others: &beside };
            Job::of_operations(operations, kernels, &arguments, target).map_err(named)?
        }
        (None, None) => {
            let kernel = the_kernel(&manifest, &file, options.kernel.as_deref())?;
            Job::of_kernel(kernel, &options.extents(), &arguments, target, &hosts)?
        }
    };
    let outputs = options.outputs.iter().map(|o| output(o, &job)).collect::<Result<Vec<_>>>()?;
    let views = views.as_ref();
    check_files(&outputs, views, options)?;
    views.map_or(Ok(()), |views| views.check(&job, options))?;

    let (schedule, schedules) = (options.simulation.schedule, options.simulation.schedules);
    let mut checks = options.checks();
    checks.allow.extend(allowed()?);
    checks.sums = checks.sums.or(gpu.as_ref().map(Gpu::sums));
    let simulate = |program: &Program| {
        let checks = views.map_or_else(|| checks.clone(), |views| views.watch(checks.clone()));
        let simulator = Simulator { program, checks, schedule, schedules, progress: &progress };
        let mut outcome = simulator.run(&job).map_err(named)?;
        outcome.reports.warnings = warnings.clone();
        Ok::<_, Error>(outcome)
    };
    let simulator = program.as_ref().map(simulate).transpose()?;
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
            return Err(Error::Findings { kernel: kernel.into(), count, left: Unwritten(Vec::new()) });
        }
        return Err(Error::Findings { kernel: kernel.into(), count, left: left(&outputs) });
    }
    if let (Some(views), Some(outcome)) = (views, &simulator) {
        views.write(&outcome.reports, &shown)?;
    }
    let gpu = gpu.zip(code).map(|(gpu, code)| gpu::Loaded { gpu: &gpu, code }.run(&job)).transpose()?;
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

/// Reads the file of `--launches`.
fn operations(file: &Path) -> Result<LaunchesFile> {
    let source = source::read(file)?;
    let name = source.name.clone();
    LaunchesFile::read(&name, &source.text).map_err(|why| in_operations(why, &name))
}

/// An error of a file of operations, with its name.
fn in_operations(why: cute_launch::Error, file: &str) -> Error {
    match why {
        why @ cute_launch::Error::Operations { .. } => {
            Error::Operations { file: file.to_owned(), why: why.to_string() }
        }
        why => why.into(),
    }
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
    for Output { text, array, file } in outputs {
        let (array, after) = (&job.arrays[*array], &arrays[*array]);
        let header = npy::header(array.element, &array.shape);
        let header = header.map_err(|why| Error::Out { argument: text.clone(), why })?;
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

/// The program for each place that runs it, and the arguments of its kernels.
struct Loaded {
    manifest: Manifest,
    program: Option<Program>,
    code: Option<Code>,
    host: Option<Host>,
    /// The names of all host functions.
    hosts: Vec<String>,
    target: Target,
    /// The source, if a page shows it.
    shown: Shown,
    warnings: Vec<String>,
}

/// The folder from which places are named.
fn here() -> Option<PathBuf> {
    env::current_dir().ok()
}

/// Reads a file of PTX, with the manifest that lies beside it.
pub(crate) fn read_ptx(file: &Path, source: &Source) -> Result<Ptx> {
    let mut ptx = Ptx::read(&source.name, &source.text, here().as_deref())?;
    let beside = beside(file);
    if beside.exists() {
        ptx.describe(&beside.display().to_string(), &source::read(&beside)?.text)?;
    }
    Ok(ptx)
}

/// Loads a file of PTX.
fn load_ptx(options: &Cli, source: &Source, target: Option<Target>) -> Result<Loaded> {
    if options.host.is_some() {
        return Err(Error::PtxHasNoHost);
    }
    let ptx = read_ptx(&options.file, source)?;
    let target = target.unwrap_or(ptx.target);
    let code = options.gpu.then(|| Code { ptx: source.text.clone(), cubin: None, target });
    let program = options.simulates().then_some(ptx.program);
    let shown = shown(options, source);
    let Ptx { manifest, warnings, .. } = ptx;
    Ok(Loaded { manifest, program, code, host: None, hosts: Vec::new(), target, shown, warnings })
}

/// Compiles for a target, or for the first that has the instructions of the kernels.
fn load(options: &Cli, target: Option<Target>, heard: &Heard) -> Result<Loaded> {
    let source = source::read(&options.file)?;
    if is_ptx(&source.text) {
        return load_ptx(options, &source, target);
    }
    if let Some(target) = target.filter(|target| !target.is_compiled()) {
        return Err(UnknownTarget { name: target.to_string() }.into());
    }
    let mut shown = shown(options, &source);
    let session = session_that(heard).with_profile(options.producer.profile);
    session.parsed(source, options.domain, |parsed| {
        let target = target.unwrap_or_else(|| parsed.target());
        let settings = options.settings.options(target)?;
        let host = options.host.as_ref().map(|name| parsed.host(name.as_deref())).transpose()?;
        let hosts = parsed.hosts();
        let through_ptx = options.through == Some(Through::Ptx);
        let mut lowered = match options.simulates() && !through_ptx {
            true => parsed.lower_to_simulate(&settings)?,
            false => parsed.lower(&settings)?,
        };
        let gpu_module = lowered.kernel_module()?;
        let program =
            (options.simulates() && !through_ptx).then(|| cute_decode::decode(gpu_module)).transpose();
        let mut program = program.map_err(|e| cute_launch::Error::Simulator(Box::new(e)))?;
        let (manifest, code) = match options.gpu {
            true => {
                let Compiled { ptx, cubin, manifest, .. } = session.compiled_for_device(&mut lowered)?;
                (manifest, Some(Code { ptx, cubin, target }))
            }
            false => (lowered.manifest()?, None),
        };
        if options.simulates() && through_ptx {
            let name = options.file.with_extension("ptx").display().to_string();
            let text = session.compiled_for_device(&mut lowered)?.ptx;
            program = Some(Ptx::read(&name, &text, here().as_deref())?.program);
        }
        // Only ptxas knows the registers. If it fails, the simulator can run all the same.
        if options.simulation.html.is_some()
            && !through_ptx
            && !options.gpu
            && ptxas::find().is_ok()
            && let Ok(compiled) = session.compiled_for_device(&mut lowered)
        {
            shown.registers = compiled.resources.iter().map(ToString::to_string).collect();
        }
        Ok(Loaded { manifest, program, code, host, hosts, target, shown, warnings: Vec::new() })
    })
}

/// The source for a page, if there is one.
fn shown(options: &Cli, source: &Source) -> Shown {
    match options.simulation.html {
        Some(_) => Shown { file: source.name.clone(), text: source.text.clone(), registers: Vec::new() },
        None => Shown::default(),
    }
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

/// The manifest that `cutec -o k.ptx` writes beside the PTX.
fn beside(file: &Path) -> PathBuf {
    format!("{}.json", file.display()).into()
}

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
fn left(outputs: &[Output]) -> Unwritten {
    Unwritten(outputs.iter().map(|o| o.file.clone()).collect())
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
