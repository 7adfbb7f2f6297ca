//! Compiles the text of a module to the requested output.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use cute_arch::Target;
use cute_driver::{
    Manifest, Signatures, Translated, kernel_module, libdevice,
    manifest::{self, Passed},
    ptxas,
    signature::{self, Argument},
};
use cute_ffi::{ir, llvm::LlvmModule};
use cute_output::Sink;
use melior::{
    Context,
    ir::{
        Module,
        operation::{OperationLike, OperationPrintingFlags, OperationRef},
    },
};

use crate::{
    cli::{self, Abi, Arithmetic, Cli, Emit, Options},
    diagnostics::message,
    error::{Error, Result},
    import,
    source::Source,
};

/// Compiles a file and writes the output.
///
/// # Errors
/// Returns an [`Error`]; nothing is written then.
pub fn run(cli: &Cli) -> Result<()> {
    let file = cli.file.as_deref().expect("the command line requires a file");
    run_on(&cli.options, Some(file), || Source::read(file))
}

/// The same for a text that `source` returns.
pub(crate) fn run_on(
    options: &Options,
    file: Option<&Path>,
    source: impl FnOnce() -> Result<Source>,
) -> Result<()> {
    if options.emit == Emit::Cubin && options.output.is_none() {
        return Err(Error::CubinNeedsFile);
    }
    let sink = Sink::of(options.output.as_deref());
    let beside = match &sink {
        Sink::File(out) if matches!(options.emit, Emit::Ptx | Emit::Cubin) => Some(manifest_of(out)),
        _ => None,
    };
    if let Sink::File(out) = &sink {
        check_names(out, beside.as_deref(), file)?;
    }
    let product = compile(options, source()?)?;
    let mut results = vec![(sink, product.bytes.as_slice())];
    let manifest = product.manifest.as_ref().map(Manifest::to_json);
    if let (Some(path), Some(json)) = (beside, &manifest) {
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

/// Returns an error if the output is also an input.
fn check_names(out: &Path, manifest: Option<&Path>, file: Option<&Path>) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    let same = |a: &Path| a.canonicalize().is_ok_and(|a| file.canonicalize().is_ok_and(|f| a == f));
    if same(out) || manifest.is_some_and(same) {
        return Err(Error::OutputIsInput { file: file.display().to_string() });
    }
    Ok(())
}

/// The result of compiling.
#[derive(Debug)]
struct Product {
    bytes: Vec<u8>,
    manifest: Option<Manifest>,
}

/// The driver's settings for a target.
///
/// # Errors
/// Returns [`Error::Libdevice`].
pub(crate) fn settings(
    target: Target,
    runtime_checks: bool,
    lineinfo: bool,
    arithmetic: &Arithmetic,
    abi: Option<Abi>,
) -> Result<cute_driver::Options> {
    Ok(cute_driver::Options {
        target,
        runtime_checks,
        lineinfo,
        fast_math: arithmetic.fast_math,
        fmad: arithmetic.fmad,
        libdevice: libdevice::find(arithmetic.libdevice.as_deref())?,
        abi: abi.map(Into::into),
    })
}

/// A module in the llvm and nvvm dialects, with what its kernels took before.
pub(crate) struct Lowered<'c, 'o> {
    context: &'c Context,
    module: Module<'c>,
    signatures: Signatures,
    pub(crate) file: &'o str,
    settings: &'o cute_driver::Options,
}

/// A module as it was parsed.
pub(crate) struct Parsed<'c, 'o> {
    context: &'c Context,
    module: Module<'c>,
    source: &'o Source,
}

/// A function that launches kernels, and its arguments.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) program: cute_host::Program,
    pub(crate) arguments: Vec<Argument>,
    /// The passed values, argument by argument.
    pub(crate) leaves: Vec<Passed>,
}

/// Parses a module and passes it to a function.
pub(crate) fn parsed<R>(
    source: Source,
    domain: Option<cli::Domain>,
    then: impl FnOnce(Parsed<'_, '_>) -> Result<R>,
) -> Result<R> {
    let source = Arc::new(source);
    let context = Context::new();
    let module = import::module(&context, &source, domain)?;
    then(Parsed { context: &context, module, source: &source })
}

/// Parses a module, lowers it, and passes it to a function.
pub(crate) fn lowered<R>(
    source: Source,
    domain: Option<cli::Domain>,
    settings: &cute_driver::Options,
    then: impl FnOnce(&mut Lowered<'_, '_>) -> Result<R>,
) -> Result<R> {
    parsed(source, domain, |parsed| then(&mut parsed.lower(settings)?))
}

impl<'c, 'o> Parsed<'c, 'o> {
    /// The kernels in the llvm and nvvm dialects.
    pub(crate) fn lower(mut self, settings: &'o cute_driver::Options) -> Result<Lowered<'c, 'o>> {
        let signatures = signature::of(&self.module, |file, line, column| self.spelled(file, line, column));
        let file = &self.source.name;
        cute_driver::lower(self.context, &mut self.module, settings).map_err(|why| Error::of(file, why))?;
        Ok(Lowered { context: self.context, module: self.module, signatures, file, settings })
    }

