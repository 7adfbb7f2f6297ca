//! The order of atomic updates. LLVM's backend for NVPTX writes `atomicrmw` as an `atom` without an
//! order, whatever the order that is asked for. A relaxed `atom` between fences orders what the
//! stronger one does: the release of earlier accesses before it, their acquisition behind it.

use super::{instructions, list, native::*};

/// LLVM's numbers of orders (`LLVMAtomicOrdering`).
const MONOTONIC: i32 = 2;
const ACQUIRE: i32 = 4;
const RELEASE: i32 = 5;
const ACQUIRE_RELEASE: i32 = 6;
const SEQUENTIAL: i32 = 7;

/// Puts fences around atomic updates that order other accesses.
///
/// # Safety
/// The module is live.
pub(super) unsafe fn fence_updates(module: Ref) {
    // SAFETY: promised by the caller; the updates of a function are listed before it is changed.
    unsafe {
        let builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
        for f in list(LLVMGetFirstFunction(module), LLVMGetNextFunction) {
            let updates: Vec<Ref> = instructions(f).filter(|i| !LLVMIsAAtomicRMWInst(*i).is_null()).collect();
            for update in updates {
                let order = LLVMGetOrdering(update);
                let before = match order {
                    RELEASE | ACQUIRE_RELEASE => Some(RELEASE),
                    SEQUENTIAL => Some(SEQUENTIAL),
                    _ => None,
                };
                let after = matches!(order, ACQUIRE | ACQUIRE_RELEASE | SEQUENTIAL).then_some(ACQUIRE);
                let scope = LLVMGetAtomicSyncScopeID(update);
                // An update is never the last instruction of its block.
                for (place, order) in [(update, before), (LLVMGetNextInstruction(update), after)] {
                    if let Some(order) = order {
                        LLVMPositionBuilderBefore(builder, place);
                        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(update));
                        LLVMBuildFenceSyncScope(builder, order, scope, c"".as_ptr());
                    }
                }
                if before.is_some() || after.is_some() {
                    LLVMSetOrdering(update, MONOTONIC);
                }
            }
        }
        LLVMDisposeBuilder(builder);
    }
}
