//! Products in tensor memory. To LLVM, `tcgen05.mma` writes to its address and reads nothing, so of
//! two products with the same operands it would remove one. But a product adds to what is there. A
//! copy to tensor memory reads shared memory, which LLVM does not know either.

use super::held::Hide;
use super::{instructions, list, name_of, native::*};

/// `memory(inaccessiblemem: readwrite)`: an effect, so that no two of them are the same.
const INACCESSIBLE: u64 = 3 << 2;

/// Hides from LLVM that two operations have the same address.
///
/// # Safety
/// The module is live.
pub(super) unsafe fn keep_products(module: Ref) {
    // SAFETY: promised by the caller; the operations of a function are listed before it is changed.
    unsafe {
        for f in list(LLVMGetFirstFunction(module), LLVMGetNextFunction) {
            let all: Vec<Ref> = instructions(f).filter(|i| adds(*i)).collect();
            for operation in all {
                let address = LLVMGetOperand(operation, 0);
                let mut hide = Hide::new(module, LLVMTypeOf(address), c"=r,0");
                hide.effects = INACCESSIBLE;
                if !hide.is_ours(address) {
                    LLVMSetOperand(operation, 0, hide.value(address, operation));
                }
            }
        }
    }
}

/// Whether an instruction writes tensor memory in a way that LLVM does not know.
fn adds(instruction: Ref) -> bool {
    // SAFETY: the instruction is live. The callee of a call has a name, which is empty for inline
    // assembly.
    let name = unsafe {
        if LLVMIsACallInst(instruction).is_null() {
            return false;
        }
        name_of(LLVMGetCalledValue(instruction))
    };
    let starts = |with: &str| name.to_str().is_ok_and(|name| name.starts_with(with));
    starts("llvm.nvvm.tcgen05.mma") || starts("llvm.nvvm.tcgen05.cp")
}
