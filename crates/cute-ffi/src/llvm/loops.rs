//! Loop hints for ptxas.

use std::ptr;

use super::{instructions, list, name_of, native::*};

/// The metadata that stands for a loop, on the branch back to its start.
const LOOP: &str = "llvm.loop";
/// Keeps LLVM from unrolling the loop; in PTX it is `.pragma "nounroll"`.
const DISABLE: &str = "llvm.loop.unroll.disable";

/// Keeps ptxas from unrolling the loops of functions with MMAs. LLVM has already unrolled short or
/// annotated loops; the remaining ones have long bodies, and ptxas would unroll them fully if they
/// have few iterations.
///
/// Branches that do not close a loop are marked too; LLVM ignores those marks.
///
/// # Safety
/// The module is live.
pub(super) unsafe fn keep_mma_loops(module: Ref) {
    // SAFETY: promised by the caller. Metadata belongs to the context of the module; the first
    // operand of the metadata of a loop is that metadata itself.
    unsafe {
        let context = LLVMGetModuleContext(module);
        let kind = LLVMGetMDKindIDInContext(context, LOOP.as_ptr().cast(), LOOP.len() as _);
        for f in list(LLVMGetFirstFunction(module), LLVMGetNextFunction) {
            if !instructions(f).any(is_product) {
                continue;
            }
            for block in list(LLVMGetFirstBasicBlock(f), LLVMGetNextBasicBlock) {
                let branch = LLVMGetBasicBlockTerminator(block);
                if branch.is_null() || !LLVMGetMetadata(branch, kind).is_null() {
                    continue;
                }
                let name = LLVMMDStringInContext2(context, DISABLE.as_ptr().cast(), DISABLE.len());
                let disable = LLVMMDNodeInContext2(context, [name].as_ptr(), 1);
                let itself = LLVMTemporaryMDNode(context, ptr::null(), 0);
                let known_by = LLVMMDNodeInContext2(context, [itself, disable].as_ptr(), 2);
                LLVMMetadataReplaceAllUsesWith(itself, known_by);
                LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(context, known_by));
            }
        }
    }
}

/// Whether an instruction calls one of the intrinsics of MMAs.
pub(super) fn is_product(instruction: Ref) -> bool {
    // SAFETY: the instruction is live. The callee of a call has a name, which is empty for inline
    // assembly.
    let name = unsafe {
        if LLVMIsACallInst(instruction).is_null() {
            return false;
        }
        name_of(LLVMGetCalledValue(instruction))
    };
    name.to_str().is_ok_and(|name| name.starts_with("llvm.nvvm.") && name.contains("mma."))
}