    /// The host function of this name, or the only one.
    pub(crate) fn host(&self, wanted: Option<&str>) -> Result<Host> {
        let hosts = signature::hosts(&self.module, |file, line, column| self.spelled(file, line, column));
        let file = || self.source.name.clone();
        let names = || hosts.iter().map(|host| host.name.clone()).collect();
        let host = match (wanted, hosts.as_slice()) {
            (_, []) => return Err(Error::NoHost { file: file() }),
            (Some(name), all) => all
                .iter()
                .find(|host| host.name == name)
                .ok_or_else(|| Error::NoSuchHost { name: name.into(), file: file(), hosts: names() })?,
            (None, [one]) => one,
            (None, _) => return Err(Error::WhichHost { file: file(), hosts: names() }),
        };
        let mut module = Module::from_operation((*self.module.as_operation()).clone())
            .expect("the copy of a module is a module");
        cute_driver::lower_hosts(self.context, &mut module)
            .map_err(|why| Error::of(&self.source.name, why))?;
        let function = ir::functions(module.as_operation())
            .into_iter()
            .find(|f| manifest::symbol(*f) == host.name && cute_lower::hosts::launches(*f))
            .expect("lowering keeps functions that launch kernels");
        let program = cute_host::program(function).map_err(|_| Error::Reported)?;
        let leaves = manifest::of_host(&host.arguments);
        Ok(Host { program, arguments: host.arguments.clone(), leaves })
    }

    /// The name of the value at a place of the source.
    fn spelled(&self, file: &str, line: usize, column: usize) -> Option<&'o str> {
        self.source.value_name(line, column).filter(|_| file == self.source.name)
    }
}

impl<'c> Lowered<'c, '_> {
    /// Its `gpu.module`.
    pub(crate) fn kernel_module(&self) -> Result<OperationRef<'c, '_>> {
        kernel_module(&self.module).map_err(|why| Error::of(self.file, why))
    }

    /// The LLVM IR, and the launch data of its kernels.
    pub(crate) fn translate(&mut self) -> Result<Translated> {
        cute_driver::translate(self.context, &mut self.module, self.settings, &self.signatures)
            .map_err(|why| Error::of(self.file, why))
    }
}

fn compile(options: &Options, source: Source) -> Result<Product> {
    if options.emit == Emit::Cute {
        return Ok(Product { bytes: source.text.into_bytes(), manifest: None });
    }
    let target = options.target.ok_or(Error::NeedsTarget)?;
    let settings =
        settings(target, options.runtime_checks, options.lineinfo, &options.arithmetic, options.abi)?;
    lowered(source, options.domain, &settings, |lowered| emit(options, target, lowered))
}

fn emit(options: &Options, target: Target, lowered: &mut Lowered<'_, '_>) -> Result<Product> {
    if options.emit == Emit::Mlir {
        let flags = OperationPrintingFlags::new().enable_debug_info(options.lineinfo, false);
        let text = lowered.module.as_operation().to_string_with_flags(flags);
        let text = text.expect("MLIR escapes what is not text, and the source is text");
        return Ok(Product { bytes: format!("{}\n", text.trim_end()).into_bytes(), manifest: None });
    }
    // Before more passes: a file without a kernel should hear of that.
    lowered.kernel_module()?;
    let Translated { code, manifest } = lowered.translate()?;
    let bytes = match options.emit {
        Emit::Manifest => manifest.to_json().into_bytes(),
        Emit::Llvm => code.to_ir().into_bytes(),
        Emit::Cute | Emit::Mlir | Emit::Ptx | Emit::Cubin => {
            let ptx = ptx(code, lowered.file)?;
            if options.emit == Emit::Cubin {
                let limit = Duration::from_secs(options.ptxas_timeout);
                let assembled = assemble(&ptx, target, options.lineinfo, limit)?;
                assembled.resources.iter().for_each(|r| message(&r.to_string()));
                assembled.cubin
            } else {
                ptx.into_bytes()
            }
        }
    };
    Ok(Product { bytes, manifest: Some(manifest) })
}

/// Generates PTX. LLVM's warnings are printed to standard error.
pub(crate) fn ptx(code: LlvmModule, file: &str) -> Result<String> {
    let ptx = code.into_ptx().map_err(|why| Error::of(file, cute_driver::Error::Llvm(why)))?;
    ptx.warnings.iter().for_each(|w| message(&format!("warning: {w}")));
    Ok(ptx.text)
}

/// Assembles a cubin. ptxas's warnings, and the kernels that spill, are printed to standard error.
pub(crate) fn assemble(
    ptx: &str,
    target: Target,
    lineinfo: bool,
    limit: Duration,
) -> Result<ptxas::Assembled> {
    let assembled = ptxas::assemble(ptx, target, lineinfo, limit)?;
    assembled.warnings().for_each(|w| message(&format!("warning: {w}")));
    Ok(assembled)
}
