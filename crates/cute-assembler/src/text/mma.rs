//! `mma.sync` in PTX.

use super::lines::Line;
use crate::meaning::rounding_of;
use crate::{Assembler, unmodelled};
use cute_arch::Element;
use cute_machine::format::Rounding;
use cute_ptx::syntax::Operand;
use cute_ptx::{Keyword, RoundingMode, ScalarType, Spelling, Takes, mma};
use cute_sim::matrix::Mma;
use cute_sim::program::{Piece, Slot};
use cute_sim::{Error, Malformed, Unmodelled};

impl Assembler {
    /// `{d0, ..}, {a0, ..}, {b0, ..}, {c0, ..}`. A register alone needs no braces.
    pub(super) fn warp_product(&mut self, line: &mut Line<'_, '_>, words: &[&str]) -> Result<bool, Error> {
        let (words, rounding) = self.words_and_rounding(line, words)?;
        let Some(query) = mma::read(&words) else { return Ok(false) };
        let model = Mma::by_ptx(&query).map_err(|e| unmodelled(line.at, Unmodelled::Atom, e.to_string()))?;
        let model = model.ok_or_else(|| unmodelled(line.at, Unmodelled::Atom, "this atom"))?;
        let is_scaled = model.scales().is_some();
        let (count, names) =
            if is_scaled { (8, "A, B, C, scale factors and selectors") } else { (4, "A, B and C") };
        if line.operands.len() != count {
            let found = line.operands.len();
            return Err(line.wrong(Malformed::OperandCount, &format!("{found} operands for D, {names}")));
        }
        let [d, a, b, c] =
            [0, 1, 2, 3].map(|index| self.fragment(line, index, of_element(query.types[index])));
        let matrices = [a?, b?, c?, d?];
        if is_scaled {
            let (words, selectors) = ([self.factors(line, 4)?, self.factors(line, 6)?], [5, 7]);
            let selectors = [self.selectors(line, selectors[0])?, self.selectors(line, selectors[1])?];
            self.multiply_scaled(line.at, model, matrices, (words, selectors))?;
        } else {
            self.multiply_rounded(line.at, (model, rounding), matrices)?;
        }
        Ok(true)
    }

    /// A register with scale factors, in braces or not.
    fn factors(&mut self, line: &mut Line<'_, '_>, index: usize) -> Result<Piece, Error> {
        match self.fragment(line, index, Takes::exactly(ScalarType::B32))?[..] {
            [piece] => Ok(piece),
            ref pieces => Err(line.wrong(
                Malformed::OperandCount,
                &format!("{} registers with scale factors: there is one", pieces.len()),
            )),
        }
    }

    /// `{byte, thread}`: numbers or registers.
    fn selectors(&mut self, line: &mut Line<'_, '_>, index: usize) -> Result<[Slot; 2], Error> {
        match line.operand(index)? {
            Operand::List(list) if list.len() == 2 => {
                Ok([self.read(line, &list[0], 16)?, self.read(line, &list[1], 16)?])
            }
            _ => Err(line.wrong(
                Malformed::OperandType,
                "the selectors of scale factors are not a byte and a thread in braces",
            )),
        }
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
            _ => {
                return Err(line.wrong(
                    Malformed::Modifier,
                    &format!("the rounding `.{}`: only f64 has one", modes.join(".")),
                ));
            }
        };
        Ok((words, rounding))
    }

    /// The registers of a matrix.
    pub(super) fn fragment(
        &mut self,
        line: &mut Line<'_, '_>,
        index: usize,
        takes: Takes,
    ) -> Result<Box<[Piece]>, Error> {
        match line.operand(index)? {
            Operand::List(list) => list.iter().map(|operand| self.piece(line, operand, takes)).collect(),
            one => Ok([self.piece(line, one, takes)?].into()),
        }
    }
}

/// The registers that hold elements: those of their type, or of bits. Narrow ones are packed.
pub(super) fn of_element(element: Element) -> Takes {
    Takes::exactly(match element {
        Element::F32 => ScalarType::F32,
        Element::F64 => ScalarType::F64,
        _ => ScalarType::B32,
    })
}
