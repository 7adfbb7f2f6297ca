//! `wgmma`: operations of NVVM, and PTX.

use super::{Decoder, malformed, site, unmodelled};
use crate::ir;
use cute_arch::Element;
use cute_arch::atoms::{Instruction, MmaOp, MmaQuery};
use cute_assembler::matrix::pieces;
use cute_ptx::mma;
use cute_sim::{Error, Malformed, Unmodelled};
use melior::ir::operation::OperationRef;

type Ir<'c, 'a> = OperationRef<'c, 'a>;

impl Decoder<'_> {
    /// `nvvm.wgmma.mma_async`.
    pub(super) fn nvvm_product(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let word = |attribute: &str| {
            ir::keyword_attr(op, attribute)
                .ok_or_else(|| malformed(op, Malformed::Attribute, format!("no {attribute}")))
        };
        let element = |attribute: &str| {
            let name = word(attribute)?;
            name.parse::<Element>()
                .map_err(|_| unmodelled(op, Unmodelled::Modifier, format!("elements of {name}")))
        };
        let shape = ir::shape_attr(op).ok_or_else(|| malformed(op, Malformed::Attribute, "no shape"))?;
        let d = element("typeD")?;
        let saturates = ir::keyword_attr(op, "satfinite") == Some("satfinite");
        let query = MmaQuery {
            op: if saturates { MmaOp::MulAddSaturate } else { MmaOp::MulAdd },
            ..MmaQuery::new(Instruction::WGMMA, shape, [d, element("typeA")?, element("typeB")?, d])
        };
        let majors = mma::majors([word("layoutA")?, word("layoutB")?]);
        let negate = [word("scaleA")? == "neg", word("scaleB")? == "neg"];
        let adds = self.constant(op, vec![u64::from(word("scaleD")? == "one")])?;
        let c = pieces(&[self.operand(op, 0)?]);
        let (a, b) = (self.scalar_operand(op, 1)?.0, self.scalar_operand(op, 2)?.0);
        let d = pieces(&[self.result(op)?]);
        self.product_of_tiles(&site(op), &query, [a, b, adds], [c, d], (negate, majors))
    }
}
