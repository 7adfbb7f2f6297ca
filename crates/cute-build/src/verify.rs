//! Checks a module and reports every error.

use cute_ffi::{ir, ops::OpKind};
use melior::ir::{
    Module,
    operation::{OperationLike, OperationRef},
};

use crate::{Error, Result, diagnostics::reported};

/// Checks a module: every rule of every op. MLIR's verifier stops at the first op that breaks one.
/// In an invalid module, the ops of each function are therefore checked one by one, up to one of
/// our dialects: its verifier reports the errors after it as well.
///
/// # Errors
/// Returns [`Error::Module`] with all errors.
pub fn verify(module: &Module<'_>) -> Result<()> {
    let root = module.as_operation();
    let Err(first) = one(root) else { return Ok(()) };
    let mut errors = Vec::new();
    for function in ir::functions(root) {
        let ops = ir::walk(function);
        for op in ops.into_iter().filter(|op| op.region_count() == 0) {
            let Err(error) = one(op) else { continue };
            errors.push(error);
            if OpKind::from_name(ir::op_name(op)).is_some() {
                break;
            }
        }
    }
    Err(Error::Module(if errors.is_empty() { first } else { errors.join("\n") }))
}

/// Checks one op.
pub(crate) fn one(op: OperationRef<'_, '_>) -> std::result::Result<(), String> {
    reported(ir::context(op), "the module is invalid", || ir::verify(op).then_some(()))
}
