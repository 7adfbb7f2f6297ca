//! `cuda-to-host`: keeps host functions and empties the kernels that they launch, so that lowering
//! processes only the host's half of a module.

use cute_ffi::{
    ir::{self, op_name, walk},
    ops::HostOp,
    rewrite::Rewriter,
};
use melior::ir::{
    BlockLike, Region, RegionLike,
    operation::{OperationLike, OperationRef},
};

use crate::{Builder, Built, shared};

/// The passes that leave host functions in the `arith`, `scf`, `llvm` and `cuda` dialects, in
/// MLIR's syntax. A launch then passes the leaves of its arguments.
pub const PIPELINE: &str = concat!(
    "builtin.module(cuda-to-host,cute-fold-static,",
    canonicalize!(),
    ",cse,cute-to-base,",
    canonicalize!(),
    ",cse,lower-affine,",
    canonicalize!(),
    ")"
);

/// Runs the pass.
pub fn run(rewriter: &Rewriter<'_>) -> Built<()> {
    shared::resolve_sizes(rewriter)?;
    let ops = walk(rewriter.root());
    for module in ops.into_iter().filter(|op| op_name(*op) == "gpu.module") {
        for function in ir::functions(module) {
            match HostOp::from_name(op_name(function)) {
                Some(HostOp::Kernel) => signature(rewriter, function)?,
                _ if launches(function) => {}
                _ => rewriter.erase(function),
            }
        }
    }
    Ok(())
}

/// Whether an op is a function that launches kernels.
pub fn launches(op: OperationRef<'_, '_>) -> bool {
    let is_host = |kind| !matches!(kind, HostOp::Kernel | HostOp::Return);
    ir::is_function(op) && walk(op).into_iter().any(|op| HostOp::from_name(op_name(op)).is_some_and(is_host))
}

/// Puts a kernel that only returns in the place of one.
fn signature<'c>(rewriter: &Rewriter<'c>, op: OperationRef<'c, '_>) -> Built<()> {
    let Some(entry) = ir::body(op) else { return Ok(()) };
    let taken = (0..entry.argument_count()).filter_map(|i| ir::block_argument(op, i));
    let taken: Vec<_> = taken.map(|argument| (ir::type_of(argument), ir::location(op))).collect();
    let body = Region::new();
    body.append_block(ir::block(&taken));
    let attributes: Vec<_> = op.attributes().collect();
    let b = Builder::before(op);
    let made = b.op("cuda.kernel").attributes_of(&attributes).regions(vec![body]).results(&[]).build()?;
    let block = ir::body(made).expect("the kernel was given a block");
    b.inside(block).effect("cuda.return", &[], &[])?;
    rewriter.erase(op);
    Ok(())
}
