//! `cute-lower-reductions`: lowers reductions other than those over a vector of rank 1, by MLIR's
//! own patterns. Sums over a vector of rank 1 stay, and those without a start value start from -0,
//! which does not change any sum. MLIR would start them from 0, which costs an addition because it
//! turns -0 into 0.

use cute_ffi::{
    ir::{self, walk},
    rewrite::{Patterns, Rewriter},
};
use melior::ir::TypeLike;

use crate::{Builder, Built, contract::is_reduction, math::value::constant, values::result};

/// Runs the pass.
pub fn run(rewriter: &mut Rewriter<'_>) -> Built<()> {
    if !rewriter.apply(Patterns::Reductions) {
        let text = "cute-lower-reductions: MLIR's patterns do not come to an end";
        return Builder::before(rewriter.root()).fail(text);
    }
    for sum in walk(rewriter.root()).into_iter().filter(|op| is_reduction(*op)) {
        let (operands, t) = (ir::operands(sum), ir::type_of(result(sum)));
        if let ([vector], true) = (&operands[..], t.is_float()) {
            let start = constant(&Builder::before(sum), t, -0.0)?;
            rewriter.set_operands(sum, &[*vector, start]);
        }
    }
    Ok(())
}
