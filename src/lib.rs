//! The `cute` dialect for MLIR: a plugin for stock tools, and a library to embed.
//!
//! As a plugin, `libcute_mlir.so` adds the dialects and passes to `mlir-opt`. As a library, it
//! works in process, together with [`melior`]: [`load`] prepares a context, a [`Builder`] makes IR
//! without text ([`mod@build`] is its crate), [`lower`] takes it to the LLVM and NVVM dialects, and
//! [`compile`] to PTX and a cubin.
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

pub use cute_algebra as algebra;
pub use cute_algebra::Domain;
pub use cute_arch::{Target, tensor_map};
pub use cute_build as build;
pub use cute_build::{
    At, Axis, Builder, Error, IntPredicate, Kernel, Kernels, MmaOperand, Result, Value, atoms, ops, types,
    verify,
};
pub use cute_dialect as dialect;
pub use cute_dialect::{register_dialects as register, strict::set_default_domain};
pub use cute_driver as driver;
pub use cute_driver::{CompiledModule, load};
pub use cute_ffi as ffi;
pub use cute_lower as lowering;
pub use cute_lower::{pipeline, pipeline_with_checks, register_passes};
pub use cute_placement as placement;

use cute_build::diagnostics::reported;
use melior::{Context, ir::Module, pass::PassManager, utility::parse_pass_pipeline};

cute_ffi::export_plugin!(cute_dialect::MEANING, cute_lower::register_passes);

/// Parses a module.
///
/// # Errors
/// [`Error::Module`], with MLIR's report.
pub fn parse<'c>(context: &'c Context, text: &str) -> Result<Module<'c>> {
    reported(context, "the module does not parse", || cute_ffi::parse::module(context, text, "-"))
        .map_err(Error::Module)
}

/// A module as text, in which values have the names that the builder gave them: parameters, and
/// [`Builder::named`].
pub fn text(module: &Module<'_>) -> String {
    cute_ffi::ir::named_text(module.as_operation())
}

/// Replaces everything static by its value, and removes unused ops.
///
/// # Errors
/// Like [`run`].
pub fn fold(context: &Context, module: &mut Module<'_>) -> Result<()> {
    run(context, module, &format!("builtin.module(cute-fold-static,{},cse)", cute_lower::CANONICALIZE))
}

/// Takes a module to the LLVM and NVVM dialects: the passes of [`pipeline`].
///
/// # Errors
/// As [`run`].
pub fn lower(context: &Context, module: &mut Module<'_>, target: Target) -> Result<()> {
    run(context, module, &pipeline(target.name()))
}

/// Compiles the only `gpu.module` with kernels of a module: to PTX, to a cubin if there is a ptxas,
/// and to the manifest. The options are the defaults of `cutec`, without libdevice;
/// [`compile_with`] takes others, and [`driver`] has the steps.
///
/// An error that is fatal in LLVM, such as an intrinsic that the GPU lacks, is an [`Error::Pass`]
/// like any other. For that, the crate installs LLVM's error handler, of which there is one per
/// process.
///
/// # Errors
/// Like [`run`]; [`Error::Module`] unless there is exactly one such `gpu.module`; [`Error::Pass`]
/// with the message of LLVM or ptxas.
// Inlined, so that it is compiled into its user: the plugin generates no code.
#[inline]
pub fn compile(context: &Context, module: &mut Module<'_>, target: Target) -> Result<CompiledModule> {
    compile_with(context, module, &driver::Options::new(target))
}

/// Like [`compile`], with other options.
///
/// # Errors
/// As [`compile`].
#[inline]
pub fn compile_with(
    context: &Context,
    module: &mut Module<'_>,
    options: &driver::Options,
) -> Result<CompiledModule> {
    let mut failure = None;
    let compiled = reported(context, "", || {
        driver::compile(context, module, options).map_err(|why| failure = Some(why)).ok()
    });
    compiled.map_err(|report| match failure {
        Some(driver::Error::Reported) | None => Error::Pass(report),
        Some(why @ (driver::Error::NoKernel | driver::Error::ManyModules { .. })) => {
            Error::Module(why.to_string())
        }
        Some(why) => Error::Pass(why.to_string()),
    })
}

/// Runs passes, given in the syntax of `mlir-opt --pass-pipeline`.
///
/// # Errors
/// Returns [`Error::Pass`] with the message of the pipeline parser or of the passes. The module is
/// then only partly processed.
pub fn run(context: &Context, module: &mut Module<'_>, passes: &str) -> Result<()> {
    let manager = PassManager::new(context);
    let parsed = parse_pass_pipeline(manager.as_operation_pass_manager(), passes);
    parsed.map_err(|e| Error::Pass(e.to_string().trim_end().into()))?;
    reported(context, "a pass failed", || manager.run(module).ok()).map_err(Error::Pass)
}
