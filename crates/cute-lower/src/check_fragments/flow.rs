//! Where a value comes from, through the branches and loops of `scf`.

use cute_ffi::ir::{self, op_name};
use melior::ir::{
    Value,
    block::BlockArgument,
    operation::{OperationLike, OperationRef},
};

/// The values that a value may be: the operands of the ops around it that pass it on. Empty if no
/// op passes it on, so that it is its own origin, and for arguments of functions and plain blocks.
pub(super) fn passed<'c>(value: Value<'c, 'c>) -> Vec<Value<'c, 'c>> {
    let Some(op) = ir::definer(value) else { return of_argument(value).unwrap_or_default() };
    let operand = |i: usize| ir::operands(op).get(i).copied();
    match op_name(op) {
        "arith.select" => [operand(1), operand(2)].into_iter().flatten().collect(),
        "scf.if" | "scf.for" | "scf.execute_region" | "scf.while" => {
            let Some(i) = (0..op.result_count()).find(|i| is_result(op, *i, value)) else {
                return Vec::new();
            };
            // A loop that does not run returns what it begins with.
            let begins = if op_name(op) == "scf.for" { operand(FOR_BOUNDS + i) } else { None };
            let ends = ir::blocks(op).into_iter().filter_map(|block| ir::ops(block).last().copied());
            let ends = ends.filter_map(|end| match (op_name(op), op_name(end)) {
                ("scf.while", "scf.condition") => ir::operands(end).get(i + 1).copied(),
                ("scf.while", _) => None,
                _ => ir::operands(end).get(i).copied(),
            });
            begins.into_iter().chain(ends).collect()
        }
        _ => Vec::new(),
    }
}

/// The operands of an `scf.for` before those that its iterations pass on.
const FOR_BOUNDS: usize = 3;

fn is_result<'c>(op: OperationRef<'c, 'c>, i: usize, value: Value<'c, 'c>) -> bool {
    ir::result(op, i).is_some_and(|result| ir::identity(result) == ir::identity(value))
}

/// The values that an argument of a loop's block may be.
fn of_argument<'c>(value: Value<'c, 'c>) -> Option<Vec<Value<'c, 'c>>> {
    let i = BlockArgument::try_from(value).ok()?.argument_number();
    let block = ir::block_of_value(value)?;
    let op = ir::parent_of(block)?;
    let last = |block| ir::ops(block).last().copied();
    let operand = |op, i: usize| ir::operands(op).get(i).copied();
    Some(match op_name(op) {
        "scf.for" if i > 0 => {
            let (begins, again) = (operand(op, FOR_BOUNDS + i - 1), operand(last(block)?, i - 1));
            vec![begins?, again?]
        }
        "scf.while" => {
            let blocks = ir::blocks(op);
            let [before, after] = blocks[..] else { return None };
            if ir::block_identity(block) == ir::block_identity(before) {
                vec![operand(op, i)?, operand(last(after)?, i)?]
            } else {
                vec![operand(last(before)?, i + 1)?]
            }
        }
        _ => return None,
    })
}
