//! `cute-fold-static`: replaces every fully static value by `cute.static`, and every comparison
//! with a known result by `arith.constant`.

use cute_dialect::{
    hooks::{declared_types, has_one_value, known_flag},
    types::value_of,
};
use cute_ffi::{
    ir::{self, op_name, walk},
    ops::OpKind,
    rewrite::Rewriter,
};

use crate::{Builder, Built, is_ours};

/// Runs the pass.
pub fn run(rewriter: &Rewriter<'_>) -> Built<()> {
    for op in walk(rewriter.root()) {
        if !is_ours(op) || op_name(op) == "cute.static" {
            continue;
        }
        if let (Some(flag), Some(result)) = (known_flag(op), ir::result(op, 0)) {
            rewriter.replace_uses(result, Builder::before(op).truth(flag)?);
        }
        for (i, t) in declared_types(op).into_iter().enumerate() {
            let value = value_of(t);
            let Some(result) = ir::result(op, i) else { continue };
            if has_one_value(&value) && rewriter.is_used(result) {
                rewriter.replace_uses(result, Builder::before(op).fixed(&value)?);
            }
        }
    }
    remove_unused(rewriter);
    Ok(())
}

/// Erases unused ops of our dialects that have no effects, users first.
fn remove_unused(rewriter: &Rewriter<'_>) {
    for op in walk(rewriter.root()).into_iter().rev() {
        // An op without results is there for its effect.
        let results = declared_types(op).len();
        let unseen = |kind: OpKind| !kind.reads() && !kind.writes();
        let pure = results > 0 && OpKind::from_name(op_name(op)).is_some_and(unseen);
        let used = (0..results).filter_map(|i| ir::result(op, i)).any(|value| rewriter.is_used(value));
        if pure && !used {
            rewriter.erase(op);
        }
    }
}
