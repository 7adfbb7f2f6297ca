//! Lowering: passes from cute IR to the LLVM and NVVM dialects.
//!
//! Each pass that `td/Passes.td` declares is an arm of `run`, which names the module with its code;
//! `passes` has their order. Three more modules serve the passes:
//!
//! | module | contents |
//! |---|---|
//! | [`emit`] | the algebra's leaves as code |
//! | [`lowered`] | whether LLVM can translate the result of the passes |
//! | `values` | values whose form is known |
//!
//! Layouts are never computed here: `cute-dialect` evaluates each op over [`emit::Emit`] leaves.

/// [`CANONICALIZE`] as a literal.
macro_rules! canonicalize {
    () => {
        "canonicalize{disable-patterns={,\
         (anonymous namespace)::SimplifyConstCondBranchPred,\
         (anonymous namespace)::SimplifyCondBranchFromCondBranchOnSameCondition,\
         (anonymous namespace)::DropUnreachableCondBranch}}"
    };
}

pub mod atoms;
pub mod branches;
pub mod check_fragments;
pub mod check_memory;
pub mod contract;
pub mod conversions;
pub mod emit;
pub mod expand;
pub mod finish;
pub mod fold_static;
pub mod hosts;
mod incoming;
pub mod kernels;
pub mod layouts;
pub mod lowered;
pub mod math;
mod module;
mod origin;
mod print;
mod reach;
pub mod reductions;
mod shared;
mod ties;
pub mod to_base;
mod together;
mod values;
pub mod waits;

use cute_build::{Builder, Result as Built};
pub use cute_ffi::passes::CompileOptions;
use cute_ffi::{
    passes::{Pass, Passes, register},
    rewrite::Rewriter,
};
use melior::ir::operation::OperationRef;

/// MLIR's canonicalization without the patterns that cut blocks off. In a block that it has just
/// cut off, LLVM 22 may replace an op by its own result, for ever; LLVM itself removes such blocks
/// later. The empty name stands for the patterns that have none, as those of `cf.switch`.
pub const CANONICALIZE: &str = canonicalize!();

/// Registers the passes and the pipeline `cute-compile`. Further calls have no effect.
pub fn register_passes() {
    register(Passes { run: |pass, on| run(pass, on).is_ok(), pipeline: passes });
}

/// Runs a pass. It reports its errors.
fn run(pass: Pass<'_>, on: &mut Rewriter<'_>) -> Built<()> {
    match pass {
        Pass::CudaToGpu { abi, runtime_checks } => kernels::run(on, abi, runtime_checks),
        Pass::CudaToHost => hosts::run(on),
        Pass::CheckFragments => check_fragments::run(on.root()),
        Pass::CheckMemory => check_memory::run(on.root()),
        Pass::AssignLayouts => layouts::run(on),
        Pass::ChooseSwizzle => layouts::swizzles(on),
        Pass::ForgetLayouts => layouts::forget(on),
        Pass::ContractFma => contract::run(on),
        Pass::ExpandCopyGemm => expand::run(on),
        // The public CuTe IR also rewrites dynamic ops in `cute-expand-ops`, into constructors and
        // arithmetic; `to_base` does that directly.
        Pass::FoldStatic | Pass::ExpandOps => fold_static::run(on),
        Pass::FinishKernels { max_registers } => finish::run(on, max_registers),
        Pass::LowerAtoms { target } => atoms::run(on, target),
        Pass::LowerConversions { target } => conversions::run(on, target),
        Pass::LowerMath { target, fast_math, libdevice } => math::run(on, target, fast_math, libdevice),
        Pass::LowerReductions => reductions::run(on),
        Pass::MarkBranches => branches::run(on),
        Pass::LowerWaits => waits::run(on),
        Pass::ToBase { runtime_checks } => to_base::run(on, runtime_checks),
    }
}

/// The passes of `cute-compile`, for the inside of `builtin.module(..)`.
fn passes(options: &CompileOptions<'_>) -> String {
    let CompileOptions { target, abi, runtime_checks, fast_math, fmad, libdevice, max_registers } = *options;
    let to_gpu = Pass::CudaToGpu { abi, runtime_checks };
    let atoms = Pass::LowerAtoms { target };
    let to_base = Pass::ToBase { runtime_checks };
    let conversions = Pass::LowerConversions { target };
    let finish = Pass::FinishKernels { max_registers };
    let math = Pass::LowerMath { target, fast_math, libdevice };
    // The second run is for the fma ops that contraction creates.
    let math = if fmad { format!("{math},cute-contract-fma,{math}") } else { math.to_string() };
    format!(
        "cute-assign-layouts,cute-check-memory,{to_gpu},cute-check-fragments,cute-fold-static,{CANONICALIZE},cse,cute-expand-copy-gemm,{atoms},\
         {to_base},{CANONICALIZE},cse,lower-affine,cute-lower-reductions,convert-scf-to-cf,gpu.module(cute-mark-branches,\
         {math},{conversions},convert-vector-to-llvm,convert-gpu-to-nvvm,{finish},canonicalize,cse,reconcile-unrealized-casts,\
         cute-lower-waits,convert-scf-to-cf),convert-cf-to-llvm,gpu.module(convert-arith-to-llvm)"
    )
}

/// The whole pipeline from cute IR to the LLVM and NVVM dialects, as MLIR parses it.
pub fn pipeline_of(options: &CompileOptions<'_>) -> String {
    format!("builtin.module({})", passes(options))
}

/// [`pipeline_of`] the defaults for a target.
pub fn pipeline(target: &str) -> String {
    pipeline_of(&CompileOptions::new(target))
}

/// [`pipeline`] with runtime checks: the code traps, with a message, if an assumption of an
/// operation does not hold.
pub fn pipeline_with_checks(target: &str) -> String {
    pipeline_of(&CompileOptions { runtime_checks: true, ..CompileOptions::new(target) })
}

/// Whether an op belongs to one of our dialects.
pub(crate) fn is_ours(op: OperationRef<'_, '_>) -> bool {
    let name = cute_ffi::ir::op_name(op);
    name.starts_with("cute.") || name.starts_with("cute_nvgpu.")
}
