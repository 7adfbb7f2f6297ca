//! `mma.sync` in PTX.

use super::lines::Line;
use crate::{Assembler, unmodelled};
use cute_ptx::matrix;
use cute_ptx::syntax::Operand;
use cute_sim::Error;
use cute_sim::program::Piece;
use cute_sim::tensor::Mma;

impl Assembler {
    /// `{d0, ..}, {a0, ..}, {b0, ..}, {c0, ..}`. A register alone needs no braces.
    pub(super) fn warp_product(&mut self, line: &mut Line<'_, '_>, words: &[&str]) -> Result<bool, Error> {
        let Some(query) = matrix::mma(words) else { return Ok(false) };
        let model = Mma::by_ptx(&query).map_err(|e| unmodelled(line.at, e.to_string()))?;
        let model = model.ok_or_else(|| unmodelled(line.at, "this atom"))?;
        if line.operands.len() != 4 {
            let found = line.operands.len();
            return Err(line.wrong(&format!("{found} operands for D, A, B and C")));
        }
        let [d, a, b, c] = [0, 1, 2, 3].map(|index| self.fragment(line, index));
        self.multiply(line.at, model, [a?, b?, c?, d?])?;
        Ok(true)
    }

    /// The registers of a matrix.
    pub(super) fn fragment(&mut self, line: &mut Line<'_, '_>, index: usize) -> Result<Box<[Piece]>, Error> {
        match line.operand(index)? {
            Operand::List(list) => list.iter().map(|operand| self.piece(line, operand)).collect(),
            one => Ok([self.piece(line, one)?].into()),
        }
    }
}
