//! `wmma` in PTX: its operands.

use super::lines::Line;
use super::mma::of_element;
use crate::Assembler;
use crate::wmma::is_shape;
use cute_ptx::wmma::Wmma;
use cute_ptx::{Keyword, RoundingMode, Spelling, StateSpace, Takes};
use cute_sim::{Error, Malformed};

impl Assembler {
    /// `wmma.load`, `wmma.mma`, `wmma.store`, by the words after `wmma`.
    pub(super) fn wmma(&mut self, line: &mut Line<'_, '_>, words: &[&str]) -> Result<bool, Error> {
        let Some((wmma, space)) = Wmma::of_ptx(words) else { return Ok(false) };
        let shape = match &wmma {
            Wmma::Load(memory) | Wmma::Store(memory) => memory.shape,
            Wmma::Multiply(query, _) => query.shape,
        };
        if !is_shape(shape) {
            return Ok(false);
        }
        let (memory, loads) = match wmma {
            Wmma::Load(memory) => (memory, true),
            Wmma::Store(memory) => (memory, false),
            Wmma::Multiply(query, mode) => {
                if let Some(mode) = mode.filter(|mode| *mode != RoundingMode::NearestEven)
                    && !words.contains(&"f64")
                {
                    let word = mode.word(Spelling::Ptx).unwrap_or_default();
                    let what = format!("the rounding `.{word}`: only f64 has one");
                    return Err(line.wrong(Malformed::Modifier, &what));
                }
                let [d, a, b, c] =
                    [0, 1, 2, 3].map(|index| self.fragment(line, index, of_element(query.types[index])));
                self.wmma_product(line.at, (query, mode), &d?, [a?, b?, c?])?;
                return Ok(true);
            }
        };
        let [in_list, in_memory] = if loads { [0, 1] } else { [1, 0] };
        let list = self.fragment(line, in_list, of_element(memory.element))?;
        let base = self.address(line, in_memory, Some(Takes::Address))?;
        let stride = match line.operands.get(2) {
            Some(stride) => Some(self.read(line, stride, 32)?),
            None => None,
        };
        let space = space.map_or(0, StateSpace::address_space);
        self.wmma_access(line.at, memory, (base, space), stride, (&list, loads))?;
        Ok(true)
    }
}
