//! The errors of other ops than the first that is not valid, so that one run reports all of them.

use std::cell::Cell;

use cute_ffi::{
    dialect::{OpQuestion, OpRequest},
    ir,
    ops::OpKind,
};
use melior::ir::{
    TypeLike, Value as IrValue, ValueLike,
    operation::{OperationLike, OperationRef},
};

use crate::hooks;

/// Most ops whose errors are reported beside those of the first.
const MOST_ERRORS: usize = 20;

thread_local! {
    static VERIFYING: Cell<bool> = const { Cell::new(false) };
}

/// MLIR stops at the first op of a function that is not valid. This function verifies the ops after
/// it, except for those of other dialects that contain ops.
pub fn verify(first: OperationRef<'_, '_>) {
    if VERIFYING.replace(true) {
        return;
    }
    if let Some(function) = ir::enclosing_isolated(first) {
        let identity = ir::op_identity(first);
        let after = ir::walk(function).into_iter().skip_while(|op| ir::op_identity(*op) != identity).skip(1);
        let alone = after.filter(|op| kind(*op).is_some() || op.region_count() == 0);
        alone.filter(|op| !ir::verify(*op)).take(MOST_ERRORS).for_each(drop);
    }
    VERIFYING.set(false);
}

/// A parser stops at an op whose result types it cannot infer from `operands`, before anything is
/// verified. This function checks the result types of the ops that it has read beside those that
/// define the operands. It does not check the domain policy, because the ops around them, which
/// state it, are not there yet.
pub fn verify_parsed(operands: &[IrValue<'_, '_>]) {
    let mut blocks = Vec::new();
    for block in operands.iter().filter_map(|value| ir::block_of_value(*value)) {
        if !blocks.contains(&block) {
            blocks.push(block);
        }
    }
    let parsed = blocks.into_iter().flat_map(ir::ops).filter_map(|op| Some((kind(op)?, op)));
    parsed.filter(|(kind, op)| !has_valid_types(*kind, *op)).take(MOST_ERRORS).for_each(drop);
}

fn kind(op: OperationRef<'_, '_>) -> Option<OpKind> {
    OpKind::from_name(ir::op_name(op))
}

/// Whether the declared types of an op are those that it computes; if not, the error is reported.
fn has_valid_types(kind: OpKind, op: OperationRef<'_, '_>) -> bool {
    let operands = ir::operands(op);
    // The width of `index` is a fact of the ops around it.
    operands.iter().any(|value| value.r#type().is_index())
        || hooks::check_types(&OpRequest {
            kind,
            question: OpQuestion::Verify,
            operands: operands.into_vec(),
            operation: Some(op),
            attributes: ir::attribute_dictionary(op),
            location: ir::location(op),
            quiet: false,
        })
}
