//! The Python package `cute-mlir-compiler`: turns text into PTX, cubins and manifests, and into
//! programs for the simulator of the package `cute-mlir`. What passes between the two is bytes and
//! JSON. [`tracing`] is the typed builder, for kernels that Python writes.
//!
//! This crate translates between Python and `cute-session`. It must not decide anything about a
//! compilation.

mod code;
mod tracing;

use std::sync::{Arc, Mutex, PoisonError};

use cute_arch::Target;
use cute_build::call::{OpFunction, OpParameter};
use cute_driver::{Emit, Options, libdevice, ptxas};
use cute_kernels::builders::{BUILDERS, Builder, Described};
use cute_session::{Error, Listener, Parsed, ProducerProfile, Report, Request, Session, Source};
use cute_text::in_python;
use pyo3::{create_exception, exceptions::PyException, prelude::*, types::PyBytes};
use serde_json::{Value as Json, json};

create_exception!(
    cute_mlir_compiler,
    Failed,
    PyException,
    "A step failed: its arguments are a message, the reports of the session in JSON, and the id of the broken rule or None."
);

/// Options by their names.
type Given = Vec<(String, String)>;

/// Why a step failed.
struct Why {
    message: String,
    /// The id of the broken rule.
    id: Option<&'static str>,
}

/// Why a call failed, and what was said before.
struct Failure {
    why: Why,
    reports: Vec<Report>,
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        let reports = serde_json::to_string(&failure.reports).expect("reports have a form in JSON");
        Failed::new_err((failure.why.message, reports, failure.why.id))
    }
}

/// The option for the producer of a module.
const PROFILE: &str = "profile";

/// The producer among the options.
fn profile(given: &Given) -> Result<ProducerProfile, Why> {
    let named = given.iter().rev().find(|(name, _)| name == PROFILE);
    named.map_or(Ok(ProducerProfile::Auto), |(_, name)| name.parse().map_err(text))
}

/// Makes a call with a session for these options, without the GIL.
fn with_session<T: Send>(
    py: Python<'_>,
    given: &Given,
    call: impl FnOnce(&Session) -> Result<T, Why> + Send,
) -> PyResult<T> {
    py.detach(|| {
        let _restored = cute_fenv::by_default();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let shared = heard.clone();
        let listener = Listener::new(move |report: &Report| {
            shared.lock().unwrap_or_else(PoisonError::into_inner).push(report.clone());
        });
        let done = profile(given)
            .and_then(|profile| call(&Session::new(listener).in_one_thread().with_profile(profile)));
        done.map_err(|why| {
            let mut reports = std::mem::take(&mut *heard.lock().unwrap_or_else(PoisonError::into_inner));
            for report in &mut reports {
                // The rest of the text is the line of the source.
                let message = in_python(&report.message);
                report.text = report.text.replace(&report.message, &message);
                report.message = message;
            }
            Failure { why: Why { message: in_python(&why.message), ..why }, reports }.into()
        })
    })
}

fn text(error: impl std::fmt::Display) -> Why {
    Why { message: error.to_string(), id: None }
}

fn failed(error: Error) -> Why {
    Why { id: error.id(), ..text(error) }
}

/// The options of a compilation, and of ptxas.
fn settings(target: Target, given: &Given) -> Result<(Options, ptxas::Options), Why> {
    let mut options = Options::new(target);
    let mut assembler = ptxas::Options { beside_executable: false, ..ptxas::Options::default() };
    let mut has_libdevice = false;
    for (name, value) in given {
        match name.as_str() {
            "ptxas" => assembler.file = Some(value.into()),
            // The session's.
            PROFILE => {}
            "ptxas-option" => assembler.arguments.push(value.clone()),
            _ if options.set(name, value).map_err(|why| named(name, why))? => {
                has_libdevice |= name == "libdevice";
            }
            _ => {
                return Err(no_option(name, Options::ALL.iter().map(|option| option.name)));
            }
        }
    }
    if !has_libdevice {
        options.libdevice = libdevice::find(None).map_err(text)?;
    }
    Ok((options, assembler))
}

