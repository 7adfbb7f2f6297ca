//! `cutec import`, and what other commands do with a module of CuTe DSL: it is recognised and taken to today's dialects.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use clap::Args;
use cute_algebra::Domain;
use cute_dialect::strict::{set_default_domain, state_default_domain};
use cute_ffi::{Severity, ir, opt::Found, parse};
use cute_output::Sink;
use melior::{Context, ir::Module};

use crate::{
    cli,
    diagnostics::{Printer, message},
    error::{Error, Result},
    source::Source,
};

/// Prints a module of CuTe DSL in today's dialects.
#[derive(Debug, Args)]
pub struct Cli {
    /// The module, in generic or custom assembly; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// File to write, complete or not at all; - is standard output, the default
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Domain policy where no cute.domain attribute says otherwise
    #[arg(long, value_enum, value_name = "POLICY")]
    pub domain: Option<cli::Domain>,
}

/// Imports and prints.
///
/// # Errors
/// Any [`Error`]; then nothing was written.
pub fn run(cli: &Cli) -> Result<()> {
    let sink = Sink::of(cli.output.as_deref());
    if let Sink::File(out) = &sink {
        same_file(out, &cli.file)?;
    }
    let source = Arc::new(Source::read(&cli.file)?);
    let context = Context::new();
    let module = module(&context, &source, cli.domain)?;
    state_default_domain(module.as_operation());
    let text = format!("{}\n", module.as_operation().to_string().trim_end());
    Ok(cute_output::write(&[(sink, text.as_bytes())])?)
}

/// Refuses to write over what is read.
pub(crate) fn same_file(out: &Path, file: &Path) -> Result<()> {
    if out.canonicalize().is_ok_and(|out| file.canonicalize().is_ok_and(|file| out == file)) {
        return Err(Error::OutputIsInput { file: file.display().to_string() });
    }
    Ok(())
}

/// What `cute-opt --import` makes of a text. What was recognised is said on standard error.
pub fn for_opt(text: &str, name: &str) -> Found {
    match cute_import::import(text, name, &|_| ()) {
        Err(_) => Found::Failed,
        Ok(Some(imported)) => {
            message(&format!("note: '{name}' is {imported}"));
            Found::Module(Some(imported.text))
        }
        Ok(None) if cute_import::has_kernels(text) => Found::Module(None),
        Ok(None) => Found::Other,
    }
}

/// Loads a context and parses a module, which may be CuTe DSL's. What was recognised is said on standard error.
///
/// # Errors
/// [`Error::Reported`].
pub(crate) fn module<'c>(
    context: &'c Context,
    source: &Arc<Source>,
    domain: Option<cli::Domain>,
) -> Result<Module<'c>> {
    let watch = |context: &Context| drop(Printer::attach(context, source.clone()));
    let imported = cute_import::import(&source.text, &source.name, &watch).map_err(|_| Error::Reported)?;
    if let Some(imported) = &imported {
        message(&format!("note: '{}' is {imported}", source.name));
    }
    cute_mlir::load(context);
    // Verifiers run as soon as MLIR has parsed, so an attribute would come too late.
    let policy = match domain {
        Some(cli::Domain::Extend) => Domain::Extend,
        Some(cli::Domain::Strict) => Domain::Strict,
        // CuTe DSL checks no more than that.
        None if imported.is_some() || cute_import::has_kernels(&source.text) => Domain::Extend,
        None => Domain::Strict,
    };
    set_default_domain(context, policy);
    watch(context);
    let Some(imported) = imported else {
        return parse::module(context, &source.text, &source.name).ok_or(Error::Reported);
    };
    // Ops have the locations of the source; what is wrong with the text itself is wrong elsewhere. So the parser takes ops that
    // nobody knows, which are errors at their locations.
    let name = format!("{} (imported)", source.name);
    context.set_allow_unregistered_dialects(true);
    let module = parse::module(context, &imported.text, &name);
    context.set_allow_unregistered_dialects(false);
    let module = module.ok_or(Error::Reported)?;
    if known(context, &module) { Ok(module) } else { Err(Error::Reported) }
}

/// Whether all ops of a module are known; each that is not is reported.
fn known(context: &Context, module: &Module<'_>) -> bool {
    let mut ops = ir::walk(module.as_operation());
    ops.retain(|op| !context.is_registered_operation(ir::op_name(*op)));
    for op in &ops {
        let text = format!("'{}' op is not known; it may be one of a newer CuTe DSL", ir::op_name(*op));
        cute_ffi::emit(ir::location(*op), Severity::Error, &text, &[]);
    }
    ops.is_empty()
}
