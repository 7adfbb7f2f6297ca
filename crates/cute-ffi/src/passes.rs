//! Entry points of passes. The passes themselves live in the crate that lowers; it hands them over once.

use std::sync::OnceLock;

use melior::{
    StringRef,
    ir::operation::{OperationLike, OperationRef},
};
use mlir_sys::{MlirOperation, MlirStringCallback, MlirStringRef};
use std::ffi::c_void;

unsafe extern "C" {
    fn cuteRegisterPasses();
}

/// The passes; each returns whether it succeeded, having reported what went wrong.
pub struct Passes {
    /// `cute-fold-static`.
    pub fold_static: fn(OperationRef<'_, '_>) -> bool,
    /// `cute-check-fragments`.
    pub check_fragments: fn(OperationRef<'_, '_>) -> bool,
    /// `cute-expand-ops`.
    pub expand_ops: fn(OperationRef<'_, '_>) -> bool,
    /// `cute-choose-swizzle`.
    pub choose_swizzle: fn(OperationRef<'_, '_>) -> bool,
    /// `cute-expand-copy-gemm`.
    pub expand_copy_gemm: fn(OperationRef<'_, '_>) -> bool,
    /// `cute-lower-atoms`, with the name of the target.
    pub lower_atoms: fn(OperationRef<'_, '_>, &str) -> bool,
    /// `cute-to-base`, with runtime checks or without.
    pub to_base: fn(OperationRef<'_, '_>, bool) -> bool,
    /// `cute-lower-math`.
    pub lower_math: fn(OperationRef<'_, '_>, &CompileOptions<'_>) -> bool,
    /// `cute-lower-reductions`.
    pub lower_reductions: fn(OperationRef<'_, '_>) -> bool,
    /// `cute-lower-conversions`, with the name of the target.
    pub lower_conversions: fn(OperationRef<'_, '_>, &str) -> bool,
    /// `cute-contract-fma`.
    pub contract_fma: fn(OperationRef<'_, '_>) -> bool,
    /// The passes of `cute-compile`, as a textual pipeline.
    pub pipeline: fn(&CompileOptions<'_>) -> String,
}

/// The options of `cute-compile`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompileOptions<'t> {
    /// Name of the GPU to compile for.
    pub target: &'t str,
    /// Trap, with a message, where what an op assumes of run-time integers does not hold.
    pub runtime_checks: bool,
    /// Treat every op as `fastmath<fast>`.
    pub fast_math: bool,
    /// Contract products and sums to fused multiply-adds.
    pub fmad: bool,
    /// Call libdevice for the math that PTX lacks.
    pub libdevice: bool,
}

impl<'t> CompileOptions<'t> {
    /// The defaults for a target: contraction, and nothing else.
    pub const fn new(target: &'t str) -> Self {
        Self { target, runtime_checks: false, fast_math: false, fmad: true, libdevice: false }
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
}

impl RawOptions {
    /// # Safety
    /// The target is text that outlives the result.
    unsafe fn read<'t>(&self) -> CompileOptions<'t> {
        let Self { target, runtime_checks, fast_math, fmad, libdevice } = *self;
        // SAFETY: promised by the caller.
        let target = unsafe { crate::text(target) };
        CompileOptions { target, runtime_checks, fast_math, fmad, libdevice }
    }
}

static PASSES: OnceLock<Passes> = OnceLock::new();

/// Registers the passes and the pipeline `cute-compile` with MLIR.
pub fn register(passes: Passes) {
    // Whoever comes while another thread registers waits until it has.
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
unsafe fn run(name: &str, op: MlirOperation, f: impl FnOnce(&Passes, OperationRef<'_, '_>) -> bool) -> bool {
    // SAFETY: promised by the caller.
    let op = unsafe { OperationRef::from_raw(op) };
    let Some(passes) = PASSES.get() else { return false };
    crate::guarded(name, op.location(), || f(passes, op).then_some(())).is_some()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_fold_static(op: MlirOperation) -> bool {
    // SAFETY: MLIR calls with the op of the pass; so below.
    unsafe { run("cute-fold-static", op, |p, op| (p.fold_static)(op)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_check_fragments(op: MlirOperation) -> bool {
    // SAFETY: as above.
    unsafe { run("cute-check-fragments", op, |p, op| (p.check_fragments)(op)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_expand_ops(op: MlirOperation) -> bool {
    // SAFETY: as above.
    unsafe { run("cute-expand-ops", op, |p, op| (p.expand_ops)(op)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_choose_swizzle(op: MlirOperation) -> bool {
    // SAFETY: as above.
    unsafe { run("cute-choose-swizzle", op, |p, op| (p.choose_swizzle)(op)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_expand_copy_gemm(op: MlirOperation) -> bool {
    // SAFETY: as above.
    unsafe { run("cute-expand-copy-gemm", op, |p, op| (p.expand_copy_gemm)(op)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_lower_atoms(op: MlirOperation, target: MlirStringRef) -> bool {
    // SAFETY: as above; the string lives for the call.
    unsafe {
        let target = crate::text(target);
        run("cute-lower-atoms", op, |p, op| (p.lower_atoms)(op, target))
    }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_to_base(op: MlirOperation, runtime_checks: bool) -> bool {
    // SAFETY: as above.
    unsafe { run("cute-to-base", op, |p, op| (p.to_base)(op, runtime_checks)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_lower_math(op: MlirOperation, options: *const RawOptions) -> bool {
    // SAFETY: as above; the options live for the call.
    unsafe {
        let options = (*options).read();
        run("cute-lower-math", op, |p, op| (p.lower_math)(op, &options))
    }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_lower_reductions(op: MlirOperation) -> bool {
    // SAFETY: as above.
    unsafe { run("cute-lower-reductions", op, |p, op| (p.lower_reductions)(op)) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_lower_conversions(op: MlirOperation, target: MlirStringRef) -> bool {
    // SAFETY: as above; the string lives for the call.
    unsafe {
        let target = crate::text(target);
        run("cute-lower-conversions", op, |p, op| (p.lower_conversions)(op, target))
    }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_pass_contract_fma(op: MlirOperation) -> bool {
    // SAFETY: as above.
    unsafe { run("cute-contract-fma", op, |p, op| (p.contract_fma)(op)) }
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
