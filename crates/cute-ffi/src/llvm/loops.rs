//! Loop hints for ptxas.

use std::ptr;

use super::{LlvmModule, instructions, list, name_of, native::*};

/// The metadata that stands for a loop, on the branch back to its start.
const LOOP: &str = "llvm.loop";
/// Keeps LLVM from unrolling the loop; in PTX it is `.pragma "nounroll"`.
const DISABLE: &str = "llvm.loop.unroll.disable";

impl LlvmModule {
    /// Keeps ptxas from unrolling the loops of functions with MMAs. LLVM has already
    /// unrolled short or annotated loops; the remaining ones have long bodies, and ptxas would
    /// unroll them fully if they have few iterations.
    ///
    /// Branches that do not close a loop are marked too; LLVM ignores those marks.
    pub(super) fn keep_loops_of_products(&self) {
        // SAFETY: the module is live. Metadata belongs to its context; the first operand of the
        // metadata of a loop is that metadata itself.
        unsafe {
            let kind = LLVMGetMDKindIDInContext(self.context, LOOP.as_ptr().cast(), LOOP.len() as _);
            for f in list(LLVMGetFirstFunction(self.raw), LLVMGetNextFunction) {
                if !instructions(f).any(is_product) {
                    continue;
                }
                for block in list(LLVMGetFirstBasicBlock(f), LLVMGetNextBasicBlock) {
                    let branch = LLVMGetBasicBlockTerminator(block);
                    if branch.is_null() || !LLVMGetMetadata(branch, kind).is_null() {
                        continue;
                    }
                    let name = LLVMMDStringInContext2(self.context, DISABLE.as_ptr().cast(), DISABLE.len());
                    let disable = LLVMMDNodeInContext2(self.context, [name].as_ptr(), 1);
                    let itself = LLVMTemporaryMDNode(self.context, ptr::null(), 0);
                    let known_by = LLVMMDNodeInContext2(self.context, [itself, disable].as_ptr(), 2);
                    LLVMMetadataReplaceAllUsesWith(itself, known_by);
                    LLVMSetMetadata(branch, kind, LLVMMetadataAsValue(self.context, known_by));
                }
            }
        }
    }
}

/// Whether an instruction calls one of the intrinsics of MMAs.
fn is_product(instruction: Ref) -> bool {
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
