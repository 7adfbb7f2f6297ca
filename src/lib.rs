//! The `cute` dialect for MLIR: a plugin for stock tools, and a library to embed.
//!
//! As a plugin, `libcute_mlir.so` adds the dialects and passes to `mlir-opt`. As a library, it
//! works in process, together with [`melior`]: [`load`] prepares a context, [`builders`] and
//! [`types`] make IR without text, [`lower`] takes it to the LLVM and NVVM dialects, and
//! [`compile`] to PTX.
//!
//! ```
//! use cute_mlir::{fold, parse};
//! use melior::Context;
//!
//! let context = Context::new();
//! cute_mlir::load(&context);
//! let mut module = parse(&context, r#"
//!   func.func @f() -> !cute.int_tuple<"32"> {
//!     %layout = cute.static : !cute.layout<"(4,8):(1,4)">
//!     %size = cute.size(%layout) : (!cute.layout<"(4,8):(1,4)">) -> !cute.int_tuple<"32">
//!     return %size : !cute.int_tuple<"32">
//!   }"#)?;
//! fold(&context, &mut module)?;
//! assert!(module.as_operation().to_string().contains(r#"cute.static : !cute.int_tuple<"32">"#));
//! assert!(!module.as_operation().to_string().contains("cute.size"));
//! # Ok::<(), cute_mlir::Error>(())
//! ```

pub mod builders;
mod diagnostics;
mod error;
pub mod types;

pub use cute_algebra as algebra;
pub use cute_algebra::Domain;
pub use cute_arch::{Target, tensor_map};
pub use cute_dialect as dialect;
pub use cute_dialect::{register_dialects as register, strict::set_default_domain};
pub use cute_driver as driver;
pub use cute_ffi as ffi;
pub use cute_ffi::llvm::Ptx;
pub use cute_lower as lowering;
pub use cute_lower::{pipeline, pipeline_with_checks, register_passes};
pub use error::Error;

use diagnostics::reported;
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{Module, operation::OperationLike},
    pass::PassManager,
    utility::parse_pass_pipeline,
};

cute_ffi::export_plugin!(cute_dialect::MEANING, cute_lower::register_passes);

/// Prepares a context: loads the dialects `cute`, `cute_nvgpu` and all of MLIR's, and registers
/// passes and translations to LLVM IR.
///
/// An application with its own dialects and passes can do this in parts: [`register`] adds the two
/// dialects to a registry, and [`register_passes`] adds the passes to MLIR's.
// Inlined, so that it is compiled into its user: the plugin must not link all of MLIR a second
// time.
#[inline]
pub fn load(context: &Context) {
    let registry = DialectRegistry::new();
    melior::utility::register_all_dialects(&registry);
    register(&registry);
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    melior::utility::register_all_llvm_translations(context);
    melior::utility::register_all_passes();
    register_passes();
}

/// Parses a module.
///
/// # Errors
/// [`Error::Module`], with MLIR's report.
pub fn parse<'c>(context: &'c Context, text: &str) -> Result<Module<'c>, Error> {
    reported(context, "the module does not parse", || Module::parse(context, text)).map_err(Error::Module)
}

/// Checks a module: every rule of every op.
///
/// # Errors
/// [`Error::Module`], with MLIR's report.
pub fn verify(context: &Context, module: &Module<'_>) -> Result<(), Error> {
    let check = || module.as_operation().verify().then_some(());
    reported(context, "the module is invalid", check).map_err(Error::Module)
}

/// Replaces everything static by its value, and removes unused ops.
///
/// # Errors
/// Like [`run`].
pub fn fold(context: &Context, module: &mut Module<'_>) -> Result<(), Error> {
    run(context, module, "builtin.module(cute-fold-static,canonicalize,cse)")
}

/// Takes a module to the LLVM and NVVM dialects: the passes of [`pipeline`].
///
/// # Errors
/// As [`run`].
pub fn lower(context: &Context, module: &mut Module<'_>, target: Target) -> Result<(), Error> {
    run(context, module, &pipeline(target.name()))
}

/// Compiles the only `gpu.module` with kernels of a module to PTX. [`driver`] does the same in
/// steps, with more options, and also produces a cubin and the manifest.
///
/// An error that is fatal in LLVM, such as an intrinsic that the GPU lacks, is an [`Error::Pass`]
/// like any other. For that, the crate installs LLVM's error handler, of which there is one per
/// process.
///
/// # Errors
/// Like [`run`]; [`Error::Module`] unless there is exactly one such `gpu.module`; [`Error::Pass`]
/// with LLVM's message.
// Inlined for the same reason as `load`: the plugin generates no code.
#[inline]
pub fn compile(context: &Context, module: &mut Module<'_>, target: Target) -> Result<Ptx, Error> {
    let options = driver::Options::new(target);
    let signatures = driver::signature::of(module, |_, _, _| None);
    lower(context, module, target)?;
    let mut failure = None;
    let translated = reported(context, "", || {
        driver::translate(context, module, &options, &signatures).map_err(|why| failure = Some(why)).ok()
    });
    match (translated, failure) {
        (Ok(translated), _) => translated.code.into_ptx().map_err(Error::Pass),
        (Err(report), Some(driver::Error::Reported) | None) => Err(Error::Pass(report)),
        (_, Some(why @ (driver::Error::NoKernel | driver::Error::ManyModules { .. }))) => {
            Err(Error::Module(why.to_string()))
        }
        (_, Some(why)) => Err(Error::Pass(why.to_string())),
    }
}

/// Runs passes, given in the syntax of `mlir-opt --pass-pipeline`.
///
/// # Errors
/// Returns [`Error::Pass`] with the message of the pipeline parser or of the passes. The module is
/// then only partly processed.
pub fn run(context: &Context, module: &mut Module<'_>, passes: &str) -> Result<(), Error> {
    let manager = PassManager::new(context);
    let parsed = parse_pass_pipeline(manager.as_operation_pass_manager(), passes);
    parsed.map_err(|e| Error::Pass(e.to_string().trim_end().into()))?;
    reported(context, "a pass failed", || manager.run(module).ok()).map_err(Error::Pass)
}
