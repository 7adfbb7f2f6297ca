//! Programs of the simulator, and runs of them.

use std::{
    cell::Cell,
    env, fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
        mpsc::{RecvTimeoutError, channel},
    },
    thread,
    time::Duration,
};

use cute_arch::Target;
use cute_launch::{
    Allow, DriverPlan, Host, Job, LaunchesFile, Ptx, Shape,
    bind::{Arguments, Face, Given, NoFiles, Sms, Variables, by_name},
    job::{self, Grid, Place, RequestedExtents},
    launch::the_kernel,
    report::{InWordsOf, Reports},
    sample::MOST_SCHEDULES,
    simulate::Checks,
    simulator::{Progress, Simulator},
};
use cute_manifest::{Argument, Function, Kernel, Manifest};
use cute_mutate::{session, trial};
use cute_report::{
    annotations::{Annotations, Service, merged},
    page::{Context, ENDED, Page},
    timeline::LaunchRecorder,
};
use cute_sim::{
    Election, Schedule, Stop,
    tensor::{Sums, sums::BadSums},
};
use pyo3::{
    exceptions::{PyRuntimeError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict, PyList, PyTuple, PyType},
};

use crate::{
    arrays::Memory,
    finding::{Finding, Place as Source},
    mutate::Failed,
    passing::Arrays,
};

/// Kernels that the simulator can run, and the host functions that launch them.
#[pyclass(module = "cute_mlir", frozen)]
pub(crate) struct Program {
    pub(crate) name: String,
    /// `None` if only the parameters of the kernels are known.
    program: Option<cute_sim::Program>,
    pub(crate) manifest: Manifest,
    target: Target,
    hosts: Vec<Host>,
    /// Whether a run refuses a kernel that reaches an instruction without a model.
    strict_ptx: bool,
    warnings: Vec<String>,
    /// The PTX that it was read from, which a mutant may replace.
    text: Option<String>,
}

/// The arguments that make a program anew.
type Fields<'py> = (
    String,
    Option<Bound<'py, PyBytes>>,
    String,
    String,
    Vec<(Bound<'py, PyBytes>, String)>,
    bool,
    Vec<String>,
    Option<String>,
);

/// An instruction that a run could reach: its operation, its place in the source, its executions by
/// threads, and for a branch how many went each way.
type Reached = (String, Source, u64, Option<[u64; 2]>);

/// The results of a run.
#[pyclass(module = "cute_mlir", frozen, get_all)]
pub(crate) struct Run {
    /// The report as JSON.
    json: String,
    /// The report as text: findings, then counters.
    text: String,
    /// The findings as text, and what a reader of them has to know besides.
    summary: String,
    /// The findings, launch by launch.
    findings: Vec<Finding>,
    /// The findings that the caller accepts.
    accepted: Vec<Finding>,
    /// Entries of the list of accepted findings that match none.
    unmatched: Vec<String>,
    /// The number of different findings that are only counted.
    left_out: usize,
    /// Whether the arrays depend on the schedule, by the text about each that does.
    differences: Vec<String>,
    /// The text about each array that kernels have written in part.
    unwritten: Vec<String>,
    /// The findings as SARIF, for services that show them beside the source.
    sarif: String,
    /// The findings as commands of GitHub Actions, a line for each.
    github: String,
    /// The report as a page of HTML, if one was asked for.
    html: Option<String>,
    /// The instructions of the kernels that ran, if they were asked for.
    reached: Option<Vec<Reached>>,
}

