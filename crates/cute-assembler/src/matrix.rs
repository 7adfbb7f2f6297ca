//! The registers of matrix operands.

use crate::{Assembler, Held, malformed};
use cute_sim::program::{Piece, Site};
use cute_sim::{Error, Malformed};

impl Assembler {
    /// Checks the bits of a matrix operand.
    ///
    /// # Errors
    ///
    /// Returns an error for another number of bits.
    pub fn fits(&self, at: &Site, pieces: &[Piece], registers: usize, what: &str) -> Result<(), Error> {
        let bits: u32 = pieces.iter().map(|p| p.bits).sum();
        if bits as usize == registers * 32 {
            return Ok(());
        }
        Err(malformed(
            at,
            Malformed::OperandCount,
            format!("{what} has {bits} bits, but the instruction takes {}", registers * 32),
        ))
    }
}

/// The scalars of values, one after the other.
pub fn pieces(values: &[Held]) -> Box<[Piece]> {
    let of = |held: &Held| -> Vec<Piece> {
        let scalars = held.ty.scalars();
        scalars.into_iter().zip(held.slot..).map(|(s, slot)| Piece { slot, bits: s.bits() }).collect()
    };
    values.iter().flat_map(of).collect()
}
