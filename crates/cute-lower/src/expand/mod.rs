//! `cute-expand-copy-gemm`: `cute.copy`, `cute.prefetch` and `cute.gemm` as calls of their atoms,
//! one for each coordinate of the modes that one call does not consume. Static modes are unrolled,
//! and so are loops that index registers. `cute.print_view` becomes loads and prints.

mod copy;
mod gemm;
mod print_view;
mod registers;

use cute_algebra::{self as algebra, Dim, LayoutLike};
use cute_dialect::types::value_of;
use cute_ffi::{
    ir::{self, op_name, walk},
    rewrite::Rewriter,
};
use melior::ir::Value;

use crate::{Built, print::Formats};

/// Calls of one op that are written out.
const MOST_UNROLLED: i64 = 4096;

/// The largest number of unrolled calls per op, with a warning above [`MOST_UNROLLED`]. The time to
/// compile them grows with the square of their number: 12 s for this many, minutes for four times
/// as many.
const MOST_CALLS: i64 = 16384;

/// Runs the pass.
pub fn run(rewriter: &Rewriter<'_>) -> Built<()> {
    let formats = Formats::default();
    for op in walk(rewriter.root()) {
        match op_name(op) {
            "cute.copy" => copy::expand(op)?,
            "cute.gemm" => gemm::expand(op)?,
            "cute.prefetch" => copy::prefetch(op)?,
            "cute.print_view" => print_view::expand(op, &formats)?,
            "scf.for" => {
                registers::unroll(op)?;
                continue;
            }
            _ => continue,
        }
        rewriter.erase(op);
    }
    Ok(())
}

/// The layout of a view, which the verifier requires of operands.
fn layout_of(view: Value<'_, '_>) -> algebra::AnyLayout<Dim> {
    value_of(ir::type_of(view)).layout().expect("the operand is a view")
}

fn rank(view: Value<'_, '_>) -> usize {
    layout_of(view).outer().shape().modes().len()
}