pub(crate) fn failed(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The exception for an error of a launch, which has the id of the rule as `rule`.
pub(crate) fn refused(error: cute_launch::Error) -> PyErr {
    with_rule(failed(&error), error.id())
}

/// The exception with the id of a rule.
pub(crate) fn with_rule(raised: PyErr, id: Option<&str>) -> PyErr {
    let Some(id) = id else { return raised };
    Python::attach(|py| match raised.value(py).setattr("rule", id) {
        Ok(()) => raised,
        Err(error) => error,
    })
}

/// Three extents: an integer, or a tuple of up to three.
fn extents(name: &str, given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<[u32; 3]>> {
    let Some(given) = given else { return Ok(None) };
    let wrong = || {
        let found = given.repr().map_or_else(|_| "it".into(), |text| text.to_string());
        PyValueError::new_err(format!("{name} is {found}, but must be one to three positive integers"))
    };
    let list: Vec<i64> = match given.extract::<i64>() {
        Ok(one) => vec![one],
        Err(_) => given.extract().map_err(|_| wrong())?,
    };
    job::extents(&list).map(Some).ok_or_else(wrong)
}

struct Blocks(Arc<AtomicU64>);

impl Progress for Blocks {
    fn finished(&self) {
        self.0.fetch_add(1, Relaxed);
    }
}

/// The log of SARIF with the findings of several runs, each by its own log.
#[pyfunction]
pub fn merged_sarif(logs: Vec<String>) -> PyResult<String> {
    merged(env!("CARGO_PKG_VERSION"), &logs).map_err(failed)
}

/// The entries of the text of a file `cute-allow.toml`, each as `KIND[@FILE[:LINE]]`.
#[pyfunction]
pub fn allow_list(text: &str) -> PyResult<Vec<String>> {
    let entries = Allow::read(text).map_err(failed)?;
    Ok(entries.iter().map(ToString::to_string).collect())
}

#[pymethods]
impl Program {
    /// Reads PTX, with the manifest beside it if there is one. `strict`: a run of a kernel that
    /// reaches an instruction without a model is an error before anything runs. `parameters` has
    /// the names of a kernel's parameters in its source.
    #[staticmethod]
    #[pyo3(signature = (text, name="<ptx>", strict=false, manifest=None, parameters=None))]
    fn from_ptx(
        py: Python<'_>,
        text: &str,
        name: &str,
        strict: bool,
        manifest: Option<&str>,
        parameters: Option<(String, Vec<String>)>,
    ) -> PyResult<Self> {
        let read = || {
            let mut ptx = Ptx::read(name, text, env::current_dir().ok().as_deref())?;
            if let Some(json) = manifest {
                ptx.describe(&format!("{name}.json"), json)?;
            }
            if let Some((kernel, names)) = &parameters {
                ptx.name_parameters(kernel, names)?;
            }
            Ok::<_, cute_launch::Error>(ptx)
        };
        let Ptx { program, manifest, target, warnings } = py.detach(read).map_err(refused)?;
        for warning in &warnings {
            py.import("cute_mlir._errors")?.call_method1("warn", (warning,))?;
        }
        let (name, program, text) = (name.to_owned(), Some(program), Some(text.to_owned()));
        Ok(Self { name, program, manifest, target, hosts: Vec::new(), strict_ptx: strict, warnings, text })
    }

    /// The kernels of a cubin, as its manifest describes them. They can be launched on a device,
    /// but not simulated.
    #[staticmethod]
    fn from_manifest(manifest: &str, name: &str) -> PyResult<Self> {
        let broken = |why: String| failed(format!("the manifest of '{name}' is not valid: {why}"));
        let manifest = Manifest::from_json(manifest).map_err(broken)?;
        let target = Target::of_ptx(&manifest.target);
        let target = target.ok_or_else(|| broken(format!("target '{}' is not known", manifest.target)))?;
        let (name, hosts, warnings) = (name.to_owned(), Vec::new(), Vec::new());
        Ok(Self { name, program: None, manifest, target, hosts, strict_ptx: false, warnings, text: None })
    }

    /// The same kernels, by PTX that was compiled from the same module.
    fn through_ptx(&self, py: Python<'_>, text: &str, name: &str) -> PyResult<Self> {
        let ptx = py.detach(|| Ptx::read(name, text, env::current_dir().ok().as_deref())).map_err(refused)?;
        let (name, program, text) = (name.to_owned(), Some(ptx.program), Some(text.to_owned()));
        let (manifest, hosts, warnings) = (self.manifest.clone(), self.hosts.clone(), self.warnings.clone());
        let (target, strict_ptx) = (self.target, self.strict_ptx);
        Ok(Self { name, program, manifest, target, hosts, strict_ptx, warnings, text })
    }

    /// A program that a compiler made: its bytes, its manifest, and its host functions. With
    /// `strict`, warnings and text, it is one that was pickled; `program` is then `None` if it has
    /// only machine code.
    #[new]
    #[pyo3(signature = (name, program, manifest, target, hosts, strict=false, warnings=vec![], text=None))]
    #[allow(clippy::too_many_arguments, reason = "these are its fields")]
    fn new(
        name: &str,
        program: Option<&[u8]>,
        manifest: &str,
        target: &str,
        hosts: Vec<(Vec<u8>, String)>,
        strict: bool,
        warnings: Vec<String>,
        text: Option<String>,
    ) -> PyResult<Self> {
        let host = |(program, function): (Vec<u8>, String)| {
            let program = cute_host::Program::from_bytes(&program).map_err(failed)?;
            Ok(Host { program, function: Function::from_json(&function).map_err(failed)? })
        };
        let program = program.map(cute_sim::Program::from_bytes).transpose();
        Ok(Self {
            name: name.to_owned(),
            program: program.map_err(failed)?,
            manifest: Manifest::from_json(manifest).map_err(failed)?,
            target: target.parse().map_err(failed)?,
            hosts: hosts.into_iter().map(host).collect::<PyResult<_>>()?,
            strict_ptx: strict,
            warnings,
            text,
        })
    }

    /// The class, and the fields in the order of its arguments.
    #[allow(clippy::type_complexity, reason = "Python sees a tuple")]
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, Fields<'py>) {
        let program = self.program.as_ref().map(|program| PyBytes::new(py, &program.to_bytes()));
        let host = |host: &Host| (PyBytes::new(py, &host.program.to_bytes()), host.function.to_json());
        let hosts = self.hosts.iter().map(host).collect();
        let (manifest, target) = (self.manifest.to_json(), self.target.to_string());
        let (warnings, text) = (self.warnings.clone(), self.text.clone());
        let fields = (self.name.clone(), program, manifest, target, hosts, self.strict_ptx, warnings, text);
        (py.get_type::<Self>(), fields)
    }

    /// The manifest as JSON.
    #[getter]
    fn manifest(&self) -> String {
        self.manifest.to_json()
    }

    /// The names of the kernels.
    #[getter]
    fn kernels(&self) -> Vec<&str> {
        self.manifest.kernels.iter().map(|kernel| kernel.name.as_str()).collect()
    }

    /// The names of the host functions.
    #[getter]
    fn hosts(&self) -> Vec<&str> {
        self.hosts.iter().map(|host| host.function.name.as_str()).collect()
    }

    /// The warnings from when it was read.
    #[getter]
    fn warnings(&self) -> Vec<&str> {
        self.warnings.iter().map(String::as_str).collect()
    }

    /// The PTX that it was read from, if it was.
    #[getter]
    fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The GPU that it is for.
    #[getter]
    fn target(&self) -> String {
        self.target.to_string()
    }

    /// The calls of the driver that launch a kernel with arrays on a device, as JSON.
    #[pyo3(signature = (args, *, kernel=None, grid=None, block=None, cluster=None, shared=None))]
    #[allow(clippy::too_many_arguments, reason = "they have names")]
    fn plan(
        &self,
        args: &Bound<'_, PyAny>,
        kernel: Option<&str>,
        grid: Option<&Bound<'_, PyAny>>,
        block: Option<&Bound<'_, PyAny>>,
        cluster: Option<&Bound<'_, PyAny>>,
        shared: Option<u32>,
    ) -> PyResult<String> {
        let kernel = the_kernel(&self.manifest, &self.name, kernel).map_err(refused)?;
        let given = given(args, &mut Arrays::of(Memory::Device), &kernel_of(kernel))?;
        let all = arguments(&given, &[], Variables::default(), u64::MAX, None);
        let extents = launch_of(grid, block, cluster, shared)?;
        let job = Job::of_kernel(kernel, &extents, &all, self.target, &self.names()).map_err(refused)?;
        let launches = job.launches(&[]).map_err(refused)?;
        serde_json::to_string(&DriverPlan::of(&launches)).map_err(failed)
    }

    /// The blocks that a kernel needs for its arguments, in memory of the host or of a device;
    /// `None` if it does not state them.
    #[pyo3(signature = (args, *, kernel=None))]
    fn grid(&self, args: &Bound<'_, PyAny>, kernel: Option<&str>) -> PyResult<Option<[u32; 3]>> {
        let kernel = the_kernel(&self.manifest, &self.name, kernel).map_err(refused)?;
        if kernel.expected.grid.is_empty() {
            return Ok(None);
        }
        let mut own = Arrays::of(Memory::Host);
        let given = given(args, &mut own, &kernel_of(kernel)).or_else(|error| {
            own = Arrays::of(Memory::Device);
            given(args, &mut own, &kernel_of(kernel)).map_err(|_| error)
        })?;
        let all = arguments(&given, &own.others, Variables::default(), u64::MAX, None);
        job::needed_grid(kernel, &all).map_err(refused)
    }

    /// The calls of the driver that make the launches of a host function with arrays on a device,
    /// as JSON.
    #[pyo3(signature = (args, *, host, sms=None))]
    fn plan_host(&self, args: &Bound<'_, PyAny>, host: &str, sms: Option<u32>) -> PyResult<String> {
        let own = self.host(host)?;
        let callee = (format!("host function '{host}'"), own.function.arguments.as_slice(), Vec::new());
        let given = given(args, &mut Arrays::of(Memory::Device), &callee)?;
        let all = arguments(&given, &[], Variables::default(), u64::MAX, sms);
        let job = Job::of_host(own, &self.manifest, &all, self.target).map_err(refused)?;
        let launches = job.launches(&[]).map_err(refused)?;
        serde_json::to_string(&DriverPlan::of(&launches)).map_err(failed)
    }

    /// Runs a kernel, or a host function. `progress` is called with the blocks that have ended and
    /// their number, now and then. `html` is the source for a page; without it, none is made.
    /// `coverage` lists the instructions with their executions.
    #[pyo3(signature = (
        args, *, kernel=None, host=None, grid=None, block=None, cluster=None, shared=None, arrays=None, variables=None,
        schedule=None, schedules=None, elect=None, only_blocks=None, budget=None, races=true, pedantic=false, strict_isa=false,
        allow=vec![], keep_arrays=false, overflow=true, sms=None, memory=1024, target=None, progress=None, html=None,
        cooperative=false, launches=None, sums=None, coverage=false
    ))]
    #[allow(clippy::too_many_arguments, reason = "they have names")]
    fn run(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyAny>,
        kernel: Option<&str>,
        host: Option<&str>,
        grid: Option<&Bound<'_, PyAny>>,
        block: Option<&Bound<'_, PyAny>>,
        cluster: Option<&Bound<'_, PyAny>>,
        shared: Option<u32>,
        arrays: Option<&Bound<'_, PyDict>>,
        variables: Option<&Bound<'_, PyDict>>,
        schedule: Option<&str>,
        schedules: Option<&Bound<'_, PyAny>>,
        elect: Option<&str>,
        only_blocks: Option<&str>,
        budget: Option<u64>,
        races: bool,
        pedantic: bool,
        strict_isa: bool,
        allow: Vec<String>,
        keep_arrays: bool,
        overflow: bool,
        sms: Option<u32>,
        memory: u64,
        target: Option<&str>,
        progress: Option<Py<PyAny>>,
        html: Option<&str>,
        cooperative: bool,
        launches: Option<&str>,
        sums: Option<&str>,
        coverage: bool,
    ) -> PyResult<Run> {
        let _restored = cute_fenv::by_default();
        let program = self.simulated()?;
        let mut own = Arrays::of(Memory::Host);
        let operations = launches.map(|text| LaunchesFile::read("launches", text));
        let operations = operations.transpose().map_err(failed)?;
        let callee = match operations {
            Some(_) => ("the operations".to_owned(), &[][..], Vec::new()),
            None => self.callee(host, kernel)?,
        };
        let given = given(args, &mut own, &callee)?;
        let mut others = named(arrays, &mut own)?;
        let set = named(variables, &mut own)?;
        others.append(&mut own.others);
        let target = self.for_target(target)?;
        let variables = Variables { given: &set, program: Some(program) };
        let all = arguments(&given, &others, variables, memory.saturating_mul(1 << 20), sms);
        let job = match (host, operations) {
            (_, Some(operations)) => {
                let all = Arguments { face: Face::Json, ..all };
                Job::of_operations(operations, (&self.manifest, &self.name), &all, target)
            }
            (Some(name), None) => Job::of_host(self.host(name)?, &self.manifest, &all, target),
            (None, None) => {
                let kernel = the_kernel(&self.manifest, &self.name, kernel).map_err(refused)?;
                let extents = RequestedExtents { cooperative, ..launch_of(grid, block, cluster, shared)? };
                Job::of_kernel(kernel, &extents, &all, target, &self.names())
            }
        };
        let mut job = job.map_err(refused)?;
        let schedules = schedules.map(number_of_schedules).transpose()?;
        if schedule.is_some() && schedules.is_some() {
            return Err(PyValueError::new_err(
                "schedule is one order of events, and schedules a number of several: give one of the two",
            ));
        }
        let schedule = schedule.map(|text| text.parse::<Schedule>().map_err(failed)).transpose()?;
        let elect = elect.map(|text| text.parse::<Election>().map_err(failed)).transpose()?;
        let only = only_blocks.map(|text| text.parse()).transpose();
        let only = only.map_err(|why: String| failed(format!("only_blocks: {why}")))?;
        let strict_ptx = self.strict_ptx;
        let (stop, done) = (Stop::default(), Arc::new(AtomicU64::new(0)));
        let recorded = html.map(|_| LaunchRecorder::new(Default::default()));
        let (watcher, banks) = (recorded.as_ref().map(LaunchRecorder::watcher), html.is_some());
        let stop_too = stop.clone();
        let entry = |text: &String| text.parse::<Allow>().map_err(|why| failed(format!("allow: {why}")));
        let allow = allow.iter().map(entry).collect::<PyResult<Vec<_>>>()?;
        let sums = sums_of(sums)?;
        let checks = Checks {
            elect,
            only,
            strict_ptx,
            budget,
            races,
            pedantic,
            strict_isa,
            sums,
            allow,
            overflow,
            stop: stop_too,
            banks,
            watcher,
            ..Checks::default()
        };
        let bar = |_: &Shape| -> Box<dyn Progress + Sync> { Box::new(Blocks(done.clone())) };
        let writes_back = Cell::new(true);
        let subject =
            session::TestedKernel { program, text: self.text.as_deref().map(|text| (&*self.name, text)) };
        let outcome = session::run(&subject, &mut job, trial::read_ptx, |program, job, rules| {
            let mut checks = checks.clone();
            if let Some(rules) = rules {
                rules.apply(&mut checks);
                writes_back.set(rules.writes_back);
            }
            let simulator = Simulator { program, checks, schedule, schedules, progress: &bar };
            let run = || simulator.run(job);
            let outcome = py.detach(|| supervised(run, refused, &stop, &done, progress.as_ref()));
            outcome.map_err(Failed::Raised)
        });
        let mut outcome = outcome?;
        outcome.reports.warnings = self.warnings.clone();
        let shown = Shown { page: recorded.zip(html), coverage };
        let answer = self.answer(program, &outcome.reports, shown)?;
        // Like an output file, an array is written after a run without findings.
        let is_right = outcome.reports.findings().is_none() && outcome.reports.are_complete();
        if writes_back.get() && (keep_arrays || is_right) {
            own.write(&job, &outcome)?;
        }
        Ok(answer)
    }
}