/// Why an option does not take its value, with the name that Python gives to it.
fn named(name: &str, why: impl std::fmt::Display) -> Why {
    text(why.to_string().replace(name, &name.replace('-', "_")))
}

/// An option that does not exist, in the names that Python gives to options.
fn no_option<'n>(name: &str, all: impl Iterator<Item = &'n str>) -> Why {
    let all: Vec<String> = all.map(|name| name.replace('-', "_")).collect();
    text(format_args!("there is no option '{}'; there are {}", name.replace('-', "_"), all.join(", ")))
}

fn source(name: &str, module: &str) -> Result<Source, Why> {
    Source::new(name, module.as_bytes().to_vec()).map_err(text)
}

/// The given target, or the first that has the instructions of the kernels.
fn target(session: &Session, given: Option<&str>, name: &str, module: &str) -> Result<Target, Why> {
    match given {
        Some(target) => target.parse().map_err(text),
        None => session
            .parsed(source(name, module)?, None, |parsed| Ok::<_, Error>(parsed.target()))
            .map_err(text),
    }
}

/// One output of a module, by its name for the command line, and its manifest.
#[pyfunction]
fn compile<'py>(
    py: Python<'py>,
    name: &str,
    module: &str,
    gpu: Option<&str>,
    emit: &str,
    options: Given,
) -> PyResult<(Bound<'py, PyBytes>, String)> {
    let made = with_session(py, &options, |session| {
        let emit = Emit::of_name(emit)
            .map_err(|names| text(format_args!("the output must be {names}, found '{emit}'")))?;
        let (settings, ptxas) = settings(target(session, gpu, name, module)?, &options)?;
        let request = Request { emit, domain: None, settings, ptxas };
        session.compile(source(name, module)?, &request).map_err(text)
    })?;
    Ok((PyBytes::new(py, &made.bytes), made.manifest.unwrap_or_default()))
}

/// A module for the simulator.
struct Decoded {
    program: Vec<u8>,
    manifest: String,
    target: String,
    /// The program of each host function, and what it is passed.
    hosts: Vec<(Vec<u8>, String)>,
}

fn decoded(parsed: Parsed<'_, '_>, settings: &Options) -> Result<Decoded, Error> {
    let mut hosts = Vec::new();
    for name in parsed.hosts() {
        let host = parsed.host(Some(&name))?;
        hosts.push((host.program.to_bytes(), host.function.to_json()));
    }
    let mut lowered = parsed.lower_to_simulate(settings)?;
    let program = cute_decode::decode(lowered.kernel_module()?)
        .map_err(|why| cute_launch::Error::Simulator(Box::new(why)))?;
    let manifest = lowered.manifest()?;
    Ok(Decoded {
        program: program.to_bytes(),
        target: manifest.target.clone(),
        manifest: manifest.to_json(),
        hosts,
    })
}

/// A module for the simulator: the bytes of its kernels, its manifest, the target, and its host
/// functions.
#[pyfunction]
#[allow(clippy::type_complexity, reason = "Python sees a tuple")]
fn program<'py>(
    py: Python<'py>,
    name: &str,
    module: &str,
    gpu: Option<&str>,
    options: Given,
) -> PyResult<(Bound<'py, PyBytes>, String, String, Vec<(Bound<'py, PyBytes>, String)>)> {
    let made = with_session(py, &options, |session| {
        let (settings, _) = settings(target(session, gpu, name, module)?, &options)?;
        let source = source(name, module)?;
        session.parsed(source, None, |parsed| decoded(parsed, &settings)).map_err(failed)
    })?;
    let hosts = made.hosts.iter().map(|(program, json)| (PyBytes::new(py, program), json.clone())).collect();
    Ok((PyBytes::new(py, &made.program), made.manifest, made.target, hosts))
}

