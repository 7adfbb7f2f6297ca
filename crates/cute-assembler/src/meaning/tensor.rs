//! Rules of `tcgen05`.

use crate::{Assembler, malformed};
use cute_arch::atoms::{Broadcast, Tcgen05Kind, TmemShape};
use cute_ptx::{Keyword, RowShape, Spelling, TensorShape};
use cute_sim::program::{RowCopy, Site};
use cute_sim::tensor::TmemMove;
use cute_sim::{Error, Malformed};

/// The number of scale factors along K that an instruction of a kind has, given that which it
/// names; `None` if the kind has none.
///
/// # Errors
///
/// Returns an error for a number that the kind does not have, or lacks.
pub fn scale_count(at: &Site, kind: Tcgen05Kind, named: Option<u32>) -> Result<Option<u32>, Error> {
    let row = kind.row();
    if row.scales.is_empty() {
        return Ok(None);
    }
    let Some(count) = named.or(kind.default_scales()) else {
        return Err(malformed(at, Malformed::Modifier, format!("{} without .scale_vec", row.keyword)));
    };
    match row.scales.iter().any(|scale| scale.count == count) {
        true => Ok(Some(count)),
        false => {
            Err(malformed(at, Malformed::Modifier, format!("{} with .scale_vec::{count}X", row.keyword)))
        }
    }
}

/// The shape of a `tcgen05.cp`.
///
/// # Errors
///
/// Returns an error for rows that cannot be repeated so.
pub fn row_copy(at: &Site, shape: RowShape, broadcast: Broadcast) -> Result<RowCopy, Error> {
    if !shape.takes(broadcast) {
        let (shape, broadcast) = (word(shape), word(broadcast));
        return Err(malformed(
            at,
            Malformed::Modifier,
            format!("the shape {shape} with the multicast {broadcast}"),
        ));
    }
    let (rows, bits) = shape.extents();
    Ok(RowCopy { rows, bits, step: shape.step(), broadcast })
}

/// The words that registers of a shape are; `halves`: each holds two numbers of 16 bits.
///
/// # Errors
///
/// Returns an error for a number of registers that the shape does not have.
pub fn tensor_move(
    at: &Site,
    shape: TensorShape,
    registers: u32,
    halves: bool,
) -> Result<&'static TmemMove, Error> {
    let (lanes, bits, each) = shape.extents();
    let named = TmemShape { lanes, bits, repeats: registers / each, halves };
    TmemMove::of(named).ok_or_else(|| {
        malformed(at, Malformed::OperandCount, format!("{registers} registers of {}", word(shape)))
    })
}

/// NVVM's word for a meaning.
fn word(keyword: impl Keyword) -> &'static str {
    keyword.word(Spelling::Nvvm).unwrap_or_default()
}

impl Assembler {
    /// Checks that either all or none of a kernel's instructions are for pairs.
    ///
    /// # Errors
    ///
    /// Returns an error if they are not.
    pub fn one_group(&mut self, at: &Site, pair: bool) -> Result<(), Error> {
        let number = |pair| if pair { 2 } else { 1 };
        match self.pairs.replace(pair).filter(|before| *before != pair) {
            None => Ok(()),
            Some(before) => Err(malformed(
                at,
                Malformed::Modifier,
                format!(
                    ".cta_group::{} after .cta_group::{}: ptxas accepts only one of them per kernel",
                    number(pair),
                    number(before)
                ),
            )),
        }
    }

    /// Checks the number of registers that a shape has.
    ///
    /// # Errors
    ///
    /// Returns an error if they are not.
    pub fn has_registers(&self, at: &Site, shape: &TmemMove, count: usize) -> Result<(), Error> {
        if shape.registers() == count {
            return Ok(());
        }
        Err(malformed(
            at,
            Malformed::OperandCount,
            format!("{count} registers, where the shape has {}", shape.registers()),
        ))
    }
}