/// The results of a run beside its findings, if a caller asks for them: a page with the source, and
/// the instructions that ran.
struct Shown<'a> {
    page: Option<(LaunchRecorder, &'a str)>,
    coverage: bool,
}

/// The instructions of the kernels that ran.
fn reached(program: &cute_sim::Program, reports: &Reports) -> Vec<Reached> {
    let launches = reports.simulated().filter_map(|(shape, report)| {
        let kernel = program.kernels.iter().find(|kernel| kernel.name == shape.kernel)?;
        Some(kernel.reached(&report.executed))
    });
    let all = launches.flatten();
    all.map(|one| (one.op.to_string(), Source::of(&one.location), one.threads, one.ways)).collect()
}

impl Program {
    /// The reports of a run, as Python has them.
    fn answer(&self, program: &cute_sim::Program, reports: &Reports, shown: Shown<'_>) -> PyResult<Run> {
        let (mut findings, mut accepted) = (Vec::new(), Vec::new());
        for (shape, report) in reports.simulated() {
            for finding in &report.findings {
                findings.push(Finding::of(&shape.kernel, finding)?);
            }
            for finding in &report.accepted {
                accepted.push(Finding::of(&shape.kernel, finding)?);
            }
        }
        let page = |(recorded, text): (LaunchRecorder, &str)| {
            let timeline = recorded.take();
            let interrupted = (!timeline.is_whole()).then_some(ENDED);
            let (file, timeline) = (self.name.as_str(), Some(&timeline));
            let mut context = Context::default();
            let beside = Path::new(file).parent().map(|folder| folder.display().to_string());
            let beside: Vec<String> = beside.into_iter().collect();
            context.find_sources((file, reports), &beside, |path| fs::read_to_string(path).ok());
            context.fact("cute_mlir", env!("CARGO_PKG_VERSION"));
            Page { file, text, reports, timeline, registers: &[], interrupted }.with(&context)
        };
        let folder = env::current_dir().ok();
        let annotations = Annotations {
            file: &self.name,
            reports,
            folder: folder.as_deref().and_then(Path::to_str),
            version: env!("CARGO_PKG_VERSION"),
        };
        let (sarif, github) = (annotations.write(Service::Sarif), annotations.write(Service::Github));
        Ok(Run {
            sarif,
            github,
            html: shown.page.map(page),
            reached: shown.coverage.then(|| reached(program, reports)),
            json: serde_json::to_string(reports).map_err(failed)?,
            text: InWordsOf(reports, Face::Python).to_string(),
            summary: match reports.found() {
                none if none.is_empty() => format!("no findings\n\n{}", reports.remarks(Face::Python)),
                found => found + &reports.remarks(Face::Python),
            },
            findings,
            accepted,
            unmatched: reports.unmatched().iter().map(ToString::to_string).collect(),
            left_out: reports.simulated().map(|(_, report)| report.left_out.len()).sum(),
            differences: reports.differences.iter().map(ToString::to_string).collect(),
            unwritten: reports.unwritten.iter().map(ToString::to_string).collect(),
        })
    }

