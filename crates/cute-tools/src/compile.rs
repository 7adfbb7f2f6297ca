//! From the text of a module to what is asked for.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use cute_algebra::Domain;
use cute_arch::Target;
use cute_dialect::strict::set_default_domain;
use cute_ffi::{
    ir,
    llvm::{self, LlvmModule},
};
use cute_lower::{CompileOptions, lowered};
use melior::{
    Context,
    ir::{
        Module,
        operation::{OperationLike, OperationPrintingFlags, OperationRef},
    },
    pass::PassManager,
};

use cute_output::Sink;

use crate::{
    cli::{self, Arithmetic, Cli, Emit, Options},
    diagnostics::{Printer, message},
    error::{Error, Result},
    libdevice::{self, Libdevice},
    limits,
    manifest::{self, Manifest},
    ptxas::{self, Assembled},
    signature::{self, Signatures},
    source::Source,
};

/// Line numbers for ptxas to keep. Only this kind of debug information goes with optimized code: line *tables* make
/// LLVM write `.target ..., debug`, and ptxas "Optimized debugging not supported".
const LINES: &str = "ensure-debug-info-scope-on-llvm-func{emission-kind=DebugDirectivesOnly}";

/// Compiles and writes.
///
/// # Errors
/// Any [`Error`]; then nothing was written.
pub fn run(cli: &Cli) -> Result<()> {
    run_on(&cli.options, Some(&cli.file), || Source::read(&cli.file))
}

/// The same of a text that `source` makes.
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

/// Where the manifest of an output lies: its name with `.json` behind it, so that no two outputs share one.
fn manifest_of(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".json");
    name.into()
}

/// Refuses to write over what is read.
fn check_names(out: &Path, manifest: Option<&Path>, file: Option<&Path>) -> Result<()> {
    let Some(file) = file else { return Ok(()) };
    let same = |a: &Path| a.canonicalize().is_ok_and(|a| file.canonicalize().is_ok_and(|f| a == f));
    if same(out) || manifest.is_some_and(same) {
        return Err(Error::OutputIsInput { file: file.display().to_string() });
    }
    Ok(())
}

/// What was compiled.
#[derive(Debug)]
struct Product {
    bytes: Vec<u8>,
    manifest: Option<Manifest>,
}

