//! Entry points of passes. The passes themselves are in cute-lower, which registers them once.

use std::sync::OnceLock;

use melior::{StringRef, ir::operation::OperationLike};
use mlir_sys::{MlirOperation, MlirStringCallback, MlirStringRef};
use std::ffi::c_void;

use crate::rewrite::Rewriter;

unsafe extern "C" {
    fn cuteRegisterPasses();
}

/// The passes; each returns whether it succeeded, after reporting its errors.
pub struct Passes {
    /// `cuda-to-gpu`, with the name of the kernels' ABI, which is empty if each kernel decides, and
    /// with or without runtime checks.
    pub cuda_to_gpu: fn(&mut Rewriter<'_>, &str, bool) -> bool,
    /// `cuda-to-host`.
    pub cuda_to_host: fn(&mut Rewriter<'_>) -> bool,
    /// `cute-fold-static`.
    pub fold_static: fn(&mut Rewriter<'_>) -> bool,
    /// `cute-check-fragments`.
    pub check_fragments: fn(&mut Rewriter<'_>) -> bool,
    /// `cute-check-memory`.
    pub check_memory: fn(&mut Rewriter<'_>) -> bool,
    /// `cute-expand-ops`.
    pub expand_ops: fn(&mut Rewriter<'_>) -> bool,
    /// `cute-choose-swizzle`.
    pub choose_swizzle: fn(&mut Rewriter<'_>) -> bool,
    /// `cute-expand-copy-gemm`.
    pub expand_copy_gemm: fn(&mut Rewriter<'_>) -> bool,
    /// `cute-lower-atoms`, with the name of the target.
    pub lower_atoms: fn(&mut Rewriter<'_>, &str) -> bool,
    /// `cute-to-base`, with or without runtime checks.
    pub to_base: fn(&mut Rewriter<'_>, bool) -> bool,
    /// `cute-lower-math`.
    pub lower_math: fn(&mut Rewriter<'_>, &CompileOptions<'_>) -> bool,
    /// `cute-lower-reductions`.
    pub lower_reductions: fn(&mut Rewriter<'_>) -> bool,
    /// `cute-lower-conversions`, with the name of the target.
    pub lower_conversions: fn(&mut Rewriter<'_>, &str) -> bool,
    /// `cute-finish-kernels`.
    pub finish_kernels: fn(&mut Rewriter<'_>) -> bool,
    /// `cute-lower-waits`.
    pub lower_waits: fn(&mut Rewriter<'_>) -> bool,
    /// `cute-contract-fma`.
    pub contract_fma: fn(&mut Rewriter<'_>) -> bool,
    /// The passes of `cute-compile`, as a textual pipeline.
    pub pipeline: fn(&CompileOptions<'_>) -> String,
}

/// The options of `cute-compile`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompileOptions<'t> {
    /// Name of the GPU to compile for.
    pub target: &'t str,
    /// Trap with a message where an assumption of an op about run-time integers does not hold.
    pub runtime_checks: bool,
    /// Treat every op as `fastmath<fast>`.
    pub fast_math: bool,
    /// Contract products and sums to fused multiply-adds.
    pub fmad: bool,
    /// Call libdevice for the math that PTX lacks.
    pub libdevice: bool,
    /// The name of the kernels' ABI; empty if each kernel decides.
    pub abi: &'t str,
}

impl<'t> CompileOptions<'t> {
    /// The defaults for a target: only contraction is on.
    pub const fn new(target: &'t str) -> Self {
        Self { target, runtime_checks: false, fast_math: false, fmad: true, libdevice: false, abi: "" }
    }
}

/// `CuteOptions` of `dialect/Boundary.h`.
#[repr(C)]
struct RawOptions {
    target: MlirStringRef,
    runtime_checks: bool,
    fast_math: bool,
    fmad: bool,
    libdevice: bool,
    abi: MlirStringRef,
}

impl RawOptions {
    /// # Safety
    /// The target and the ABI are texts that outlive the result.
    unsafe fn read<'t>(&self) -> CompileOptions<'t> {
        let Self { target, runtime_checks, fast_math, fmad, libdevice, abi } = *self;
        // SAFETY: promised by the caller.
        let [target, abi] = unsafe { [target, abi].map(|text| crate::text(text)) };
        CompileOptions { target, runtime_checks, fast_math, fmad, libdevice, abi }
    }
}

static PASSES: OnceLock<Passes> = OnceLock::new();

/// Registers the passes and the pipeline `cute-compile` with MLIR.
pub fn register(passes: Passes) {
    // A thread that arrives during the registration waits for its end.
    PASSES.get_or_init(|| {
        // SAFETY: registration happens once. It runs no pass.
        unsafe { cuteRegisterPasses() };
        passes
    });
}

/// Runs a pass on a raw op.
///
/// # Safety
/// `op` is the live op of the running pass.
unsafe fn run(name: &str, op: MlirOperation, f: impl FnOnce(&Passes, &mut Rewriter<'_>) -> bool) -> bool {
    let Some(passes) = PASSES.get() else { return false };
    // SAFETY: promised by the caller.
    let mut rewriter = unsafe { Rewriter::new(op) };
    let location = rewriter.root().location();
    let done = crate::guarded(name, location, || {
        let done = f(passes, &mut rewriter);
        if done {
            rewriter.bury().unwrap_or_else(|why| panic!("{why}"));
        }
        done.then_some(())
    });
    done.is_some()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_cuda_to_gpu(
    op: MlirOperation,
    abi: MlirStringRef,
    runtime_checks: bool,
) -> bool {
    // SAFETY: MLIR calls with the op of the pass, and with strings that live for the call; this
    // also holds below.
    unsafe {
        let abi = crate::text(abi);
        run("cuda-to-gpu", op, |p, on| (p.cuda_to_gpu)(on, abi, runtime_checks))
    }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_cuda_to_host(op: MlirOperation) -> bool {
    // SAFETY: as above.
    unsafe { run("cuda-to-host", op, |p, on| (p.cuda_to_host)(on)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_fold_static(op: MlirOperation) -> bool {
    // SAFETY: as above.
    unsafe { run("cute-fold-static", op, |p, on| (p.fold_static)(on)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_check_fragments(op: MlirOperation) -> bool {
    // SAFETY: as above.
    unsafe { run("cute-check-fragments", op, |p, on| (p.check_fragments)(on)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_check_memory(op: MlirOperation) -> bool {
    // SAFETY: as above.
    unsafe { run("cute-check-memory", op, |p, on| (p.check_memory)(on)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_expand_ops(op: MlirOperation) -> bool {
    // SAFETY: as above.
    unsafe { run("cute-expand-ops", op, |p, on| (p.expand_ops)(on)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_choose_swizzle(op: MlirOperation) -> bool {
    // SAFETY: as above.
    unsafe { run("cute-choose-swizzle", op, |p, on| (p.choose_swizzle)(on)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_expand_copy_gemm(op: MlirOperation) -> bool {
    // SAFETY: as above.
    unsafe { run("cute-expand-copy-gemm", op, |p, on| (p.expand_copy_gemm)(on)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_lower_atoms(op: MlirOperation, target: MlirStringRef) -> bool {
    // SAFETY: as above; the string lives for the call.
    unsafe {
        let target = crate::text(target);
        run("cute-lower-atoms", op, |p, on| (p.lower_atoms)(on, target))
    }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_to_base(op: MlirOperation, runtime_checks: bool) -> bool {
    // SAFETY: as above.
    unsafe { run("cute-to-base", op, |p, on| (p.to_base)(on, runtime_checks)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_lower_math(op: MlirOperation, options: *const RawOptions) -> bool {
    // SAFETY: as above; the options live for the call.
    unsafe {
        let options = (*options).read();
        run("cute-lower-math", op, |p, on| (p.lower_math)(on, &options))
    }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_lower_reductions(op: MlirOperation) -> bool {
    // SAFETY: as above.
    unsafe { run("cute-lower-reductions", op, |p, on| (p.lower_reductions)(on)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_lower_conversions(op: MlirOperation, target: MlirStringRef) -> bool {
    // SAFETY: as above; the string lives for the call.
    unsafe {
        let target = crate::text(target);
        run("cute-lower-conversions", op, |p, on| (p.lower_conversions)(on, target))
    }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_finish_kernels(op: MlirOperation) -> bool {
    // SAFETY: as above.
    unsafe { run("cute-finish-kernels", op, |p, on| (p.finish_kernels)(on)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_lower_waits(op: MlirOperation) -> bool {
    // SAFETY: as above.
    unsafe { run("cute-lower-waits", op, |p, on| (p.lower_waits)(on)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_contract_fma(op: MlirOperation) -> bool {
    // SAFETY: as above.
    unsafe { run("cute-contract-fma", op, |p, on| (p.contract_fma)(on)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pipeline(
    options: *const RawOptions,
    f: MlirStringCallback,
    u: *mut c_void,
) -> bool {
    let (Some(passes), Some(f)) = (PASSES.get(), f) else { return false };
    // SAFETY: the options live for the call; `f` and `u` belong together.
    unsafe {
        let text = (passes.pipeline)(&(*options).read());
        f(StringRef::new(&text).to_raw(), u);
    }
    true
}
