//! The program of a run, and the job that it is asked for.

use super::{
    cli::{Cli, Through},
    gpu::Code,
    here,
    views::{self, Shown},
};
use crate::{
    diagnostics::{Heard, message, session_that},
    error::{Error, Result},
    source,
};
use cute_arch::{Target, UnknownTarget};
use cute_driver::{CompiledModule, ptxas};
use cute_launch::{
    Host, Job, LaunchesFile, NamedKernels, OtherFile, Ptx,
    bind::{Arguments, Face, Given, Sms, Variables},
    launch::the_kernel,
    ptx::is_ptx,
};
use cute_manifest::Manifest;
use cute_mutate::session as mutants;
use cute_session::{Session, Source};
use cute_sim::Program;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// The time that ptxas may take to count registers for a page.
const MOST_ASSEMBLING: Duration = Duration::from_secs(60);

/// The program for each place that runs it, and the arguments of its kernels.
#[derive(Clone)]
pub(crate) struct Loaded {
    pub(crate) manifest: Manifest,
    pub(crate) program: Option<Program>,
    /// The name and the text that the program was read from.
    pub(crate) text: Option<(String, String)>,
    code: Option<Code>,
    pub(crate) host: Option<Host>,
    /// The names of all host functions.
    pub(crate) hosts: Vec<String>,
    pub(crate) target: Target,
    /// The source, if a page shows it.
    shown: Shown,
    warnings: Vec<String>,
}

impl Loaded {
    /// Prints the warnings.
    pub(crate) fn warn(&self) {
        warn(&self.warnings);
    }
}

fn warn(warnings: &[String]) {
    warnings.iter().for_each(|warning| message(&format!("warning: {}", cute_text::line(warning))));
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
    let mut shown = shown(options, source);
    if options.simulation.html.is_some() {
        shown.context = views::context(options, target);
    }
    if options.simulation.html.is_some() && !options.gpu {
        // Only ptxas knows the registers. Without them, the simulator can run all the same.
        let assembled = ptxas::assemble(&source.text, target, false, MOST_ASSEMBLING);
        let resources = assembled.into_iter().flat_map(|assembled| assembled.resources);
        shown.registers = resources.map(|own| own.to_string()).collect();
    }
    let text = Some((source.name.clone(), source.text.clone()));
    let Ptx { manifest, warnings, .. } = ptx;
    Ok(Loaded { manifest, program, text, code, host: None, hosts: Vec::new(), target, shown, warnings })
}

/// Compiles for a target, or for the first that has the instructions of the kernels.
pub(crate) fn load(options: &Cli, target: Option<Target>, heard: &Heard) -> Result<Loaded> {
    load_source(options, source::read(&options.file)?, target, session_that(heard))
}

/// Compiles a source, or reads it if it is PTX.
pub(crate) fn load_source(
    options: &Cli,
    source: Source,
    target: Option<Target>,
    session: Session,
) -> Result<Loaded> {
    if is_ptx(&source.text) {
        return load_ptx(options, &source, target);
    }
    if let Some(target) = target.filter(|target| !target.is_compiled()) {
        return Err(UnknownTarget { name: target.to_string() }.into());
    }
    let mut shown = shown(options, &source);
    let session = session.with_profile(options.producer.profile);
    // A mutant is one of PTX, with the lines of the source.
    let (is_trial, mut given) = (mutants::is_active()?, options.settings.clone());
    if is_trial {
        given.set("lineinfo", "true");
    }
    let through_ptx = options.through == Some(Through::Ptx) || is_trial;
    let mut text = Some((source.name.clone(), source.text.clone()));
    session.parsed(source, options.domain, |parsed| {
        let target = target.unwrap_or_else(|| parsed.target());
        if options.simulation.html.is_some() {
            shown.context = views::context(options, target);
        }
        let settings = given.options(target)?;
        let host = options.host.as_ref().map(|name| parsed.host(name.as_deref())).transpose()?;
        let hosts = parsed.hosts();
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
                let CompiledModule { ptx, cubin, manifest, .. } =
                    session.compiled_for_device(&mut lowered)?;
                (manifest, Some(Code { ptx, cubin, target }))
            }
            false => (lowered.manifest()?, None),
        };
        if options.simulates() && through_ptx {
            let name = options.file.with_extension("ptx").display().to_string();
            let ptx = session.compiled_for_device(&mut lowered)?.ptx;
            program = Some(Ptx::read(&name, &ptx, here().as_deref())?.program);
            text = Some((name, ptx));
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
        Ok(Loaded { manifest, program, text, code, host, hosts, target, shown, warnings: Vec::new() })
    })
}

