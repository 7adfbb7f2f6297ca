//! From cute IR to PTX and cubin: the order of the steps, and what a program needs to know to launch the kernels. Whoever
//! compiles goes through here, be it `cutec` or a program that embeds the dialect.
//!
//! It must not know what a pass or a layout does, nor print anything: results and warnings are returned, and MLIR's
//! diagnostics go to the handlers of the context.
//!
//! | module | what it knows |
//! |---|---|
//! | [`Options`], [`lower`], [`translate`] | the steps from a module to LLVM IR |
//! | [`backend`] | what LLVM's NVPTX backend calls a target |
//! | [`signature`] | what kernels take, as their source declares it |
//! | [`manifest`] | how the kernels are launched |
//! | `limits` | what no launch of a kernel can have on its target |
//! | [`libdevice`] | CUDA's math functions: where they are |
//! | [`ptxas`] | NVIDIA's assembler: where it is, and what it reports |

#![forbid(unsafe_code)]

pub mod backend;
mod error;
pub mod libdevice;
mod limits;
pub mod manifest;
pub mod ptxas;
pub mod signature;

pub use error::{Error, Result};
pub use libdevice::Libdevice;
pub use manifest::Manifest;
pub use signature::{Signatures, place};

use cute_arch::Target;
use cute_dialect::parameters::Abi;
use cute_ffi::{
    ir,
    llvm::{self, LlvmModule},
};
use cute_lower::{CompileOptions, lowered, waits};
use melior::{
    Context,
    diagnostic::DiagnosticSeverity,
    ir::{Module, operation::OperationRef},
    pass::PassManager,
};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Line numbers for ptxas to keep. Only this kind of debug information goes with optimized code: line *tables* make
/// LLVM write `.target ..., debug`, and ptxas "Optimized debugging not supported".
const LINES: &str = "ensure-debug-info-scope-on-llvm-func{emission-kind=DebugDirectivesOnly}";

/// Waits for mbarriers as loops of blocks, and those of `wgmma` with the registers that they complete. The simulator runs the ops that they were.
const WAITS: &str =
    "gpu.module(cute-lower-waits,convert-scf-to-cf),convert-cf-to-llvm,gpu.module(convert-arith-to-llvm),";

/// How a module is compiled.
#[derive(Debug, Clone)]
pub struct Options {
    /// The GPU.
    pub target: Target,
    /// Trap where what an op assumes of run-time integers does not hold.
    pub runtime_checks: bool,
    /// Treat all floating-point math as `fastmath<fast>`.
    pub fast_math: bool,
    /// Contract a product and the sum that it is used in to one fused multiply-add.
    pub fmad: bool,
    /// CUDA's math functions.
    pub libdevice: Option<Libdevice>,
    /// Keep the source's line numbers.
    pub lineinfo: bool,
    /// How kernels are passed their arguments; where it is not said, CuTe DSL's kernels are passed them as they expect, and
    /// others as their attributes say.
    pub abi: Option<Abi>,
}

impl Options {
    /// What `cutec` does by default, without libdevice.
    pub fn new(target: Target) -> Self {
        Self {
            target,
            runtime_checks: false,
            fast_math: false,
            fmad: true,
            libdevice: None,
            lineinfo: false,
            abi: None,
        }
    }

    /// The passes to the LLVM and NVVM dialects.
    pub fn pipeline(&self) -> String {
        cute_lower::pipeline_of(&CompileOptions {
            target: self.target.name(),
            runtime_checks: self.runtime_checks,
            fast_math: self.fast_math,
            fmad: self.fmad,
            libdevice: self.libdevice.is_some(),
            abi: self.abi.map_or("", Abi::name),
        })
    }
}

/// Lowers a module to the LLVM and NVVM dialects.
///
/// # Errors
/// As [`run`].
pub fn lower(context: &Context, module: &mut Module<'_>, options: &Options) -> Result<()> {
    run(context, module, &options.pipeline())
}

