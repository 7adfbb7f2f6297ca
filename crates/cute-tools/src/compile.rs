//! Compiles a file, and writes the output.

use std::{
    env,
    path::{Path, PathBuf},
    time::Duration,
};

use cute_arch::Target;
use cute_driver::ptxas;
use cute_ffi::llvm;
use cute_output::Sink;
use cute_session::{Cache, Emit, Product, Request, Source};

use crate::{
    cli::{Cli, Options, Output},
    diagnostics::session,
    error::{Error, Result},
    overwrite::replaces,
    source,
};

/// Compiles a file and writes the output.
///
/// # Errors
/// Returns an [`Error`]; nothing is written then.
pub fn run(cli: &Cli) -> Result<()> {
    let file = cli.file.as_deref().expect("the command line requires a file");
    run_on(&cli.options, Some(file), || source::read(file))
}

/// The same for a text that `source` returns.
pub(crate) fn run_on(
    options: &Options,
    file: Option<&Path>,
    source: impl FnOnce() -> Result<Source>,
) -> Result<()> {
    if options.emit == Output::Compiled(Emit::Cubin) && options.output.is_none() {
        return Err(Error::CubinNeedsFile);
    }
    let sink = Sink::of(options.output.as_deref());
    let beside = match &sink {
        Sink::File(out) if matches!(options.emit, Output::Compiled(Emit::Ptx | Emit::Cubin)) => {
            Some(manifest_of(out))
        }
        _ => None,
    };
    let libdevice = options.settings.libdevice();
    let inputs = file.map(|file| (file, "is being compiled")).into_iter();
    for (input, role) in inputs.chain(libdevice.map(|file| (file, "is used as libdevice"))) {
        let beside = beside.as_deref().map(|path| Sink::of(Some(path)));
        if replaces(&sink, input) || beside.is_some_and(|sink| replaces(&sink, input)) {
            return Err(Error::OutputIsInput { file: input.display().to_string(), role });
        }
    }
    let product = compile(options, source()?)?;
    let mut results = vec![(sink, product.bytes.as_slice())];
    if let (Some(path), Some(json)) = (beside, &product.manifest) {
        results.push((Sink::of(Some(&path)), json.as_bytes()));
    }
    Ok(cute_output::write(&results)?)
}

/// The path of an output's manifest: the output's name followed by `.json`, so that no two outputs
/// share one.
fn manifest_of(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

/// The file of this process, if the system knows it.
pub(crate) fn executable() -> PathBuf {
    env::current_exe().unwrap_or_default()
}

fn compile(options: &Options, source: Source) -> Result<Product> {
    let emit = match options.emit {
        Output::Cute => return Ok(Product { bytes: source.text.into_bytes(), manifest: None }),
        Output::Compiled(emit) => emit,
    };
    // Choices are the same for all targets.
    let any = (emit == Emit::Assigned).then_some(Target::Sm90a);
    let target = options.target.or(any).ok_or(Error::NeedsTarget)?;
    let settings = options.settings.options(target)?;
    let ptxas = ptxas::Options {
        arguments: options.ptxas.clone(),
        limit: Duration::from_secs(options.ptxas_timeout),
        ..ptxas::Options::default()
    };
    let request = Request { emit, domain: options.domain, settings, ptxas };
    llvm::add_options(options.llc.clone());
    let cache = options.cache.as_deref().map(|folder| Cache::open(folder, &executable())).transpose()?;
    let session = session().with_cache(cache).with_profile(options.producer.profile);
    Ok(session.compile(source, &request)?)
}
