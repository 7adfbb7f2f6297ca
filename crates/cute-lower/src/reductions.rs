//! `cute-lower-reductions`: reductions of more than a vector of rank 1, by MLIR's own patterns.

use cute_ffi::patterns::{Patterns, apply};
use melior::ir::operation::OperationRef;

use crate::build::{Build, Built};

/// Runs the pass.
pub fn run<'c>(root: OperationRef<'c, 'c>) -> Built<()> {
    match apply(root, Patterns::Reductions) {
        true => Ok(()),
        false => Build::before(root).fail("cute-lower-reductions: MLIR's patterns do not come to an end"),
    }
}
