//! `mma.sync` in PTX.

use super::lines::Line;
use crate::meaning::rounding_of;
use crate::{Assembler, unmodelled};
use cute_machine::format::Rounding;
use cute_ptx::syntax::Operand;
use cute_ptx::{Keyword, RoundingMode, Spelling, matrix};
use cute_sim::Error;
use cute_sim::program::Piece;
use cute_sim::tensor::Mma;

impl Assembler {
    /// `{d0, ..}, {a0, ..}, {b0, ..}, {c0, ..}`. A register alone needs no braces.
    pub(super) fn warp_product(&mut self, line: &mut Line<'_, '_>, words: &[&str]) -> Result<bool, Error> {
        let (words, rounding) = self.words_and_rounding(line, words)?;
        let Some(query) = matrix::mma(&words) else { return Ok(false) };
        let model = Mma::by_ptx(&query).map_err(|e| unmodelled(line.at, e.to_string()))?;
        let model = model.ok_or_else(|| unmodelled(line.at, "this atom"))?;
        if line.operands.len() != 4 {
            let found = line.operands.len();
            return Err(line.wrong(&format!("{found} operands for D, A, B and C")));
        }
        let [d, a, b, c] = [0, 1, 2, 3].map(|index| self.fragment(line, index));
        self.multiply_rounded(line.at, (model, rounding), [a?, b?, c?, d?])?;
        Ok(true)
    }

    /// The words without the one that names a rounding, which only sums in f64 may have.
    pub(super) fn words_and_rounding<'w>(
        &self,
        line: &Line<'_, '_>,
        words: &[&'w str],
    ) -> Result<(Vec<&'w str>, Rounding), Error> {
        let mode = |word: &&str| RoundingMode::read(Spelling::Ptx, word);
        let (modes, words): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| mode(word).is_some());
        let rounding = match (&modes[..], words.contains(&"f64")) {
            ([], _) | (["rn"], _) => Rounding::NearestEven,
            ([one], true) => mode(one).map_or(Rounding::NearestEven, rounding_of),
            _ => return Err(line.wrong(&format!("the rounding `.{}`: only f64 has one", modes.join(".")))),
        };
        Ok((words, rounding))
    }

    /// The registers of a matrix.
    pub(super) fn fragment(&mut self, line: &mut Line<'_, '_>, index: usize) -> Result<Box<[Piece]>, Error> {
        match line.operand(index)? {
            Operand::List(list) => list.iter().map(|operand| self.piece(line, operand)).collect(),
            one => Ok([self.piece(line, one)?].into()),
        }
    }
}
