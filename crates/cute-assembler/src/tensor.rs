//! Rules of `tcgen05`.

use crate::{Assembler, malformed};
use cute_sim::Error;
use cute_sim::program::Site;
use cute_sim::tensor::TmemMove;

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
        Err(malformed(at, format!("{count} registers, where the shape has {}", shape.registers())))
    }
}
