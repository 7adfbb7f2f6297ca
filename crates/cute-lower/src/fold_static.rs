//! `cute-fold-static`: every fully static value is made by `cute.static`, and a comparison that is known by
//! `arith.constant`.

use cute_dialect::{
    answer::{declared_types, has_one_value, known_flag},
    types::value_of,
};
use cute_ffi::{
    ir::{self, op_name, replace_uses, walk},
    ops::OpKind,
};
use melior::ir::operation::OperationRef;

use crate::{
    build::{Build, Built},
    is_ours,
};

/// Runs the pass.
pub fn run<'c>(root: OperationRef<'c, 'c>) -> Built<()> {
    for op in walk(root) {
        if !is_ours(op) || op_name(op) == "cute.static" {
            continue;
        }
        if let (Some(flag), Some(result)) = (known_flag(op), ir::result(op, 0)) {
            replace_uses(result, Build::before(op).flag(flag)?);
        }
        for (i, t) in declared_types(op).into_iter().enumerate() {
            let value = value_of(t);
            let Some(result) = ir::result(op, i) else { continue };
            if has_one_value(&value) && ir::is_used(result) {
                replace_uses(result, Build::before(op).fixed(&value)?);
            }
        }
    }
    remove_unused(root);
    Ok(())
}

/// Erases ops of ours without effects that nobody uses, users first.
pub fn remove_unused<'c>(root: OperationRef<'c, 'c>) {
    for op in walk(root).into_iter().rev() {
        // An op without results is there for its effect.
        let results = declared_types(op).len();
        let unseen = |kind: OpKind| !kind.reads() && !kind.writes();
        let pure = results > 0 && OpKind::from_name(op_name(op)).is_some_and(unseen);
        let used = (0..results).filter_map(|i| ir::result(op, i)).any(ir::is_used);
        if pure && !used {
            ir::erase(op);
        }
    }
}
