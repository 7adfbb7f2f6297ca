//! Marks for the simulator: an address that is made of coordinates, with the coordinates and the
//! extents that they must be below. A mark is an `llvm.inline_asm` without text or effects, so that
//! an unused one disappears.

use cute_ffi::{ir, lowered::COORDINATES_ATTRIBUTE, rewrite::Rewriter};
use melior::ir::{
    Module, Value,
    attribute::StringAttribute,
    operation::{OperationLike, OperationRef},
};

use super::ops::op;

/// The mark of the first of these values before `home`.
pub fn of<'c>(home: OperationRef<'c, 'c>, text: &str, args: &[Value<'c, 'c>]) -> Value<'c, 'c> {
    let c = ir::context(home);
    let inputs: String = args.iter().skip(1).map(|_| ",r").collect();
    let string = |text: &str| StringAttribute::new(c, text).into();
    let attributes = [
        ("asm_string", string("")),
        ("constraints", string(&format!("=l,0{inputs}"))),
        (COORDINATES_ATTRIBUTE, string(text)),
    ];
    op(home, "llvm.inline_asm", args, ir::type_of(args[0]), &attributes)
}

/// Removes the marks of a module, which stand for no instruction.
pub fn remove(module: &mut Module<'_>) {
    Rewriter::rewrite(module, |rewriter| {
        for mark in ir::walk(rewriter.root()).into_iter().filter(|op| op.has_attribute(COORDINATES_ATTRIBUTE))
        {
            if let (Some(result), Some(address)) = (ir::result(mark, 0), ir::operands(mark).first()) {
                rewriter.replace_uses(result, *address);
                rewriter.erase(mark);
            }
        }
    });
}
