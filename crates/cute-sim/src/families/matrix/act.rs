//! The lanes of a warp execute a matrix instruction together.

use super::moves::{load_matrix, store_matrix};
use super::multiply::{multiply, scale_selectors};
use super::op::{MatrixOp, WarpProduct};
use crate::finding::LaneFinding;
use crate::machine::issuing::Issuing;
use crate::machine::parts::Parts;
use crate::tensor::sums;

/// Executes an operation on matrices.
pub(crate) fn matrices(
    parts: &mut Parts<'_, '_>,
    own: &mut Issuing<'_>,
    op: &MatrixOp,
) -> Result<(), LaneFinding> {
    match op {
        MatrixOp::Multiply(of) => product(parts, own, of),
        MatrixOp::Load { model, address, registers } => load_matrix(parts, own, model, *address, registers),
        MatrixOp::Store { model, address, registers } => store_matrix(parts, own, model, *address, registers),
    }
}

fn product(
    parts: &mut Parts<'_, '_>,
    own: &mut Issuing<'_>,
    product: &WarpProduct,
) -> Result<(), LaneFinding> {
    let (machine, lanes) = (parts.machine(), own.issuer.lanes);
    let selectors = scale_selectors(own.registers, machine.kernel, product, lanes)?;
    let rules = machine.launch.sums;
    sums::note(parts.journal.sums(), rules, &product.model.query());
    multiply(own.registers, product, (selectors, rules), lanes);
    Ok(())
}
