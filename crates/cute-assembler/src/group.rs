//! Instructions of warpgroups.

use crate::{Assembler, malformed, unmodelled};
use cute_arch::Target;
use cute_arch::atoms::{Major, MmaQuery, Space};
use cute_sim::program::{GroupMma, GroupOp, Op, Piece, Site, WgmmaOperand};
use cute_sim::tensor::Wgmma;
use cute_sim::{Error, Malformed, Unmodelled};

/// The model of an instruction whose A lies in this space.
///
/// # Errors
///
/// Returns an error for an atom without a model.
pub fn model(at: &Site, query: &MmaQuery, a: Space) -> Result<&'static Wgmma, Error> {
    let model = Wgmma::by_ptx(query, a).map_err(|e| unmodelled(at, Unmodelled::Atom, e.to_string()))?;
    model.ok_or_else(|| unmodelled(at, Unmodelled::Atom, "this atom"))
}

impl Assembler {
    /// An MMA whose operands fit its model.
    ///
    /// # Errors
    ///
    /// Returns an error for operands that do not fit.
    pub fn group_mma(&mut self, at: &Site, mma: GroupMma) -> Result<(), Error> {
        let [of_a, of_c] = mma.model.registers();
        if let WgmmaOperand::Registers(a) = &mma.a {
            self.fits(at, a, of_a, "A")?;
        }
        self.fits(at, &mma.c, of_c, "C")?;
        self.fits(at, &mma.d, of_c, "D")?;
        let (of_a, of_c) = (mma.model.atom().a.element.bits(), mma.model.sum_bits());
        let whole = |pieces: &[Piece], bits: u32| {
            pieces.iter().all(|piece| piece.bits % bits == 0 && piece.bits <= 32)
        };
        let a_is_whole = match &mma.a {
            WgmmaOperand::Registers(a) => whole(a, of_a),
            WgmmaOperand::Shared(_) => true,
        };
        if !(a_is_whole && whole(&mma.c, of_c) && whole(&mma.d, of_c)) {
            return Err(malformed(at, Malformed::OperandType, "registers that do not hold whole elements"));
        }
        let atom = mma.model.atom();
        let takes = [(mma.majors[0], atom.a_major), (mma.majors[1], atom.b_major)];
        if let Some(i) = takes.iter().position(|(asked, takes)| asked != takes && *takes != Major::Any) {
            let (matrix, element) = [("A", atom.a.element), ("B", atom.b.element)][i];
            return Err(malformed(
                at,
                Malformed::Modifier,
                format!("{matrix} of {element} has to lie along K"),
            ));
        }
        self.group_mmas.push(mma);
        let mma = self.group_mmas.len() as u32 - 1;
        self.group(at, GroupOp::Multiply { mma });
        Ok(())
    }

    /// `setmaxnreg`, to this many registers a thread.
    ///
    /// # Errors
    ///
    /// Returns an error for a number that the instruction does not take.
    pub fn registers_of_group(&mut self, at: &Site, count: i64, increase: bool) -> Result<(), Error> {
        let range = Target::MOVABLE_REGISTERS;
        let valid = u32::try_from(count).ok().filter(|n| range.contains(n) && n.is_multiple_of(8));
        let Some(count) = valid else {
            let (least, most) = (range.start(), range.end());
            return Err(malformed(
                at,
                Malformed::OperandValue,
                format!("{count} registers: a multiple of 8 from {least} to {most} is needed"),
            ));
        };
        self.group(at, GroupOp::Registers { count, increase });
        Ok(())
    }

    /// Appends an instruction of warpgroups.
    pub fn group(&mut self, at: &Site, what: GroupOp) {
        self.has_groups = true;
        self.emit(at, Op::Group(what));
    }
}