/// Parses a module, lowers it to the llvm and nvvm dialects by a pipeline, and goes on with it.
pub(crate) fn lowered<R>(
    source: Source,
    pipeline: &str,
    domain: Option<cli::Domain>,
    then: impl FnOnce(&mut Stage<'_, '_>, Module<'_>) -> Result<R>,
) -> Result<R> {
    let source = Arc::new(source);
    let context = Context::new();
    cute_mlir::load(&context);
    // Verifiers run as soon as MLIR has parsed, so an attribute would come too late.
    match domain {
        Some(cli::Domain::Extend) => set_default_domain(&context, Domain::Extend),
        Some(cli::Domain::Strict) | None => set_default_domain(&context, Domain::Strict),
    }
    let printer = Printer::attach(&context, source.clone());
    let mut stage = Stage { context: &context, printer, file: &source.name, signatures: Signatures::new() };

    let module = llvm::parse(&context, &source.text, &source.name);
    let mut module = module.ok_or_else(|| stage.failure("it does not parse"))?;
    stage.signatures = signature::of(&module, &source);
    stage.run(&mut module, pipeline)?;
    then(&mut stage, module)
}

/// The passes to the LLVM and NVVM dialects, with runtime checks or without.
pub(crate) fn pipeline(
    target: Target,
    runtime_checks: bool,
    arithmetic: &Arithmetic,
    libdevice: Option<&Libdevice>,
) -> String {
    cute_lower::pipeline_of(&CompileOptions {
        target: target.name(),
        runtime_checks,
        fast_math: arithmetic.fast_math,
        fmad: arithmetic.fmad,
        libdevice: libdevice.is_some(),
    })
}

fn compile(options: &Options, source: Source) -> Result<Product> {
    if options.emit == Emit::Cute {
        return Ok(Product { bytes: source.text.into_bytes(), manifest: None });
    }
    let target = options.target.ok_or(Error::NeedsTarget)?;
    let libdevice = libdevice::find(options.arithmetic.libdevice.as_deref())?;
    let pipeline = pipeline(target, options.runtime_checks, &options.arithmetic, libdevice.as_ref());
    lowered(source, &pipeline, options.domain, |stage, module| {
        emit(options, target, libdevice.as_ref(), stage, module)
    })
}

fn emit(
    options: &Options,
    target: Target,
    libdevice: Option<&Libdevice>,
    stage: &mut Stage<'_, '_>,
    mut module: Module<'_>,
) -> Result<Product> {
    if options.emit == Emit::Mlir {
        let flags = OperationPrintingFlags::new().enable_debug_info(options.lineinfo, false);
        let text = module.as_operation().to_string_with_flags(flags).unwrap_or_default();
        return Ok(Product { bytes: format!("{}\n", text.trim_end()).into_bytes(), manifest: None });
    }
    // Before more passes: a file without a kernel should hear of that.
    kernel_module(&module, stage.file)?;
    let (code, manifest) = stage.kernels(&mut module, target, options.lineinfo, libdevice)?;
    let bytes = match options.emit {
        Emit::Manifest => manifest.to_json().into_bytes(),
        Emit::Llvm => code.to_ir().into_bytes(),
        Emit::Cute | Emit::Mlir | Emit::Ptx | Emit::Cubin => {
            let ptx = ptx(code)?;
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

/// PTX; what LLVM warns of goes to standard error.
pub(crate) fn ptx(code: LlvmModule) -> Result<String> {
    let ptx = code.into_ptx().map_err(Error::Llvm)?;
    ptx.warnings.iter().for_each(|w| message(&format!("warning: {w}")));
    Ok(ptx.text)
}

/// A cubin; what ptxas warns of goes to standard error, and which kernels it could not keep in registers.
pub(crate) fn assemble(ptx: &str, target: Target, lineinfo: bool, limit: Duration) -> Result<Assembled> {
    let assembled = ptxas::assemble(ptx, target, lineinfo, limit)?;
    assembled.warnings.iter().for_each(|w| message(&format!("warning: {w}")));
    for r in assembled.resources.iter().filter(|r| r.spill_stores + r.spill_loads > 0) {
        message(&format!(
            "warning: kernel '{}' spills registers: each thread stores {} bytes to local memory and reloads {}; smaller tiles \
             or more threads a block need fewer",
            r.name, r.spill_stores, r.spill_loads
        ));
    }
    Ok(assembled)
}

/// What every step needs.
pub(crate) struct Stage<'c, 's> {
    context: &'c Context,
    printer: Printer,
    pub(crate) file: &'s str,
    signatures: Signatures,
}

impl Stage<'_, '_> {
    pub(crate) fn run(&mut self, module: &mut Module<'_>, pipeline: &str) -> Result<()> {
        let manager = PassManager::new(self.context);
        melior::utility::parse_pass_pipeline(manager.as_operation_pass_manager(), pipeline)
            .map_err(|e| self.failure(&e.to_string()))?;
        manager.run(module).map_err(|_| self.failure("a pass failed"))
    }

    /// From the llvm and nvvm dialects to LLVM IR, and how to launch what is in it.
    pub(crate) fn kernels(
        &mut self,
        module: &mut Module<'_>,
        target: Target,
        lineinfo: bool,
        libdevice: Option<&Libdevice>,
    ) -> Result<(LlvmModule, Manifest)> {
        let lines = if lineinfo { format!("{LINES},") } else { String::new() };
        self.run(module, &format!("builtin.module({lines}gpu.module(convert-nvvm-to-llvm))"))?;
        let gpu_module = kernel_module(module, self.file)?;
        lowered::check(gpu_module).map_err(|_| Error::Reported)?;
        let translated = llvm::translate(gpu_module, target.name(), &cute_mlir::ptx::llvm_features(target));
        let code = translated
            .map_err(|why| if self.printer.failed() { Error::Reported } else { Error::Llvm(why) })?;
        if let Some((kernel, given)) = manifest::without_size(gpu_module) {
            return Err(Error::DynamicSharedMemory { kernel, given });
        }
        let code = match libdevice {
            Some(Libdevice { file, bitcode }) => {
                code.with_library(bitcode, &file.display().to_string()).map_err(Error::Llvm)?
            }
            None => code,
        };
        let manifest = manifest::of(gpu_module, &code, target, &self.signatures);
        limits::check(gpu_module, &manifest, target)?;
        Ok((code, manifest))
    }

    /// The error of a step of MLIR's: nothing more to say where it said something.
    fn failure(&self, why: &str) -> Error {
        if self.printer.failed() {
            return Error::Reported;
        }
        let why = why.split_whitespace().collect::<Vec<_>>().join(" ");
        Error::Passes { file: self.file.into(), why }
    }
}

/// The one `gpu.module` with kernels.
pub(crate) fn kernel_module<'c, 'a>(module: &'a Module<'c>, file: &str) -> Result<OperationRef<'c, 'a>> {
    let mut found = ir::walk(module.as_operation());
    found.retain(|op| manifest::is_op(*op, "gpu.module") && manifest::kernels(*op).next().is_some());
    match found.as_slice() {
        [] => Err(Error::NoKernel { file: file.into() }),
        [one] => Ok(*one),
        many => {
            let modules = many.iter().map(|m| format!("@{}", manifest::symbol(*m))).collect();
            Err(Error::ManyModules { file: file.into(), modules })
        }
    }
}
