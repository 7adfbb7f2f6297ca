//! What a thread does with descriptors of the TMA.

use cute_ffi::ir;
use melior::ir::{Attribute, BlockLike, Value};

use super::{Lowered, Site};
use crate::build::{Build, Built};

/// `prefetch_tma_desc`: `prefetch.tensormap`.
pub fn prefetch_descriptor<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let b = Build::before(at.op);
    let descriptor = descriptor(at)?;
    let unit = Attribute::unit(b.context());
    let mut attributes = vec![("tensormap", unit)];
    // LLVM writes two prefetches of a parameter whose space it is not told.
    if is_parameter(at, descriptor) {
        attributes.push(("in_param_space", unit));
    }
    b.effect("nvvm.prefetch", &[descriptor], &attributes, Vec::new())?;
    Ok(Vec::new())
}

/// The address of the descriptor that the first operand has.
fn descriptor<'c>(at: &Site<'_, 'c>) -> Built<Value<'c, 'c>> {
    let state = at.values.leaves_of(at.op, at.operand(0))?;
    Ok(at.graph().value(&state[0]))
}

/// Whether a value is a parameter of a kernel.
fn is_parameter<'c>(at: &Site<'_, 'c>, value: Value<'c, 'c>) -> bool {
    let block = ir::block_of(at.entry).expect("the entry is in a block");
    let Some(kernel) = ir::parent_of(block).filter(|f| ir::is_kernel(*f)) else { return false };
    let mut arguments = (0..block.argument_count()).filter_map(|i| ir::block_argument(kernel, i));
    arguments.any(|argument| ir::identity(argument) == ir::identity(value))
}
