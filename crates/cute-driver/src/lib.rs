//! The compilation from cute IR to PTX and cubin: the order of the steps, and the information that
//! a program needs to launch the kernels. Both `cutec` and programs that embed the dialect compile
//! through this crate.
//!
//! This crate must not depend on the meaning of a pass or a layout, and must not print anything:
//! results and warnings are returned, and MLIR's diagnostics go to the handlers of the context.
//!
//! | module | contents |
//! |---|---|
//! | [`load`] | prepares a context |
//! | [`options`] | the options of a compilation, from their declaration |
//! | [`lower`], [`compile`] | the steps to the LLVM and NVVM dialects; all steps |
//! | [`product`] | the steps from there to each output |
//! | [`backend`] | the names of targets in LLVM's NVPTX backend |
//! | [`signature`] | the arguments of kernels as their source declares them |
//! | [`manifest`] | the information for launching kernels |
//! | `expected` | the attributes about extents and blocks |
//! | `limits` | checks for kernels that no launch on the target can run |
//! | `objects` | checks for constants, variables and stacks that no device has room for |
//! | `sizes` | checks for values that are too large for LLVM |
//! | [`libdevice`] | finds CUDA's math functions |
//! | [`ptxas`] | the crate that finds and runs NVIDIA's assembler, and reads its report |
//! | `exponents` | loops that keep subnormals of `exp2` |
//! | [`sass`] | the instructions that ptxas makes: local memory, loops, lines of the source |

#![forbid(unsafe_code)]

pub mod backend;
mod error;
mod expected;
mod exponents;
pub mod libdevice;
mod limits;
pub mod manifest;
mod objects;
pub mod options;
pub mod product;
pub mod sass;
pub mod signature;
mod sizes;

pub use cute_ptxas::{self as ptxas, remarks};
pub use error::{Error, Result};
pub use libdevice::Libdevice;
pub use manifest::Manifest;
pub use options::Options;
pub use product::{CompiledModule, Emit, Lowered, Product, Translated};
pub use signature::Signatures;

use cute_ffi::ir;
use melior::{
    Context,
    diagnostic::DiagnosticSeverity,
    dialect::DialectRegistry,
    ir::{Module, operation::OperationRef},
    pass::PassManager,
};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Prepares a context: loads the dialects `cute`, `cute_nvgpu` and all of MLIR's, and registers
/// passes and translations to LLVM IR.
///
/// An application with its own dialects and passes can do this in parts, with
/// [`cute_dialect::register_dialects`] and [`cute_lower::register_passes`].
// Inlined, so that it is compiled into its user: the plugin must not link all of MLIR a second
// time.
#[inline]
pub fn load(context: &Context) {
    let registry = DialectRegistry::new();
    melior::utility::register_all_dialects(&registry);
    cute_dialect::register_dialects(&registry);
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    melior::utility::register_all_llvm_translations(context);
    melior::utility::register_all_passes();
    cute_lower::register_passes();
}

/// Makes the choices that ops of a module leave open, and nothing else.
///
/// # Errors
/// The errors of [`run`].
pub fn assign(context: &Context, module: &mut Module<'_>) -> Result<()> {
    run(context, module, cute_lower::layouts::PIPELINE)
}

/// Lowers a module to the LLVM and NVVM dialects.
///
/// # Errors
/// The errors of [`run`].
pub fn lower(context: &Context, module: &mut Module<'_>, options: &Options) -> Result<()> {
    run(context, module, &options.pipeline())
}

/// Lowers the host functions of a module until their values are machine integers, floats and
/// addresses, and drops the bodies of kernels.
///
/// # Errors
/// The errors of [`run`].
pub fn lower_hosts(context: &Context, module: &mut Module<'_>) -> Result<()> {
    run(context, module, cute_lower::hosts::PIPELINE)
}

/// Runs passes, given in the syntax of `mlir-opt --pass-pipeline`.
///
/// # Errors
/// [`Error::Reported`], or [`Error::Passes`] if no diagnostic gave the reason. The module is then
/// partly lowered.
pub fn run(context: &Context, module: &mut Module<'_>, passes: &str) -> Result<()> {
    watched(context, || {
        let manager = PassManager::new(context);
        melior::utility::parse_pass_pipeline(manager.as_operation_pass_manager(), passes)
            .map_err(|e| Error::Passes(e.to_string().split_whitespace().collect::<Vec<_>>().join(" ")))?;
        manager.run(module).map_err(|_| Error::Passes("a pass failed".into()))
    })
}

/// Compiles a module of cute IR in all steps.
///
/// # Errors
/// The errors of [`lower`] and [`Lowered::compiled`].
// Inlined for the same reason as the steps.
#[inline]
pub fn compile(context: &Context, module: &mut Module<'_>, options: &Options) -> Result<CompiledModule> {
    let signatures = signature::of(module, |_, _, _| None);
    lower(context, module, options)?;
    Lowered { context, module, options, signatures: &signatures }.compiled(|_| ())
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
            modules: many.iter().map(|m| format!("@{}", signature::symbol(*m))).collect(),
        }),
    }
}

/// A step during which MLIR may report errors to the handlers of the context. If it does, these
/// errors are the reason why the step failed.
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
