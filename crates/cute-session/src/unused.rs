//! Parameters that a kernel, or a host function, does not use: often another one is used in their
//! place.

use cute_dialect::{types::value_of, value::Value};
use cute_ffi::{Severity, ir, ops::HostOp};
use cute_lower::hosts::launches;
use melior::ir::{Module, Type, operation::OperationRef};

/// Warns of views and tensor maps that are passed and not used. A name that begins with `_` says
/// that this is meant. Modules of CuTe DSL pass what their Python functions are given.
pub(crate) fn warn(module: &Module<'_>) {
    let ops = ir::walk(module.as_operation());
    let is_of_dsl = |op: &OperationRef<'_, '_>| HostOp::from_name(ir::op_name(*op)) == Some(HostOp::Kernel);
    if ops.iter().any(is_of_dsl) {
        return;
    }
    for op in ops {
        if ir::is_kernel(op) {
            of_function(op, "kernel");
        } else if launches(op) {
            of_function(op, "host function");
        }
    }
}

fn of_function<'c>(function: OperationRef<'c, 'c>, what: &str) {
    let Some(body) = ir::body(function) else { return };
    // A function that does nothing is a declaration.
    if ir::ops(body).len() < 2 {
        return;
    }
    for (number, argument) in ir::arguments(body).into_iter().enumerate() {
        if ir::is_used(argument) || !is_tensor(ir::type_of(argument)) {
            continue;
        }
        let name = ir::argument_name(function, number);
        if name.as_ref().is_some_and(|name| name.starts_with('_')) {
            continue;
        }
        let parameter =
            name.map_or_else(|| format!("parameter {number}"), |name| format!("parameter '{name}'"));
        let text = format!(
            "{parameter} of {what} '{}' is not used: if another one is used in its place, the result is wrong; a name that \
             begins with `_` says that it is meant",
            ir::symbol_name(function).unwrap_or_default()
        );
        let location = ir::argument_location(function, number).unwrap_or_else(|| ir::location(function));
        cute_ffi::emit(location, Severity::Warning, &text, &[]);
    }
}

/// Whether values of a type are views, or tensor maps.
fn is_tensor(t: Type<'_>) -> bool {
    match &*value_of(t) {
        Value::MemRef(_) => true,
        Value::CopyAtom(atom) => atom.as_tma().is_some(),
        _ => false,
    }
}
