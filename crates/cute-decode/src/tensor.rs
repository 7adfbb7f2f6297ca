//! Matrix instructions of a warp: which model of `tensor`, and which registers its operands lie in.

use super::{Decoder, malformed, site, unmodelled};
use crate::ir;
use cute_arch::Element;
use cute_arch::atoms::{Instruction, MmaOp, MmaQuery};
use cute_assembler::Held;
use cute_assembler::matrix::pieces;
use cute_machine::types::Scalar;
use cute_ptx::matrix;
use cute_sim::Error;
use cute_sim::tensor::Mma;
use melior::ir::operation::OperationRef;

type Ir<'c, 'a> = OperationRef<'c, 'a>;

impl Decoder<'_> {
    pub(super) fn tensor(&mut self, name: &str, op: Ir<'_, '_>) -> Result<bool, Error> {
        match name {
            "nvvm.mma.sync" => self.mma(op)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn mma(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let segments = ir::ints_attr(op, "operandSegmentSizes").unwrap_or_default();
        let [a, b, c] = segments[..] else { return Err(malformed(op, "no operandSegmentSizes")) };
        let mut first = 0;
        let mut operands = [a, b, c].map(|count| {
            let range = first..first + count as usize;
            first = range.end;
            range
        });
        let mut held = |i: usize| -> Result<Vec<Held>, Error> {
            std::mem::take(&mut operands[i]).map(|operand| self.operand(op, operand)).collect()
        };
        let (a, b, c) = (held(0)?, held(1)?, held(2)?);
        let d = vec![self.result(op)?];
        let multiplicand = |attribute: &str, held: &[Held]| {
            let written = ir::keyword_attr(op, attribute);
            let element = match written {
                Some(name) => matrix::element(name),
                None => accumulator(held),
            };
            element.ok_or_else(|| malformed(op, format!("no {attribute}")))
        };
        let types = [
            accumulator(&d).ok_or_else(|| malformed(op, "a result of no type that it may have"))?,
            multiplicand("multiplicandAPtxType", &a)?,
            multiplicand("multiplicandBPtxType", &b)?,
            accumulator(&c).ok_or_else(|| malformed(op, "an accumulator of no type that it may have"))?,
        ];
        let order = |attribute| {
            ir::keyword_attr(op, attribute).ok_or_else(|| malformed(op, format!("no {attribute}")))
        };
        let [of_a, of_b] = matrix::majors([order("layoutA")?, order("layoutB")?]);
        let query = MmaQuery {
            majors: (of_a, of_b),
            op: match (ir::keyword_attr(op, "intOverflowBehavior"), ir::keyword_attr(op, "b1Op")) {
                (Some("satfinite"), _) => MmaOp::MulAddSaturate,
                (_, Some("and_popc")) => MmaOp::AndPopc,
                (_, _) if types[1] == Element::U1 => MmaOp::XorPopc,
                _ => MmaOp::MulAdd,
            },
            ..MmaQuery::new(
                Instruction::MMA_SYNC,
                ir::shape_attr(op).ok_or_else(|| malformed(op, "no shape"))?,
                types,
            )
        };
        let model = Mma::by_ptx(&query).map_err(|e| unmodelled(op, e.to_string()))?;
        let model = model.ok_or_else(|| unmodelled(op, "this atom"))?;
        self.multiply(&site(op), model, [a, b, c, d].map(|values| pieces(&values)))
    }
}

/// The element type of registers, if their type determines it.
fn accumulator(held: &[Held]) -> Option<Element> {
    Some(match held.first()?.ty.scalars().first()? {
        Scalar::F16 => Element::F16,
        Scalar::F32 => Element::F32,
        Scalar::F64 => Element::F64,
        Scalar::Int(32) => Element::S32,
        _ => return None,
    })
}
