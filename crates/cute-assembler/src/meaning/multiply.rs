//! `mma.sync`: matrices in the registers of a warp, multiplied.

use crate::{Assembler, malformed};
use cute_machine::format::Rounding;
use cute_sim::matrix::Mma;
use cute_sim::program::{MatrixOp, MmaScales, Op, Piece, Site, Slot, WarpProduct};
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

    /// The same, with scale factors: for A and for B a word of each lane, and its two selectors.
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
        (words, selectors): ([Piece; 2], [[Slot; 2]; 2]),
    ) -> Result<(), Error> {
        let Some(of_model) = model.scales() else {
            return Err(malformed(
                at,
                Malformed::Modifier,
                format!("{} has no scale factors", model.atom().name),
            ));
        };
        for (matrix, name) in ["A", "B"].into_iter().enumerate() {
            self.fits(at, &[words[matrix]], 1, &format!("the register with scale factors of {name}"))?;
            for (selector, slot) in selectors[matrix].iter().enumerate() {
                if let Some(given) = self.known.get(slot) {
                    of_model
                        .check(matrix, selector, *given)
                        .map_err(|rule| malformed(at, Malformed::OperandValue, rule.to_string()))?;
                }
            }
        }
        self.emit_product(at, (model, Rounding::NearestEven), matrices, Some(MmaScales { words, selectors }))
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
        scales: Option<MmaScales>,
    ) -> Result<(), Error> {
        for ((pieces, registers), matrix) in matrices.iter().zip(model.registers()).zip(["A", "B", "C", "D"])
        {
            self.fits(at, pieces, registers, matrix)?;
        }
        let [a, b, c, d] = matrices;
        let product = WarpProduct { model, rounding, a, b, c, d, scales };
        self.emit(at, Op::Matrix(MatrixOp::Multiply(product.into())));
        Ok(())
    }
}
