//! `cutec import` and `cute-opt --import`: modules of CuTe DSL.

use std::{path::PathBuf, sync::Arc};

use clap::Args;
use cute_algebra::Domain;
use cute_ffi::opt::ImportResult;
use cute_output::Sink;
use cute_session::Source;

use crate::{
    cli,
    diagnostics::session,
    error::{Error, Result},
    overwrite::replaces,
    source,
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
    #[arg(long, value_name = "POLICY", value_parser = cli::domain())]
    pub domain: Option<Domain>,
    /// The producer of the module
    #[command(flatten)]
    pub(crate) producer: cli::Producer,
}

/// Imports a module and prints it.
///
/// # Errors
/// Returns an [`Error`]; nothing is written then.
pub fn run(cli: &Cli) -> Result<()> {
    let sink = Sink::of(cli.output.as_deref());
    if replaces(&sink, &cli.file) {
        return Err(Error::OutputIsInput { file: cli.file.display().to_string(), role: "is being imported" });
    }
    let text = session().with_profile(cli.producer.profile).import(source::read(&cli.file)?, cli.domain)?;
    Ok(cute_output::write(&[(sink, text.as_bytes())])?)
}

/// Imports a text for `cute-opt --import`. Rewrites and errors are reported on standard error.
pub fn for_opt(text: &str, name: &str) -> ImportResult {
    match session().rewritten(&Arc::new(Source::of_text(name, text))) {
        Err(_) => ImportResult::Failed,
        Ok(Some(imported)) => ImportResult::Module(Some(imported.text)),
        Ok(None) if cute_import::has_kernels(text) => ImportResult::Module(None),
        Ok(None) => ImportResult::Other,
    }
}
