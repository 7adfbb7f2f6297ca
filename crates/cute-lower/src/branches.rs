//! `cute-mark-branches`: gives each block the attribute [`BLOCK`] on its terminator, a number for
//! the places in the source of its ops. MLIR's greedy rewriting, which passes of MLIR use, merges
//! blocks whose ops are equal whatever their places. Then a finding about one of two equal branches
//! would name the other. Marked blocks differ unless their places are equal. `cute-lower-waits`
//! removes the marks.

use std::collections::HashMap;

use cute_ffi::{
    ir::{self, walk},
    rewrite::Rewriter,
};
use melior::ir::{
    BlockLike, BlockRef,
    operation::{OperationLike, OperationRef},
};

use crate::{Builder, Built};

/// The attribute of a terminator.
const BLOCK: &str = "cute.block";

/// Runs the pass.
pub fn run(rewriter: &Rewriter<'_>) -> Built<()> {
    let mut numbers: HashMap<Vec<String>, i32> = HashMap::new();
    for op in walk(rewriter.root()) {
        let blocks = ir::blocks(op);
        if blocks.len() < 2 {
            continue;
        }
        for (terminator, places) in blocks.into_iter().filter_map(places) {
            let next = numbers.len() as i32;
            let number = *numbers.entry(places).or_insert(next);
            ir::set_attribute(terminator, BLOCK, Builder::before(terminator).attr(number));
        }
    }
    Ok(())
}

/// The terminator of a block, and the places of its other ops; `None` without other ops.
fn places<'c, 'a>(block: BlockRef<'c, 'a>) -> Option<(OperationRef<'c, 'a>, Vec<String>)> {
    let mut ops: Vec<_> = std::iter::successors(block.first_operation(), |op| op.next_in_block()).collect();
    let terminator = ops.pop()?;
    (!ops.is_empty()).then(|| (terminator, ops.iter().map(|op| op.location().to_string()).collect()))
}

/// Removes the marks.
pub(crate) fn unmark(root: OperationRef<'_, '_>) {
    walk(root).into_iter().for_each(|op| ir::remove_attribute(op, BLOCK));
}