/// The text of a builder's kernel, the target, and the options that are not the builder's.
#[pyfunction]
fn build(
    py: Python<'_>,
    builder: &str,
    gpu: Option<&str>,
    options: Given,
) -> PyResult<(String, Option<String>, Given)> {
    with_session(py, &Given::new(), |session| {
        let Some(builder) = Builder::named(builder) else {
            let names: Vec<&str> = BUILDERS.iter().map(|builder| builder.name).collect();
            return Err(text(format_args!(
                "there is no builder '{builder}'; there are {}",
                names.join(", ")
            )));
        };
        let target = gpu.map(str::parse::<Target>).transpose().map_err(text)?;
        let known = builder.options();
        let is_compilers = |(name, _): &(String, String)| {
            !known.iter().any(|(own, _)| own == name)
                && (name.starts_with("ptxas") || Options::ALL.iter().any(|option| option.name == name))
        };
        let (rest, own): (Given, Given) = options.into_iter().partition(is_compilers);
        if let Some((name, _)) = own.iter().find(|(name, _)| !known.iter().any(|(own, _)| own == name)) {
            let compilers = Options::ALL.iter().map(|option| option.name);
            return Err(no_option(name, known.iter().map(|(name, _)| name.as_str()).chain(compilers)));
        }
        let made = builder.text(&session.loaded(), &own, target).map_err(text)?;
        Ok((made, target.map(|target| target.to_string()), rest))
    })
}

/// The functions of the typed builder that are generated from the dialect, as JSON: for each its
/// op, name, summary, parameters and number of results, which is null if it depends on the
/// operands.
#[pyfunction]
fn ops() -> String {
    let parameter = |one: &OpParameter| json!({"name": one.name, "kind": format!("{:?}", one.kind).to_lowercase(), "summary": one.summary});
    let op = |one: &OpFunction| {
        let parameters: Vec<_> = one.parameters.iter().map(parameter).collect();
        json!({
            "op": one.name, "name": one.function, "summary": one.summary,
            "parameters": parameters, "results": one.results,
        })
    };
    Json::from(cute_build::ops::DECLARED.iter().map(op).collect::<Vec<_>>()).to_string()
}

/// The builders and the options of a compilation as they are declared, as JSON: for each option its
/// name, kind, choices, default and sentence.
#[pyfunction]
fn declared() -> String {
    let own = |name: &str, kind: &str, choices: &[String], default: Option<&str>, sentence: &str| {
        let name = name.replace('-', "_");
        json!({"name": name, "kind": kind, "choices": choices, "default": default, "sentence": sentence})
    };
    let options = |builder: &Builder| {
        let described = builder.described();
        let option = |one: &Described| {
            own(&one.name, one.kind, &one.choices, one.default.as_deref(), &in_python(&one.sentence))
        };
        described.iter().map(option).collect::<Vec<_>>()
    };
    let builders: Vec<Json> = BUILDERS
        .iter()
        .map(|builder| {
            let about = in_python((builder.about)());
            json!({"name": builder.name, "about": about, "options": options(builder)})
        })
        .collect();
    // The target has a parameter of its own.
    let compilers = Options::ALL.iter().filter(|one| one.name != "target").map(|one| {
        let choices: Vec<String> = (one.values)().iter().map(|(value, _)| (*value).to_owned()).collect();
        let kind = match choices.is_empty() {
            false => "choice",
            true if one.range.is_some() => "number",
            true => "text",
        };
        own(one.name, kind, &choices, None, &in_python(&one.help()))
    });
    json!({"builders": builders, "options": compilers.collect::<Vec<_>>()}).to_string()
}

/// The native half of `cute_mlir_compiler`.
#[pymodule]
mod _compiler {
    #[pymodule_export]
    use super::{Failed, build, code::machine_code, compile, declared, ops, program, tracing::Session};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
