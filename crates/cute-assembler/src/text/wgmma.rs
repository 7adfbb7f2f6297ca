//! `wgmma` in PTX.

use super::check::Beside;
use super::lines::Line;
use super::mma::of_element;
use crate::Assembler;
use crate::meaning::model;
use cute_arch::atoms::{Major, Space};
use cute_ptx::syntax::{Number, Operand};
use cute_ptx::wgmma::{self, WgmmaFlags};
use cute_ptx::{ScalarType, Takes};
use cute_sim::program::{GroupMma, Piece, Slot, WgmmaOperand};
use cute_sim::{Error, Malformed};

impl Assembler {
    /// `{d0, .., dn}, descriptor or {a0, .., a3}, descriptor, p, 1, 1, 0, 0`: the predicate is
    /// followed by the signs of A and B and, for 16-bit elements, by whether matrices in memory are
    /// contiguous along M and N. With a sparse A, a register of metadata and the number that
    /// selects the threads with them stand before the predicate.
    pub(super) fn product(&mut self, line: &mut Line<'_, '_>, words: &[&str]) -> Result<bool, Error> {
        let Some(query) = wgmma::read(words) else { return Ok(false) };
        let d = self.registers(line, 0, of_element(query.types[0]))?;
        let a = match line.operand(1)? {
            Operand::List(_) => {
                WgmmaOperand::Registers(self.registers(line, 1, Takes::exactly(ScalarType::B32))?)
            }
            descriptor => WgmmaOperand::Shared(self.taken(line, descriptor, 64, Takes::Integer(64))?),
        };
        let b = self.taken(line, line.operand(2)?, 64, Takes::Integer(64))?;
        let space = if matches!(a, WgmmaOperand::Registers(_)) { Space::Register } else { Space::Shared };
        let model = model(line.at, &query, space)?;
        let metadata = match model.sparsity() {
            Some(sparsity) => Some(self.metadata(line, 3, sparsity.selectors())?),
            None => None,
        };
        let next = if metadata.is_some() { 5 } else { 3 };
        if let Operand::Number(Number::Integer(adds)) = *line.operand(next)?
            && !(0..=1).contains(&adds)
        {
            let what = format!("the number {adds} says whether D is added: it must be 0 or 1");
            return Err(line.wrong(Malformed::OperandValue, &what));
        }
        let adds = self.taken(line, line.operand(next)?, 1, Takes::exactly(ScalarType::Pred))?;
        let mut flags = Vec::new();
        for operand in line.operands.iter().skip(next + 1) {
            let Operand::Number(Number::Integer(flag)) = *operand else {
                return Err(line.wrong(Malformed::OperandValue, "a flag that is not a number"));
            };
            flags.push(flag);
        }
        let WgmmaFlags { signs, transposes } = WgmmaFlags::of(model.atom());
        let count = if signs { 2 } else { 0 } + transposes.iter().filter(|is_flag| **is_flag).count();
        if flags.len() != count {
            return Err(line.wrong(
                Malformed::OperandCount,
                &format!("{} flags after the predicate for {count}", flags.len()),
            ));
        }
        let sign = |i: usize| match flags.get(i) {
            Some(1) => Ok(false),
            Some(-1) => Ok(true),
            None if !signs => Ok(false),
            _ => Err(line.wrong(Malformed::OperandValue, "a sign that is not 1 or -1")),
        };
        let negate = if signs { [sign(0)?, sign(1)?] } else { [false; 2] };
        let mut majors = [Major::K; 2];
        let transposed = majors.iter_mut().zip(transposes).filter(|(_, is_flag)| *is_flag);
        for (flag, (major, _)) in flags.iter().skip(if signs { 2 } else { 0 }).zip(transposed) {
            *major = match flag {
                0 => Major::K,
                1 => Major::Mn,
                _ => return Err(line.wrong(Malformed::OperandValue, "a transposition that is not 0 or 1")),
            };
        }
        let mma = GroupMma::new(model, (a, b), [d.clone(), d], adds, (negate, majors));
        self.group_mma(line.at, GroupMma { metadata, ..mma })?;
        Ok(true)
    }

    /// The register with the metadata of a sparse A, in braces or not, and the number that selects
    /// the threads whose metadata count.
    fn metadata(
        &mut self,
        line: &mut Line<'_, '_>,
        index: usize,
        selectors: u32,
    ) -> Result<(Slot, u32), Error> {
        let operand = match line.operand(index)? {
            Operand::List(list) if list.len() == 1 => &list[0],
            operand => operand,
        };
        let Some((slot, _)) = self.register(line, operand, Some(Takes::exactly(ScalarType::B32)))? else {
            return Err(line.wrong(Malformed::OperandType, "the metadata of A are not in a register"));
        };
        let Operand::Number(Number::Integer(selector)) = *line.operand(index + 1)? else {
            return Err(line.wrong(Malformed::OperandType, "the selector of metadata is not a number"));
        };
        match u32::try_from(selector).ok().filter(|selector| *selector < selectors) {
            Some(selector) => Ok((slot, selector)),
            None => {
                let takes = if selectors == 1 { "0, because all threads have metadata" } else { "0 or 1" };
                let what = format!("the selector of metadata is {selector}: it must be {takes}");
                Err(line.wrong(Malformed::OperandValue, &what))
            }
        }
    }

    /// An operand that is read, if the instruction takes it.
    fn taken<'a>(
        &mut self,
        line: &mut Line<'a, '_>,
        operand: &Operand<'a>,
        width: u32,
        takes: Takes,
    ) -> Result<Slot, Error> {
        match self.register(line, operand, Some(takes))? {
            Some((slot, _)) => Ok(slot),
            None => {
                self.allowed(line, operand, Some(takes), Beside::Operands)?;
                self.read(line, operand, width)
            }
        }
    }

    /// The registers of a list in braces.
    fn registers(
        &mut self,
        line: &mut Line<'_, '_>,
        index: usize,
        takes: Takes,
    ) -> Result<Box<[Piece]>, Error> {
        let Operand::List(list) = line.operand(index)? else {
            return Err(line.wrong(Malformed::OperandCount, "a list of registers in braces is missing"));
        };
        let piece = |operand| match self.register(line, operand, Some(takes))? {
            Some((slot, bits)) => Ok(Piece { slot, bits }),
            None => Err(line.wrong(Malformed::OperandType, "a matrix in braces consists of registers")),
        };
        list.iter().map(piece).collect()
    }
}
