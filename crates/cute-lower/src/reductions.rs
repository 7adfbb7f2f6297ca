//! `cute-lower-reductions`: reductions of more than a vector of rank 1, by MLIR's own patterns.

use cute_ffi::rewrite::{Patterns, Rewriter};

use crate::build::{Build, Built};

/// Runs the pass.
pub fn run(rewriter: &mut Rewriter<'_>) -> Built<()> {
    match rewriter.apply(Patterns::Reductions) {
        true => Ok(()),
        false => Build::before(rewriter.root())
            .fail("cute-lower-reductions: MLIR's patterns do not come to an end"),
    }
}
