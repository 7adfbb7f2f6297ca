//! `cutec import`, and the import that other commands do: they recognise a module of CuTe DSL and
//! rewrite it to today's dialects.

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
    /// Domain policy if no cute.domain attribute specifies one
    #[arg(long, value_enum, value_name = "POLICY")]
    pub domain: Option<cli::Domain>,
}

/// Imports a module and prints it.
///
/// # Errors
/// Returns an [`Error`]; nothing is written then.
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

/// Returns an error if the output is also an input.
pub(crate) fn same_file(out: &Path, file: &Path) -> Result<()> {
    if out.canonicalize().is_ok_and(|out| file.canonicalize().is_ok_and(|file| out == file)) {
        return Err(Error::OutputIsInput { file: file.display().to_string() });
    }
    Ok(())
}

/// Imports a text for `cute-opt --import`. Rewrites are reported on standard error.
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

/// Loads a context and parses a module, which may be one of CuTe DSL. Rewrites are reported on
/// standard error.
///
/// # Errors
/// Returns [`Error::Reported`].
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
    // Verifiers run as soon as MLIR has parsed, so an attribute would be set too late.
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
    // Ops have the locations of the source, but the rewritten text has errors at other places. So
    // the parser accepts unknown ops, which are reported at their locations afterwards.
    let name = format!("{} (imported)", source.name);
    context.set_allow_unregistered_dialects(true);
    let module = parse::module(context, &imported.text, &name);
    context.set_allow_unregistered_dialects(false);
    let module = module.ok_or(Error::Reported)?;
    if known(context, &module) { Ok(module) } else { Err(Error::Reported) }
}

/// Whether all ops of a module are known. Each unknown op is reported.
fn known(context: &Context, module: &Module<'_>) -> bool {
    let mut ops = ir::walk(module.as_operation());
    ops.retain(|op| !context.is_registered_operation(ir::op_name(*op)));
    for op in &ops {
        let text = format!("'{}' op is not known; it may be one of a newer CuTe DSL", ir::op_name(*op));
        cute_ffi::emit(ir::location(*op), Severity::Error, &text, &[]);
    }
    ops.is_empty()
}
