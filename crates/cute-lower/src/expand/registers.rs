//! Loops that index registers. Registers have no addresses: a fragment stays in them where every index is known, so that a loop of few turns
//! is unrolled, whatever its length. (LLVM by itself unrolls what is short.)

use std::collections::HashSet;

use cute_dialect::{
    types::value_of,
    value::{Space, Value as Cute},
};
use cute_ffi::ir;
use melior::ir::{
    Value,
    operation::{OperationLike, OperationRef},
};

use crate::build::Build;

/// How LLVM is told about a loop.
const ANNOTATION: &str = "loop_annotation";
/// More turns than that index no fragment: a thread has no more registers.
const MOST_TURNS: i64 = 256;

/// Annotates a loop that indexes registers by the number of its turn, and that the program says nothing of.
pub(super) fn unroll(op: OperationRef<'_, '_>) {
    if op.has_attribute(ANNOTATION) || turns(op).is_none_or(|n| n > MOST_TURNS) || !indexes_registers(op) {
        return;
    }
    let full = Build::before(op).attribute("#llvm.loop_annotation<unroll = <full = true>>");
    ir::set_attribute(op, ANNOTATION, full);
}

/// The turns of a loop between constants.
fn turns(op: OperationRef<'_, '_>) -> Option<i64> {
    let [from, to, step] =
        ir::operands(op).get(..3)?.iter().map(|v| ir::constant(*v)).collect::<Option<Vec<_>>>()?[..]
    else {
        return None;
    };
    let turns = to.checked_sub(from)?.checked_add(step.checked_sub(1)?)?.checked_div(step)?;
    Some(turns).filter(|_| step > 0)
}

/// Whether a coordinate in registers is computed from the number of the turn.
fn indexes_registers(op: OperationRef<'_, '_>) -> bool {
    let Some(turn) = ir::block_argument(op, 0) else { return false };
    let mut computed = HashSet::from([ir::identity(turn)]);
    for inner in ir::blocks(op).into_iter().flat_map(ir::ops).flat_map(ir::walk) {
        let operands = ir::operands(inner);
        let depends = |value: &&Value<'_, '_>| computed.contains(&ir::identity(**value));
        if operands.iter().any(|v| is_in_registers(*v))
            && operands.iter().filter(depends).any(|v| is_index(*v))
        {
            return true;
        }
        if operands.iter().any(|v| depends(&v)) {
            let results = (0..inner.result_count()).filter_map(|i| ir::result(inner, i));
            computed.extend(results.map(ir::identity));
        }
    }
    false
}

fn is_in_registers(value: Value<'_, '_>) -> bool {
    match value_of(ir::type_of(value)).as_ref() {
        Cute::MemRef(view) => view.iter.space == Space::Rmem,
        Cute::Ptr(ptr) => ptr.space == Space::Rmem,
        _ => false,
    }
}

fn is_index(value: Value<'_, '_>) -> bool {
    matches!(value_of(ir::type_of(value)).as_ref(), Cute::Coord(_) | Cute::IntTuple(_))
}
