//! The steps for GPU code around LLVM's optimization that MLIR cannot express. [`LlvmModule`] takes
//! them with the modules that it compiles, and the plugin with those of `opt`.
//!
//! [`LlvmModule`]: super::LlvmModule

use std::ffi::c_int;

use super::{
    FUNCTION, alignment, held, instructions, kind_of_attribute, list, loops, native::*, orders, products,
};
use crate::c_text;

unsafe extern "C" {
    fn cuteForbidContraction(instruction: Ref);
}

/// A step of compilation that `dialect/LlvmPasses.cpp` names.
#[repr(i32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Before LLVM optimizes.
    Before,
    /// After LLVM has optimized, and before it generates code.
    After,
}

/// Takes a step. Taking it twice is like taking it once.
///
/// # Safety
/// The module is live.
pub(super) unsafe fn take(step: Step, module: Ref) {
    // SAFETY: promised by the caller.
    unsafe {
        match step {
            Step::Before => {
                mark_convergent(module);
                alignment::state_alignments(module);
                forbid_contraction(module);
                orders::fence_updates(module);
                products::keep_products(module);
            }
            Step::After => {
                loops::keep_mma_loops(module);
                held::hold_shared_memory(module);
                held::advance_descriptors(module);
            }
        }
    }
}

/// Takes a step in `opt`, if the module is code for a GPU.
#[unsafe(no_mangle)]
unsafe extern "C" fn cute_llvm_step(module: Ref, step: c_int) {
    let step = [Step::Before, Step::After].into_iter().find(|known| *known as c_int == step);
    // SAFETY: C++ calls with a live module, which owns its triple.
    unsafe {
        if let Some(step) = step.filter(|_| c_text(LLVMGetTarget(module)).starts_with("nvptx")) {
            take(step, module);
        }
    }
}

/// Marks functions, inline assembly and calls of unknown functions as convergent: without this,
/// LLVM merges the `bar.sync`s of two branches. LLVM removes the attribute where it proves that a
/// function has no such ops.
///
/// # Safety
/// The module is live.
unsafe fn mark_convergent(module: Ref) {
    // SAFETY: promised by the caller; the loop adds attributes and removes nothing.
    unsafe {
        let context = LLVMGetModuleContext(module);
        let attribute = LLVMCreateEnumAttribute(context, kind_of_attribute("convergent"), 0);
        for f in list(LLVMGetFirstFunction(module), LLVMGetNextFunction) {
            if LLVMGetIntrinsicID(f) == 0 {
                LLVMAddAttributeAtIndex(f, FUNCTION, attribute);
            }
            for call in instructions(f).filter(|i| !LLVMIsACallInst(*i).is_null()) {
                // Inline assembly, or an unknown function.
                if LLVMIsAFunction(LLVMGetCalledValue(call)).is_null() {
                    LLVMAddCallSiteAttribute(call, FUNCTION, attribute);
                }
            }
        }
    }
}

/// Removes the flag that lets LLVM contract products and sums to fused multiply-adds. Contraction
/// is a pass on MLIR instead, so that every consumer of its result computes the same values.
/// Without the flag LLVM writes `mul.rn` and `add.rn`, which ptxas does not contract either.
///
/// # Safety
/// The module is live.
unsafe fn forbid_contraction(module: Ref) {
    // SAFETY: promised by the caller; only instructions that can have flags are changed.
    unsafe {
        for f in list(LLVMGetFirstFunction(module), LLVMGetNextFunction) {
            for i in instructions(f).filter(|i| LLVMCanValueUseFastMathFlags(*i) != 0) {
                cuteForbidContraction(i);
            }
        }
    }
}
