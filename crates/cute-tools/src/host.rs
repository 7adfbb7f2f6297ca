//! `cutec host`: the host function of a module as C.

use std::path::PathBuf;

use clap::Args;
use cute_algebra::Domain;
use cute_arch::Target;
use cute_output::Sink;

use crate::{
    cli::{self, target},
    diagnostics::session,
    error::{Error, Result},
    overwrite::replaces,
    settings::Settings,
    source,
};

/// Write a host function as C, which launches the kernels of its module through the API of the CUDA
/// driver.
///
/// The C file has three functions. NAME_load takes a cubin or PTX of the kernels (cutec FILE --emit
/// cubin), NAME takes the arguments of the host function, leaf by leaf, and NAME_unload unloads the
/// kernels. NAME computes grids and views and sets the attributes of launches as `cutec run --host`
/// does. The options of the compilation must be those of the kernels.
#[derive(Debug, Args)]
pub struct Cli {
    /// The module; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Host function to write [default: the only one of FILE]
    #[arg(long, value_name = "NAME")]
    pub host: Option<String>,
    /// File to write, complete or not at all; - is standard output, the default
    #[arg(short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// GPU that the kernels are compiled for [default: the first from sm_90a on that has their
    /// instructions]
    #[arg(long, value_name = "GPU", value_parser = target())]
    pub target: Option<Target>,
    /// The options of the compilation
    #[command(flatten)]
    pub(crate) settings: Settings,
    /// Domain policy if no cute.domain attribute specifies one
    #[arg(long, value_name = "POLICY", value_parser = cli::domain())]
    pub domain: Option<Domain>,
    /// The producer of the module
    #[command(flatten)]
    pub(crate) producer: cli::Producer,
}

/// Writes the C file.
///
/// # Errors
/// Returns an [`Error`](crate::Error); nothing is written then.
pub fn run(cli: &Cli) -> Result<()> {
    let sink = Sink::of(cli.output.as_deref());
    if replaces(&sink, &cli.file) {
        return Err(Error::OutputIsInput { file: cli.file.display().to_string(), role: "is being compiled" });
    }
    let source = source::read(&cli.file)?;
    let text = session().with_profile(cli.producer.profile).parsed(source, cli.domain, |parsed| {
        let settings = cli.settings.options(cli.target.unwrap_or_else(|| parsed.target()))?;
        Ok::<_, Error>(parsed.host_in_c(cli.host.as_deref(), &settings)?)
    })?;
    Ok(cute_output::write(&[(sink, text.as_bytes())])?)
}