    /// The kernels, of a program that can be simulated.
    pub(crate) fn simulated(&self) -> PyResult<&cute_sim::Program> {
        self.program.as_ref().ok_or_else(|| {
            failed(format!(
                "'{}' has only machine code, which the simulator does not run: simulate its PTX",
                self.name
            ))
        })
    }

    /// The given target, or that of the program.
    pub(crate) fn for_target(&self, name: Option<&str>) -> PyResult<Target> {
        match name {
            Some(name) => Target::of_ptx(name).map_or_else(|| name.parse().map_err(failed), Ok),
            None => Ok(self.target),
        }
    }

    /// The host function, or else the kernel, that is called.
    pub(crate) fn callee(&self, host: Option<&str>, kernel: Option<&str>) -> PyResult<Called<'_>> {
        match host {
            Some(name) => {
                let host = self.host(name)?;
                Ok((format!("host function '{name}'"), host.function.arguments.as_slice(), Vec::new()))
            }
            None => Ok(kernel_of(the_kernel(&self.manifest, &self.name, kernel).map_err(refused)?)),
        }
    }

    /// The host function of this name.
    pub(crate) fn host(&self, name: &str) -> PyResult<&Host> {
        let host = self.hosts.iter().find(|host| host.function.name == name);
        host.ok_or_else(|| {
            let names = self.hosts().join(", ");
            failed(format!("there is no host function '{name}' in '{}'; it has {names}", self.name))
        })
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.hosts.iter().map(|host| host.function.name.clone()).collect()
    }
}