/// Lowers the host functions of a module until their values are machine integers, floats and addresses, and drops what kernels do.
///
/// # Errors
/// As [`run`].
pub fn lower_hosts(context: &Context, module: &mut Module<'_>) -> Result<()> {
    run(context, module, cute_lower::hosts::PIPELINE)
}

/// Runs passes, as `mlir-opt --pass-pipeline` reads them.
///
/// # Errors
/// [`Error::Reported`], or [`Error::Passes`] where no diagnostic said what failed. The module is then half done.
pub fn run(context: &Context, module: &mut Module<'_>, passes: &str) -> Result<()> {
    watched(context, || {
        let manager = PassManager::new(context);
        melior::utility::parse_pass_pipeline(manager.as_operation_pass_manager(), passes)
            .map_err(|e| Error::Passes(e.to_string().split_whitespace().collect::<Vec<_>>().join(" ")))?;
        manager.run(module).map_err(|_| Error::Passes("a pass failed".into()))
    })
}

/// LLVM IR, and how to launch what is in it.
pub struct Translated {
    /// The code, not optimized.
    pub code: LlvmModule,
    /// The kernels.
    pub manifest: Manifest,
}

/// Translates a [lowered](lower) module to LLVM IR. `signatures` are those of the module before it was lowered.
///
/// # Errors
/// An [`Error`]; a kernel that no launch on the target can run is one.
// Inlined, so that it is compiled where it is used: a plugin must not link LLVM's translation.
#[inline]
pub fn translate(
    context: &Context,
    module: &mut Module<'_>,
    options: &Options,
    signatures: &Signatures,
) -> Result<Translated> {
    let lines = if options.lineinfo { format!("{LINES},") } else { String::new() };
    let waits = if waits::any(module.as_operation()) { WAITS } else { "" };
    run(context, module, &format!("builtin.module({lines}{waits}gpu.module(convert-nvvm-to-llvm))"))?;
    let gpu_module = kernel_module(module)?;
    lowered::check(gpu_module).map_err(|_| Error::Reported)?;
    let target = options.target;
    let code = watched(context, || {
        llvm::translate(gpu_module, target.name(), &backend::llvm_features(target)).map_err(Error::Llvm)
    })?;
    manifest::check_dynamic_shared_memory(gpu_module)?;
    let code = match &options.libdevice {
        Some(Libdevice { file, bitcode }) => {
            code.with_library(bitcode, &file.display().to_string()).map_err(Error::Llvm)?
        }
        None => code,
    };
    let manifest = manifest::of(gpu_module, &code, target, signatures);
    limits::check(gpu_module, &manifest, target)?;
    Ok(Translated { code, manifest })
}

/// The one `gpu.module` that has kernels.
///
/// # Errors
/// [`Error::NoKernel`] and [`Error::ManyModules`].
pub fn kernel_module<'c, 'a>(module: &'a Module<'c>) -> Result<OperationRef<'c, 'a>> {
    let mut found = ir::walk(module.as_operation());
    found.retain(|op| manifest::is_op(*op, "gpu.module") && manifest::kernels(*op).next().is_some());
    match found.as_slice() {
        [] => Err(Error::NoKernel),
        [one] => Ok(*one),
        many => Err(Error::ManyModules {
            modules: many.iter().map(|m| format!("@{}", manifest::symbol(*m))).collect(),
        }),
    }
}

/// A step during which MLIR may report errors to the handlers of the context. Where it does, they say why the step
/// failed.
fn watched<T>(context: &Context, step: impl FnOnce() -> Result<T>) -> Result<T> {
    let reported = Arc::new(AtomicBool::new(false));
    let flag = reported.clone();
    let id = context.attach_diagnostic_handler(move |d| {
        if matches!(d.severity(), DiagnosticSeverity::Error) {
            flag.store(true, Ordering::Relaxed);
        }
        // The handlers before this one take it.
        false
    });
    let result = step();
    context.detach_diagnostic_handler(id);
    result.map_err(|why| if reported.load(Ordering::Relaxed) { Error::Reported } else { why })
}
