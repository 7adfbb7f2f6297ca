//! `wgmma`: operations of NVVM, and PTX.

use super::tensor::{extents, pieces};
use super::{Decoder, malformed, unmodelled};
use crate::ir;
use cute_arch::Element;
use cute_arch::atoms::{Instruction, Major, MmaOp, MmaQuery, Space};
use cute_sim::Error;
use cute_sim::program::{GroupOp, Op, Piece, Product, ProductOperand};
use cute_sim::tensor::Wgmma;
use melior::ir::operation::OperationRef;

type Ir<'c, 'a> = OperationRef<'c, 'a>;

/// The words of an instruction: shape, types of D, A and B, and whether accumulators are clamped.
pub(super) struct Spelled {
    pub(super) shape: [u32; 3],
    pub(super) types: [Element; 3],
    pub(super) saturates: bool,
}

impl Spelled {
    /// Parses `sync.aligned.m64n256k16.f32.bf16.bf16`.
    pub(super) fn read(words: &[&str]) -> Option<Self> {
        let (mut shape, mut types, mut saturates) = (None, Vec::new(), false);
        for word in words {
            match *word {
                "sync" | "aligned" => {}
                "satfinite" => saturates = true,
                word if shape.is_none() && word.starts_with('m') => shape = Some(extents(word)?),
                word => types.push(word.parse().ok()?),
            }
        }
        Some(Spelled { shape: shape?, types: types.try_into().ok()?, saturates })
    }

    /// Whether the instruction has flags that negate its operands, and flags that transpose them.
    pub(super) fn flags(&self) -> (bool, bool) {
        let a = self.types[1];
        (a.float().is_some(), matches!(a, Element::F16 | Element::Bf16))
    }

    pub(super) fn model(&self, op: Ir<'_, '_>, a: Space) -> Result<&'static Wgmma, Error> {
        let Spelled { shape, types: [d, of_a, b], saturates } = *self;
        let operation = if saturates { MmaOp::MulAddSaturate } else { MmaOp::MulAdd };
        let query = MmaQuery { op: operation, ..MmaQuery::new(Instruction::WGMMA, shape, [d, of_a, b, d]) };
        let model = Wgmma::by_ptx(&query, a).map_err(|e| unmodelled(op, e.to_string()))?;
        model.ok_or_else(|| unmodelled(op, "this atom"))
    }
}

impl Decoder<'_> {
    /// `nvvm.wgmma.` and the name.
    pub(super) fn nvvm_wgmma(&mut self, op: Ir<'_, '_>, name: &str) -> Result<bool, Error> {
        match name {
            "fence.aligned" => self.group(op, GroupOp::Fence),
            "commit.group.sync.aligned" => self.emit(op, Op::WgmmaCommit),
            "wait.group.sync.aligned" => {
                let pending = ir::int_attr(op, "group").ok_or_else(|| malformed(op, "no group"))?;
                self.wait_for_products(op, pending)?;
            }
            "mma_async" => self.nvvm_product(op)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    pub(super) fn wait_for_products(&mut self, op: Ir<'_, '_>, pending: i64) -> Result<(), Error> {
        let pending = u32::try_from(pending).map_err(|_| malformed(op, "a number of groups below 0"))?;
        self.emit(op, Op::WgmmaWait { pending });
        Ok(())
    }

    fn nvvm_product(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let word = |attribute: &str| {
            ir::keyword_attr(op, attribute).ok_or_else(|| malformed(op, format!("no {attribute}")))
        };
        let element = |attribute: &str| {
            let name = word(attribute)?;
            name.parse::<Element>().map_err(|_| unmodelled(op, format!("elements of {name}")))
        };
        let spelled = Spelled {
            shape: ir::shape_attr(op).ok_or_else(|| malformed(op, "no shape"))?,
            types: [element("typeD")?, element("typeA")?, element("typeB")?],
            saturates: ir::keyword_attr(op, "satfinite") == Some("satfinite"),
        };
        let major = |attribute: &str, of_k: &str| {
            word(attribute).map(|layout| if layout == of_k { Major::K } else { Major::Mn })
        };
        let majors = [major("layoutA", "row")?, major("layoutB", "col")?];
        let negate = [word("scaleA")? == "neg", word("scaleB")? == "neg"];
        let adds = self.constant(op, vec![u64::from(word("scaleD")? == "one")])?;
        let model = spelled.model(op, Space::Shared)?;
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