/// Arguments that name no files.
pub(crate) fn arguments<'a>(
    given: &'a [Given],
    arrays: &'a [Given],
    variables: Variables<'a>,
    memory: u64,
    sms: Option<u32>,
) -> Arguments<'a> {
    let files = &NoFiles(|file| format!("pass the array, numpy.load('{file}')"));
    Arguments { given, arrays, variables, memory, sms: Sms(sms), files, face: Face::Python }
}

/// Arrays by their names.
pub(crate) fn named(all: Option<&Bound<'_, PyDict>>, own: &mut Arrays) -> PyResult<Vec<Given>> {
    let mut given = Vec::new();
    for (name, array) in all.into_iter().flatten() {
        let name: String = name.extract()?;
        given.push(match array.extract::<String>() {
            Ok(text) => Given::Text(format!("{name}:{text}")),
            Err(_) => own.given(&name, Some(name.clone()), &array)?,
        });
    }
    Ok(given)
}

/// The GPU whose tensor cores add floats.
pub(crate) fn sums_of(text: Option<&str>) -> PyResult<Option<Sums>> {
    let sums = text.map(|text| text.parse()).transpose();
    sums.map_err(|why: BadSums| failed(format!("sums: {why}")))
}

/// The requested launch.
pub(crate) fn launch_of(
    grid: Option<&Bound<'_, PyAny>>,
    block: Option<&Bound<'_, PyAny>>,
    cluster: Option<&Bound<'_, PyAny>>,
    shared: Option<u32>,
) -> PyResult<RequestedExtents> {
    let grid = match grid.and_then(|grid| grid.extract::<String>().ok()).as_deref() {
        Some("auto") => Grid::Auto,
        _ => {
            let given = extents("grid", grid)?;
            Grid::Extents(given.ok_or_else(|| PyTypeError::new_err("a kernel needs grid=(X, Y, Z)"))?)
        }
    };
    Ok(RequestedExtents {
        preferred_cluster: None,
        grid,
        block: extents("block", block)?,
        shared,
        cluster: extents("cluster", cluster)?,
        cooperative: false,
    })
}

