//! `wgmma`: operations of NVVM, and PTX.

use super::tensor::pieces;
use super::{Decoder, malformed, unmodelled};
use crate::ir;
use cute_arch::Element;
use cute_arch::atoms::{Instruction, Major, MmaOp, MmaQuery, Space};
use cute_ptx::matrix;
use cute_sim::Error;
use cute_sim::program::{GroupMma, GroupOp, Piece, WgmmaOperand};
use cute_sim::tensor::Wgmma;
use melior::ir::operation::OperationRef;

type Ir<'c, 'a> = OperationRef<'c, 'a>;

/// The model of an instruction whose A lies in this space.
pub(super) fn model(op: Ir<'_, '_>, query: &MmaQuery, a: Space) -> Result<&'static Wgmma, Error> {
    let model = Wgmma::by_ptx(query, a).map_err(|e| unmodelled(op, e.to_string()))?;
    model.ok_or_else(|| unmodelled(op, "this atom"))
}

impl Decoder<'_> {
    /// `nvvm.wgmma.mma_async`.
    pub(super) fn nvvm_product(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let word = |attribute: &str| {
            ir::keyword_attr(op, attribute).ok_or_else(|| malformed(op, format!("no {attribute}")))
        };
        let element = |attribute: &str| {
            let name = word(attribute)?;
            name.parse::<Element>().map_err(|_| unmodelled(op, format!("elements of {name}")))
        };
        let shape = ir::shape_attr(op).ok_or_else(|| malformed(op, "no shape"))?;
        let d = element("typeD")?;
        let saturates = ir::keyword_attr(op, "satfinite") == Some("satfinite");
        let query = MmaQuery {
            op: if saturates { MmaOp::MulAddSaturate } else { MmaOp::MulAdd },
            ..MmaQuery::new(Instruction::WGMMA, shape, [d, element("typeA")?, element("typeB")?, d])
        };
        let majors = matrix::majors([word("layoutA")?, word("layoutB")?]);
        let negate = [word("scaleA")? == "neg", word("scaleB")? == "neg"];
        let adds = self.constant(op, vec![u64::from(word("scaleD")? == "one")])?;
        let model = model(op, &query, Space::Shared)?;
        let c = pieces(&[self.operand(op, 0)?]);
        let (a, b) = (self.scalar_operand(op, 1)?.0, self.scalar_operand(op, 2)?.0);
        let d = pieces(&[self.result(op)?]);
        self.group_mma(op, GroupMma { model, a: WgmmaOperand::Shared(a), b, c, d, adds, negate, majors })
    }

    /// An MMA whose operands fit its model.
    pub(super) fn group_mma(&mut self, op: Ir<'_, '_>, mma: GroupMma) -> Result<(), Error> {
        let [of_a, of_c] = mma.model.registers();
        if let WgmmaOperand::Registers(a) = &mma.a {
            self.fits(op, a, of_a, "A")?;
        }
        self.fits(op, &mma.c, of_c, "C")?;
        self.fits(op, &mma.d, of_c, "D")?;
        let (of_a, of_c) = (mma.model.atom().a.element.bits(), mma.model.sum_bits());
        let whole = |pieces: &[Piece], bits: u32| {
            pieces.iter().all(|piece| piece.bits % bits == 0 && piece.bits <= 32)
        };
        let a_is_whole = match &mma.a {
            WgmmaOperand::Registers(a) => whole(a, of_a),
            WgmmaOperand::Shared(_) => true,
        };
        if !(a_is_whole && whole(&mma.c, of_c) && whole(&mma.d, of_c)) {
            return Err(malformed(op, "registers that do not hold whole elements"));
        }
        let atom = mma.model.atom();
        let takes = [(mma.majors[0], atom.a_major), (mma.majors[1], atom.b_major)];
        if let Some(i) = takes.iter().position(|(asked, takes)| asked != takes && *takes != Major::Any) {
            let (matrix, element) = [("A", atom.a.element), ("B", atom.b.element)][i];
            return Err(malformed(op, format!("{matrix} of {element} has to lie along K")));
        }
        self.group_mmas.push(mma);
        let mma = self.group_mmas.len() as u32 - 1;
        self.group(op, GroupOp::Multiply { mma });
        Ok(())
    }
}
