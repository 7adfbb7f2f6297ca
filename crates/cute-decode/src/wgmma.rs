//! `wgmma`: operations of NVVM, and PTX.

use super::tensor::pieces;
use super::{Decoder, malformed, unmodelled};
use crate::ir;
use cute_arch::Element;
use cute_arch::atoms::{Instruction, Major, MmaOp, MmaQuery, Space};
use cute_ptx::matrix;
use cute_sim::Error;
use cute_sim::program::{GroupOp, Piece, Product, ProductOperand};
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
        self.product(op, Product { model, a: ProductOperand::Shared(a), b, c, d, adds, negate, majors })
    }

    /// An MMA whose operands fit its model.
    pub(super) fn product(&mut self, op: Ir<'_, '_>, product: Product) -> Result<(), Error> {
        let [of_a, of_c] = product.model.registers();
        if let ProductOperand::Registers(a) = &product.a {
            self.fits(op, a, of_a, "A")?;
        }
        self.fits(op, &product.c, of_c, "C")?;
        self.fits(op, &product.d, of_c, "D")?;
        let (of_a, of_c) = (product.model.atom().a.element.bits(), product.model.sum_bits());
        let whole = |pieces: &[Piece], bits: u32| {
            pieces.iter().all(|piece| piece.bits % bits == 0 && piece.bits <= 32)
        };
        let a_is_whole = match &product.a {
            ProductOperand::Registers(a) => whole(a, of_a),
            ProductOperand::Shared(_) => true,
        };
        if !(a_is_whole && whole(&product.c, of_c) && whole(&product.d, of_c)) {
            return Err(malformed(op, "registers that do not hold whole elements"));
        }
        let atom = product.model.atom();
        let takes = [(product.majors[0], atom.a_major), (product.majors[1], atom.b_major)];
        if let Some(i) = takes.iter().position(|(asked, takes)| asked != takes && *takes != Major::Any) {
            let (matrix, element) = [("A", atom.a.element), ("B", atom.b.element)][i];
            return Err(malformed(op, format!("{matrix} of {element} has to lie along K")));
        }
        self.products.push(product);
        let product = self.products.len() as u32 - 1;
        self.group(op, GroupOp::Multiply { product });
        Ok(())
    }
}