/// A number of schedules that can be run.
fn number_of_schedules(given: &Bound<'_, PyAny>) -> PyResult<u32> {
    let number = given.extract::<i64>().ok().and_then(|n| u32::try_from(n).ok());
    number.filter(|n| (1..=MOST_SCHEDULES).contains(n)).ok_or_else(|| {
        let found = given.repr().map_or_else(|_| "it".into(), |text| text.to_string());
        PyValueError::new_err(format!("schedules is {found}, but must be 1 to {MOST_SCHEDULES}"))
    })
}

/// Something that is called with arguments, in messages, and its arguments.
pub(crate) type Called<'m> = (String, &'m [Argument], Vec<&'m str>);

fn kernel_of(kernel: &Kernel) -> Called<'_> {
    // In PTX, each argument is a parameter, whose name may be longer.
    let is_one = kernel.parameters.len() == kernel.arguments.len();
    let symbols = kernel.parameters.iter().filter(|_| is_one).map(|parameter| parameter.name.as_str());
    (format!("kernel '{}'", kernel.name), &kernel.arguments, symbols.collect())
}

/// The arguments in a list, or in a dictionary by the names of the parameters.
pub(crate) fn given(
    args: &Bound<'_, PyAny>,
    own: &mut Arrays,
    (callee, arguments, symbols): &Called<'_>,
) -> PyResult<Vec<Given>> {
    if let Ok(named) = args.cast::<PyDict>() {
        let names = named.keys().iter().map(|name| name.extract::<String>()).collect::<PyResult<Vec<_>>>()?;
        let order = by_name(callee, arguments, symbols, &names).map_err(PyTypeError::new_err)?;
        let each = order.into_iter().map(|i| {
            let name = &names[i];
            let ob = named.get_item(name)?.expect("it is one of the names");
            own.given(&format!("'{name}'"), Some(name.clone()), &ob)
        });
        return each.collect();
    }
    if args.is_instance_of::<PyList>() || args.is_instance_of::<PyTuple>() {
        let each = args.try_iter()?.enumerate();
        return each.map(|(i, ob)| own.given(&(i + 1).to_string(), None, &ob?)).collect();
    }
    Err(PyTypeError::new_err(format!(
        "args must be a list, or a dictionary by names, but is of type '{}'",
        args.get_type().name()?
    )))
}

/// Runs in a thread of its own. Meanwhile this one looks for signals, such as Ctrl-C.
pub(crate) fn supervised<T: Send, E: Send>(
    run: impl FnOnce() -> Result<T, E> + Send,
    raised: impl Fn(E) -> PyErr,
    stop: &Stop,
    done: &AtomicU64,
    progress: Option<&Py<PyAny>>,
) -> PyResult<T> {
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        let run = scope.spawn(move || {
            let outcome = run();
            // The receiver is gone only after a signal.
            let _ = sender.send(());
            outcome
        });
        let mut interrupted = None;
        while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(Duration::from_millis(100)) {
            let looked = Python::attach(|py| {
                py.check_signals()?;
                match progress {
                    Some(progress) => progress.call1(py, (done.load(Relaxed),)).map(|_| ()),
                    None => Ok(()),
                }
            });
            if let Err(error) = looked {
                stop.request();
                interrupted.get_or_insert(error);
            }
        }
        let outcome = run.join();
        match (interrupted, outcome) {
            (Some(error), _) => Err(error),
            (None, Ok(outcome)) => outcome.map_err(raised),
            (None, Err(_)) => {
                Err(PyRuntimeError::new_err("internal error of the simulator; please report it"))
            }
        }
    })
}