/// The source for a page, if there is one.
fn shown(options: &Cli, source: &Source) -> Shown {
    if options.simulation.html.is_none() {
        return Shown::default();
    }
    let beside = options.file.parent().map(|folder| folder.display().to_string());
    let given = options.simulation.sources.iter().map(|folder| folder.display().to_string());
    Shown {
        file: source.name.clone(),
        text: source.text.clone(),
        folders: given.chain(beside).collect(),
        ..Shown::default()
    }
}

/// The manifest that `cutec -o k.ptx` writes beside the PTX.
pub(super) fn beside(file: &Path) -> PathBuf {
    format!("{}.json", file.display()).into()
}

/// A requested run, and what is needed to make it.
pub(crate) struct Ready<'r, 'm> {
    pub(crate) job: Job<'m>,
    pub(crate) program: Option<&'r Program>,
    /// The name and the text that the program was read from.
    pub(crate) text: Option<(&'r str, &'r str)>,
    pub(super) code: Option<Code>,
    pub(super) shown: Shown,
    pub(super) warnings: Vec<String>,
    /// The file of operations.
    pub(super) of_operations: Option<String>,
    /// The GPU that the program is compiled for.
    pub(crate) target: Target,
}

/// An error of a run with these operations.
pub(super) fn named(why: cute_launch::Error, of_operations: Option<&str>) -> Error {
    match of_operations {
        Some(file) => in_operations(why, file),
        None => why.into(),
    }
}

/// Binds the arguments of a run, and hands it on.
pub(crate) fn with_job<T>(
    options: &Cli,
    loaded: Loaded,
    sms: Sms,
    then: impl FnOnce(Ready<'_, '_>) -> Result<T>,
) -> Result<T> {
    let operations = options.launches.as_deref().map(operations).transpose()?;
    let Loaded { manifest, mut program, text, code, host, hosts, target, shown, mut warnings } = loaded;
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
    warn(&warnings);
    let given = |texts: &[String]| texts.iter().map(|text| Given::Text(text.clone())).collect::<Vec<_>>();
    let (others, set) = (given(&options.arrays), given(&options.variables));
    let given = given(&options.arguments);
    let variables = Variables { given: &set, program: program.as_ref() };
    let arguments = options.arguments(&given, &others, variables, sms);
    let of_operations = operations.as_ref().map(|file| file.name.clone());
    let file = options.file.display().to_string();
    let job = match (&host, operations) {
        (Some(host), _) => Job::of_host(host, &manifest, &arguments, target)?,
        (None, Some(operations)) => {
            let (name, arguments) = (operations.name.clone(), Arguments { face: Face::Json, ..arguments });
            let kernels = NamedKernels { manifest: &manifest, file: &file, others: &beside };
            let job = Job::of_operations(operations, kernels, &arguments, target);
            job.map_err(|why| in_operations(why, &name))?
        }
        (None, None) => {
            let kernel = the_kernel(&manifest, &file, options.kernel.as_deref())?;
            Job::of_kernel(kernel, &options.extents(), &arguments, target, &hosts)?
        }
    };
    let text = text.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
    then(Ready { job, program: program.as_ref(), text, code, shown, warnings, of_operations, target })
}

/// Reads the file of `--launches`.
pub(super) fn operations(file: &Path) -> Result<LaunchesFile> {
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
