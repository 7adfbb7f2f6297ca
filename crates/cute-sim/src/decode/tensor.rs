//! Matrix instructions of a warp: which model of `tensor`, and which registers its operands lie in.

use super::{Decoder, Held, malformed, unmodelled};
use crate::error::Error;
use crate::ir;
use crate::memory::address::SHARED;
use crate::program::{Op, Piece, Slot};
use crate::tensor::{Matrices, MatrixMove, MatrixType, Mma};
use crate::types::Scalar;
use cute_arch::Element;
use cute_arch::atoms::{Instruction, Major, MmaOp, MmaQuery};
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

impl Decoder<'_> {
    pub(super) fn tensor(&mut self, name: &str, op: Ir<'_, '_>) -> Result<bool, Error> {
        match name {
            "nvvm.mma.sync" => self.mma(op)?,
            "nvvm.ldmatrix" => {
                let count = ir::int_attr(op, "num").and_then(|n| u32::try_from(n).ok());
                let count = count.ok_or_else(|| malformed(op, "no num"))?;
                let model = matrices(op, MatrixMove::Load, count)?;
                let address = self.shared_address(op)?;
                let registers = pieces(&[self.result(op)?]);
                self.fits(op, &registers, model.registers(), "the result")?;
                self.emit(op, Op::LoadMatrix { model, address, registers });
            }
            "nvvm.stmatrix" => {
                let count = op.operand_count() as u32 - 1;
                let model = matrices(op, MatrixMove::Store, count)?;
                let address = self.shared_address(op)?;
                let sources: Vec<Held> =
                    (1..=count as usize).map(|i| self.operand(op, i)).collect::<Result<_, _>>()?;
                let registers = pieces(&sources);
                self.fits(op, &registers, model.registers(), "the sources")?;
                self.emit(op, Op::StoreMatrix { model, address, registers });
            }
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
            let written = ir::keyword_attr(op, attribute, "mma_type");
            let element = match written.as_deref() {
                Some("b1") => Some(Element::U1),
                Some(name) => name.parse().ok(),
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
        let major = |attribute, of_k| match ir::keyword_attr(op, attribute, "mma_layout").as_deref() {
            Some(layout) if layout == of_k => Major::K,
            _ => Major::Mn,
        };
        let query = MmaQuery {
            majors: (major("layoutA", "row"), major("layoutB", "col")),
            op: match (
                ir::keyword_attr(op, "intOverflowBehavior", "mma_int_overflow").as_deref(),
                ir::keyword_attr(op, "b1Op", "mma_b1op").as_deref(),
            ) {
                (Some("satfinite"), _) => MmaOp::MulAddSaturate,
                (_, Some("and_popc")) => MmaOp::AndPopc,
                (_, _) if types[1] == Element::U1 => MmaOp::XorPopc,
                _ => MmaOp::MulAdd,
            },
            ..MmaQuery::new(
                Instruction::MmaSync,
                ir::shape_attr(op).ok_or_else(|| malformed(op, "no shape"))?,
                types,
            )
        };
        let model = Mma::by_ptx(&query).map_err(|e| unmodelled(op, e.to_string()))?;
        let model = model.ok_or_else(|| unmodelled(op, "this atom"))?;
        let [a, b, c, d] = [a, b, c, d].map(|values| pieces(&values));
        for ((pieces, registers), matrix) in
            [&a, &b, &c, &d].into_iter().zip(model.registers()).zip(["A", "B", "C", "D"])
        {
            self.fits(op, pieces, registers, matrix)?;
        }
        self.emit(op, Op::Mma { model, a, b, c, d });
        Ok(())
    }

    fn fits(&self, op: Ir<'_, '_>, pieces: &[Piece], registers: usize, what: &str) -> Result<(), Error> {
        let bits: u32 = pieces.iter().map(|p| p.bits).sum();
        if bits as usize == registers * 32 {
            return Ok(());
        }
        Err(malformed(op, format!("{bits} bits of {what}, the instruction has {}", registers * 32)))
    }

    fn shared_address(&self, op: Ir<'_, '_>) -> Result<Slot, Error> {
        match self.scalar_operand(op, 0)? {
            (slot, Scalar::Ptr(SHARED)) => Ok(slot),
            _ => Err(malformed(op, "the address is no pointer to shared memory")),
        }
    }
}

/// The model of an `ldmatrix` or `stmatrix`.
fn matrices(op: Ir<'_, '_>, direction: MatrixMove, count: u32) -> Result<&'static Matrices, Error> {
    let element = ir::keyword_attr(op, "eltType", "ld_st_matrix_elt_type");
    let ty = match element.as_deref() {
        Some("b16") => MatrixType::M8n8B16,
        Some("b8") => MatrixType::B8,
        Some("b8x16.b6x16_p32" | "b8x16_b6x16_p32") => MatrixType::B6x16P32,
        Some("b8x16.b4x16_p64" | "b8x16_b4x16_p64") => MatrixType::B4x16P64,
        other => return Err(unmodelled(op, format!("the element type {}", other.unwrap_or("?")))),
    };
    let trans = ir::keyword_attr(op, "layout", "mma_layout").as_deref() == Some("col");
    Matrices::new(direction, ty, count, trans).map_err(|e| unmodelled(op, e.to_string()))
}

/// The element that registers hold, where their type tells.
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
fn pieces(values: &[Held]) -> Box<[Piece]> {
    let of = |held: &Held| -> Vec<Piece> {
        let scalars = held.ty.scalars();
        scalars.into_iter().zip(held.slot..).map(|(s, slot)| Piece { slot, bits: s.bits() }).collect()
    };
    values.iter().flat_map(of).collect()
}
