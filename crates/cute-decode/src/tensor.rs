//! Matrix instructions of a warp: which model of `tensor`, and which registers its operands lie in.

use super::{Decoder, Held, malformed, unmodelled};
use crate::ir;
use cute_arch::Element;
use cute_arch::atoms::{Instruction, MmaOp, MmaQuery};
use cute_machine::types::Scalar;
use cute_ptx::matrix;
use cute_sim::Error;
use cute_sim::program::{Op, Piece};
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
        self.multiply(op, model, [a, b, c, d].map(|values| pieces(&values)))
    }

    /// The multiplication of A, B and C to D in these registers.
    pub(super) fn multiply(
        &mut self,
        op: Ir<'_, '_>,
        model: &'static Mma,
        matrices: [Box<[Piece]>; 4],
    ) -> Result<(), Error> {
        for ((pieces, registers), matrix) in matrices.iter().zip(model.registers()).zip(["A", "B", "C", "D"])
        {
            self.fits(op, pieces, registers, matrix)?;
        }
        let [a, b, c, d] = matrices;
        self.emit(op, Op::Mma { model, a, b, c, d });
        Ok(())
    }

    pub(super) fn fits(
        &self,
        op: Ir<'_, '_>,
        pieces: &[Piece],
        registers: usize,
        what: &str,
    ) -> Result<(), Error> {
        let bits: u32 = pieces.iter().map(|p| p.bits).sum();
        if bits as usize == registers * 32 {
            return Ok(());
        }
        Err(malformed(op, format!("{what} has {bits} bits, but the instruction takes {}", registers * 32)))
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

/// The scalars of values, one after the other.
pub(super) fn pieces(values: &[Held]) -> Box<[Piece]> {
    let of = |held: &Held| -> Vec<Piece> {
        let scalars = held.ty.scalars();
        scalars.into_iter().zip(held.slot..).map(|(s, slot)| Piece { slot, bits: s.bits() }).collect()
    };
    values.iter().flat_map(of).collect()
}
