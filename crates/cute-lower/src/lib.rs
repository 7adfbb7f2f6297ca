//! Lowering: passes from cute IR to the LLVM and NVVM dialects.
//!
//! | module | pass |
//! |---|---|
//! | [`kernels`] | `cuda-to-gpu`: kernels of CuTe DSL are `gpu.func` |
//! | [`hosts`] | `cuda-to-host`: host functions stay, and kernels are empty |
//! | [`check_fragments`] | `cute-check-fragments`: the operands of a gemm are its A and B, and hold the elements that the MMA takes |
//! | [`check_memory`] | `cute-check-memory`: tensor maps have the swizzle of their shared memory, and views lie in their allocation |
//! | [`swizzle`] | `cute-choose-swizzle`: allocations get the swizzle without bank conflicts |
//! | [`fold_static`] | `cute-fold-static`: static values are `cute.static`; `cute-expand-ops` |
//! | [`expand`] | `cute-expand-copy-gemm`: copies and gemms are atom calls |
//! | [`atoms`] | `cute-lower-atoms`: atom calls are llvm and nvvm ops |
//! | [`math`] | `cute-lower-math`: math is PTX's instructions, calls of libdevice or polynomials |
//! | [`reductions`] | `cute-lower-reductions`: reductions of planes and warps are ops on vectors and shuffles |
//! | [`conversions`] | `cute-lower-conversions`: floats of at most 8 bits are converted in pairs |
//! | [`contract`] | `cute-contract-fma`: a product and its sum are one `math.fma` |
//! | [`finish`] | `cute-finish-kernels`: descriptors of the TMA by value, and blocks per multiprocessor |
//! | [`waits`] | `cute-lower-waits`: waits for mbarriers are loops, and those of `wgmma` hold its registers |
//! | [`lowered`] | whether LLVM can translate the result of the passes |
//! | [`to_base`] | `cute-to-base`: values are their dynamic leaves |
//! | [`emit`] | the algebra's leaves as code |
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
pub mod lowered;
pub mod math;
mod module;
mod print;
pub mod reductions;
pub mod swizzle;
mod ties;
pub mod to_base;
mod values;
pub mod waits;

use cute_build::{Builder, Result as Built};
pub use cute_ffi::passes::CompileOptions;
use cute_ffi::passes::{Passes, register};
use melior::ir::operation::OperationRef;

/// MLIR's canonicalization without the patterns that cut blocks off. In a block that it has just
/// cut off, LLVM 22 may replace an op by its own result, for ever; LLVM itself removes such blocks
/// later. The empty name stands for the patterns that have none, as those of `cf.switch`.
pub const CANONICALIZE: &str = canonicalize!();

/// Registers the passes and the pipeline `cute-compile`. Further calls have no effect.
pub fn register_passes() {
    register(Passes {
        cuda_to_gpu: |on, abi, runtime_checks| kernels::run(on, abi, runtime_checks).is_ok(),
        cuda_to_host: |on| hosts::run(on).is_ok(),
        fold_static: |on| fold_static::run(on).is_ok(),
        check_fragments: |on| check_fragments::run(on.root()).is_ok(),
        check_memory: |on| check_memory::run(on.root()).is_ok(),
        // The public CuTe IR also rewrites dynamic ops here, into constructors and arithmetic;
        // `to_base` does that directly.
        expand_ops: |on| fold_static::run(on).is_ok(),
        choose_swizzle: |on| swizzle::run(on).is_ok(),
        expand_copy_gemm: |on| expand::run(on).is_ok(),
        lower_atoms: |on, target| atoms::run(on, target).is_ok(),
        to_base: |on, runtime_checks| to_base::run(on, runtime_checks).is_ok(),
        lower_math: |on, options| math::run(on, options).is_ok(),
        lower_reductions: |on| reductions::run(on).is_ok(),
        lower_conversions: |on, target| conversions::run(on, target).is_ok(),
        contract_fma: |on| contract::run(on).is_ok(),
        finish_kernels: |on| finish::run(on).is_ok(),
        lower_waits: |on| waits::run(on).is_ok(),
        pipeline: passes,
    });
}

/// The passes of `cute-compile`, for the inside of `builtin.module(..)`.
fn passes(options: &CompileOptions<'_>) -> String {
    let CompileOptions { target, runtime_checks, fast_math, fmad, libdevice, abi } = options;
    let abi = if abi.is_empty() { String::new() } else { format!("abi={abi} ") };
    let checks = if *runtime_checks { "{runtime-checks}" } else { "" };
    let math = format!("cute-lower-math{{target={target} fast-math={fast_math} libdevice={libdevice}}}");
    // The second run is for the fma ops that contraction creates.
    let math = if *fmad { format!("{math},cute-contract-fma,{math}") } else { math };
    format!(
        "cute-check-memory,cuda-to-gpu{{{abi}runtime-checks={runtime_checks}}},cute-check-fragments,cute-choose-swizzle,cute-fold-static,{CANONICALIZE},cse,cute-expand-copy-gemm,cute-lower-atoms{{target={target}}},\
         cute-to-base{checks},{CANONICALIZE},cse,lower-affine,cute-lower-reductions,convert-scf-to-cf,gpu.module(\
         {math},cute-lower-conversions{{target={target}}},convert-vector-to-llvm,convert-gpu-to-nvvm,cute-finish-kernels,canonicalize,cse,reconcile-unrealized-casts,\
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
