//! The module around a function: what a pass must own to add symbols to it, and the names that it
//! defines.

use std::collections::HashSet;

use cute_ffi::ir::{self, op_name, walk_outer};
use melior::ir::operation::OperationRef;

use crate::{Builder, Built};

/// Reports an error unless a pass runs on a module. A pass that adds symbols to the module around a
/// function must own that module, because MLIR runs passes on functions in parallel.
pub fn require_module(root: OperationRef<'_, '_>, pass: &str) -> Built<()> {
    if ir::is_symbol_table(root) {
        return Ok(());
    }
    Builder::before(root).fail(&format!(
        "{pass} runs on a builtin.module or gpu.module, not on '{}': it adds symbols to the module; write it outside '{0}(..)' in the pipeline",
        op_name(root)
    ))
}

/// The device or host module that contains an op. Passes that call this have checked with
/// [`require_module`] that there is one.
pub fn enclosing_module<'c>(op: OperationRef<'c, 'c>) -> OperationRef<'c, 'c> {
    let mut at = op;
    while !ir::is_symbol_table(at) {
        at = ir::block_of(at).and_then(ir::parent_of).expect("the pass runs on a module");
    }
    at
}

/// The names that a module defines.
pub fn symbols(module: OperationRef<'_, '_>) -> HashSet<String> {
    let mut names = HashSet::new();
    walk_outer(module, |op| {
        names.extend(ir::symbol_name(op).map(ToString::to_string));
        ir::op_identity(op) == ir::op_identity(module)
    });
    names
}
