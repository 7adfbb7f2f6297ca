//! The registers of matrix operands.

use crate::{Assembler, Held, malformed};
use cute_machine::format::Rounding;
use cute_sim::program::{MmaScales, Op, Piece, Site};
use cute_sim::tensor::Mma;
use cute_sim::{Error, Malformed};

impl Assembler {
    /// The multiplication of A, B and C to D in these registers.
    ///
    /// # Errors
    ///
    /// Returns an error for operands that do not fit.
    pub fn multiply(
        &mut self,
        at: &Site,
        model: &'static Mma,
        matrices: [Box<[Piece]>; 4],
    ) -> Result<(), Error> {
        self.multiply_rounded(at, (model, Rounding::NearestEven), matrices)
    }

    /// The same, with scale factors.
    ///
    /// # Errors
    ///
    /// Returns an error for operands that do not fit, and for selectors that the instruction does
    /// not have.
    pub fn multiply_scaled(
        &mut self,
        at: &Site,
        model: &'static Mma,
        matrices: [Box<[Piece]>; 4],
        scales: MmaScales,
    ) -> Result<(), Error> {
        let Some(of_model) = model.scales() else {
            return Err(malformed(
                at,
                Malformed::Modifier,
                format!("{} has no scale factors", model.atom().name),
            ));
        };
        for (matrix, name) in ["A", "B"].into_iter().enumerate() {
            self.fits(at, &[scales.words[matrix]], 1, &format!("the register with scale factors of {name}"))?;
            for (selector, slot) in scales.selectors[matrix].iter().enumerate() {
                if let Some(given) = self.known.get(slot) {
                    of_model
                        .check(matrix, selector, *given)
                        .map_err(|rule| malformed(at, Malformed::OperandValue, rule.to_string()))?;
                }
            }
        }
        self.emit_product(at, (model, Rounding::NearestEven), matrices, Some(Box::new(scales)))
    }

    /// The same, with sums in f64 rounded as asked.
    ///
    /// # Errors
    ///
    /// Returns an error for operands that do not fit.
    pub fn multiply_rounded(
        &mut self,
        at: &Site,
        model: (&'static Mma, Rounding),
        matrices: [Box<[Piece]>; 4],
    ) -> Result<(), Error> {
        if model.0.scales().is_some() {
            return Err(malformed(
                at,
                Malformed::Modifier,
                format!("{} needs scale factors", model.0.atom().name),
            ));
        }
        self.emit_product(at, model, matrices, None)
    }

    fn emit_product(
        &mut self,
        at: &Site,
        (model, rounding): (&'static Mma, Rounding),
        matrices: [Box<[Piece]>; 4],
        scales: Option<Box<MmaScales>>,
    ) -> Result<(), Error> {
        for ((pieces, registers), matrix) in matrices.iter().zip(model.registers()).zip(["A", "B", "C", "D"])
        {
            self.fits(at, pieces, registers, matrix)?;
        }
        let [a, b, c, d] = matrices;
        self.emit(at, Op::Mma { model, rounding, a, b, c, d, scales });
        Ok(())
    }

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
