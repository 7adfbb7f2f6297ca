//! Instructions of warpgroups.

use crate::call::Call;
use crate::{Assembler, malformed, unmodelled};
use cute_arch::Target;
use cute_arch::atoms::{Major, MmaQuery, Space};
use cute_ptx::Operation as O;
use cute_sim::program::{GroupMma, Op, Piece, SetRegistersOp, Site, Slot, WgmmaOp, WgmmaOperand};
use cute_sim::{Error, Malformed, Unmodelled, Wgmma};

/// The model of an instruction whose A lies in this space.
///
/// # Errors
///
/// Returns an error for an atom without a model.
pub(crate) fn model(at: &Site, query: &MmaQuery, a: Space) -> Result<&'static Wgmma, Error> {
    let model = Wgmma::by_ptx(query, a).map_err(|e| unmodelled(at, Unmodelled::Atom, e.to_string()))?;
    model.ok_or_else(|| unmodelled(at, Unmodelled::Atom, "this atom"))
}

impl Assembler {
    /// The fence of `wgmma`, and its groups.
    pub(crate) fn wgmma(&mut self, call: &Call) -> Result<(), Error> {
        let op = match call.instruction.row.operation {
            O::GroupFence => WgmmaOp::Fence,
            O::GroupCommit => WgmmaOp::Commit,
            _ => WgmmaOp::Wait { pending: self.groups(call)? },
        };
        self.has_groups |= op.is_of_group();
        self.emit(&call.at, Op::Wgmma(op));
        Ok(())
    }

    /// An MMA whose matrices A and B are in shared memory, with the registers of their descriptors
    /// and of whether C is added; whether A and B are negated, and their contiguous modes.
    ///
    /// # Errors
    ///
    /// Returns an error for operands that do not fit, and for an atom without a model.
    pub fn product_of_tiles(
        &mut self,
        at: &Site,
        query: &MmaQuery,
        [a, b, adds]: [Slot; 3],
        [c, d]: [Box<[Piece]>; 2],
        (negate, majors): ([bool; 2], [Major; 2]),
    ) -> Result<(), Error> {
        let model = model(at, query, Space::Shared)?;
        let matrices = (WgmmaOperand::Shared(a), b);
        self.group_mma(at, GroupMma::new(model, matrices, [c, d], adds, (negate, majors)))
    }

    /// An MMA whose operands fit its model.
    ///
    /// # Errors
    ///
    /// Returns an error for operands that do not fit.
    pub(crate) fn group_mma(&mut self, at: &Site, mma: GroupMma) -> Result<(), Error> {
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
        self.has_groups = true;
        self.emit(at, Op::Wgmma(WgmmaOp::Multiply(Box::new(mma))));
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
        self.has_groups = true;
        self.emit(at, Op::SetRegisters(SetRegistersOp { count, increase }));
        Ok(())
    }
}
