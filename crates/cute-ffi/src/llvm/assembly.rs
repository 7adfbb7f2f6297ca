//! The constraints of inline assembly. LLVM checks them only where it reads the text of IR, and its
//! code generation crashes on those that it would not have read.

use std::ffi::c_void;

use melior::ir::operation::{OperationLike, OperationRef};
use mlir_sys::{MlirOperation, MlirStringCallback, MlirStringRef};

use super::native::Ref;
use crate::{Severity, emit, ir};

unsafe extern "C" {
    fn cuteAssemblyError(op: MlirOperation, context: Ref, f: MlirStringCallback, u: *mut c_void);
}

/// The attribute of `llvm.inline_asm` with its constraints.
const CONSTRAINTS: &str = "constraints";

/// Reports each inline assembly whose constraints LLVM would not read.
///
/// # Errors
/// That there are such.
pub(super) fn check(gpu_module: OperationRef<'_, '_>, context: Ref) -> Result<(), String> {
    unsafe extern "C" fn append(text: MlirStringRef, out: *mut c_void) {
        // SAFETY: `out` is the string given below; the text lives for the call.
        unsafe { (*out.cast::<String>()).push_str(crate::text(text)) }
    }
    let mut wrong = 0;
    for op in ir::walk(gpu_module) {
        let mut why = String::new();
        // SAFETY: op and context are live; `append` writes to `why`.
        unsafe { cuteAssemblyError(op.to_raw(), context, Some(append), (&raw mut why).cast()) };
        if why.is_empty() {
            continue;
        }
        wrong += 1;
        let given = op.attribute(CONSTRAINTS).ok().and_then(ir::string).unwrap_or_default();
        let text =
            format!("'{}' op has the constraints \"{given}\", which LLVM rejects: {why}", ir::op_name(op));
        emit(ir::location(op), Severity::Error, &text, &[]);
    }
    match wrong {
        0 => Ok(()),
        _ => Err("the constraints of inline assembly are not valid".into()),
    }
}
