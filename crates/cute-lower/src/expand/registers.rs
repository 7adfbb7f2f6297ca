//! Loops that index registers. Registers have no addresses: a fragment stays in registers only if
//! every index is known. So a loop of few iterations is unrolled, however long its body is. (LLVM
//! itself unrolls only short loops.)

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

use crate::{Builder, Built};

/// The attribute of a loop that LLVM reads.
const ANNOTATION: &str = "loop_annotation";
/// Loops with more iterations do not index a fragment, because a thread has no more registers.
const MOST_ITERATIONS: i64 = 256;

/// Annotates a loop that indexes registers by its iteration, unless the program already annotates
/// it.
pub(super) fn unroll<'c>(op: OperationRef<'c, 'c>) -> Built<()> {
    if op.has_attribute(ANNOTATION)
        || iterations(op).is_none_or(|n| n > MOST_ITERATIONS)
        || !indexes_registers(op)
    {
        return Ok(());
    }
    let full = Builder::before(op).attribute("#llvm.loop_annotation<unroll = <full = true>>")?;
    ir::set_attribute(op, ANNOTATION, full);
    Ok(())
}

/// The iteration count of a loop with constant bounds.
fn iterations(op: OperationRef<'_, '_>) -> Option<i64> {
    let [from, to, step] =
        ir::operands(op).get(..3)?.iter().map(|v| ir::constant(*v)).collect::<Option<Vec<_>>>()?[..]
    else {
        return None;
    };
    let iterations = to.checked_sub(from)?.checked_add(step.checked_sub(1)?)?.checked_div(step)?;
    Some(iterations).filter(|_| step > 0)
}

/// Whether a coordinate in registers is computed from the iteration.
fn indexes_registers(op: OperationRef<'_, '_>) -> bool {
    let Some(counter) = ir::block_argument(op, 0) else { return false };
    let mut computed = HashSet::from([ir::identity(counter)]);
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
