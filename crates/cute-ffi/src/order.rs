//! Lists ops in an order in which each op follows the definitions of its operands, whatever the
//! order of blocks in the text.

use std::collections::HashSet;

use melior::ir::{BlockRef, operation::OperationRef};
use mlir_sys::*;

use crate::ir::{block_identity, ops};

/// Every op inside `root`, outer before inner, with each block after the blocks that dominate it.
/// Unreachable blocks come last in their region.
pub fn inside<'c, 'a>(root: OperationRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>> {
    let mut out = Vec::new();
    visit(root, &mut out);
    out
}

fn visit<'c, 'a>(op: OperationRef<'c, 'a>, out: &mut Vec<OperationRef<'c, 'a>>) {
    // SAFETY: `op` is live, and `i` is less than the number of its regions.
    let first = |i| unsafe {
        BlockRef::from_option_raw(mlirRegionGetFirstBlock(mlirOperationGetRegion(op.to_raw(), i)))
    };
    // SAFETY: `op` is live.
    let regions = unsafe { mlirOperationGetNumRegions(op.to_raw()) };
    for entry in (0..regions).filter_map(first) {
        for block in blocks(entry) {
            for inner in ops(block) {
                out.push(inner);
                visit(inner, out);
            }
        }
    }
}

/// The blocks of a region in reverse post-order from its entry, then the others.
fn blocks<'c, 'a>(entry: BlockRef<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
    let mut seen = HashSet::from([block_identity(entry)]);
    let mut left = Vec::new();
    let mut path = vec![(entry, successors(entry).into_iter())];
    while let Some((block, rest)) = path.last_mut() {
        match rest.find(|next| !seen.contains(&block_identity(*next))) {
            Some(next) => {
                seen.insert(block_identity(next));
                path.push((next, successors(next).into_iter()));
            }
            None => {
                left.push(*block);
                path.pop();
            }
        }
    }
    left.reverse();
    let mut next = Some(entry);
    while let Some(block) = next {
        if !seen.contains(&block_identity(block)) {
            left.push(block);
        }
        // SAFETY: blocks live as long as their region; null after the last.
        next = unsafe { BlockRef::from_option_raw(mlirBlockGetNextInRegion(block.to_raw())) };
    }
    left
}

/// The successors of a block.
pub fn successors<'c, 'a>(block: BlockRef<'c, 'a>) -> Vec<BlockRef<'c, 'a>> {
    // SAFETY: the block is live; it has a terminator, or null, or an op without successors.
    unsafe {
        let end = mlirBlockGetTerminator(block.to_raw());
        if end.ptr.is_null() {
            return Vec::new();
        }
        let count = mlirOperationGetNumSuccessors(end);
        (0..count).map(|i| BlockRef::from_raw(mlirOperationGetSuccessor(end, i))).collect()
    }
}
