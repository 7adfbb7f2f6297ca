//! The alignment of variables. Where a variable states none, LLVM takes 16 bytes for granted if it
//! is larger than that, but its backend for NVPTX writes the alignment of the type.

use super::{list, native::*};

/// Gives variables without an alignment that of their type.
///
/// # Safety
/// The module is live, and has its data layout.
pub(super) unsafe fn state_alignments(module: Ref) {
    // SAFETY: promised by the caller; no variable is added or removed.
    unsafe {
        let layout = LLVMGetModuleDataLayout(module);
        for variable in list(LLVMGetFirstGlobal(module), LLVMGetNextGlobal) {
            if LLVMGetAlignment(variable) == 0 {
                let of_type = LLVMPreferredAlignmentOfType(layout, LLVMGlobalGetValueType(variable));
                LLVMSetAlignment(variable, of_type);
            }
        }
    }
}
