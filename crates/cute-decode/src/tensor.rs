//! Matrix instructions of a warp: which model of `tensor`, and which registers its operands lie in.

use super::{Decoder, malformed, site, unmodelled};
use crate::ir;
use cute_arch::Element;
use cute_arch::atoms::{Instruction, MmaOp, MmaQuery, ScaleQuery};
use cute_assembler::Held;
use cute_assembler::matrix::pieces;
use cute_machine::types::Scalar;
use cute_ptx::mma;
use cute_sim::matrix::Mma;
use cute_sim::{Error, Malformed, Unmodelled};
use melior::ir::operation::OperationRef;

type Ir<'c, 'a> = OperationRef<'c, 'a>;

impl Decoder<'_> {
    pub(super) fn tensor(&mut self, name: &str, op: Ir<'_, '_>) -> Result<bool, Error> {
        match name {
            "nvvm.mma.sync" => self.mma(op)?,
            "nvvm.mma.block_scale" => self.scaled_warp_mma(op)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn mma(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let [a, b, c] = self.segments(op)?;
        let d = vec![self.result(op)?];
        let multiplicand = |attribute: &str, held: &[Held]| {
            let written = ir::keyword_attr(op, attribute);
            let element = match written {
                Some(name) => mma::element(name),
                None => accumulator(held),
            };
            element.ok_or_else(|| malformed(op, Malformed::Attribute, format!("no {attribute}")))
        };
        let types = [
            accumulator(&d).ok_or_else(|| {
                malformed(op, Malformed::OperandType, "a result of no type that it may have")
            })?,
            multiplicand("multiplicandAPtxType", &a)?,
            multiplicand("multiplicandBPtxType", &b)?,
            accumulator(&c).ok_or_else(|| {
                malformed(op, Malformed::OperandType, "an accumulator of no type that it may have")
            })?,
        ];
        let order = |attribute| {
            ir::keyword_attr(op, attribute)
                .ok_or_else(|| malformed(op, Malformed::Attribute, format!("no {attribute}")))
        };
        let [of_a, of_b] = mma::majors([order("layoutA")?, order("layoutB")?]);
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
                ir::shape_attr(op).ok_or_else(|| malformed(op, Malformed::Attribute, "no shape"))?,
                types,
            )
        };
        self.multiply(&site(op), model(op, &query)?, [a, b, c, d].map(|values| pieces(&values)))
    }

    /// `mma.sync` with scale factors.
    fn scaled_warp_mma(&mut self, op: Ir<'_, '_>) -> Result<(), Error> {
        let [a, b, c, word_a, byte_a, thread_a, word_b, byte_b, thread_b] = self.segments(op)?;
        let word = |name: &str| {
            ir::keyword_attr(op, name)
                .ok_or_else(|| malformed(op, Malformed::Attribute, format!("no {name}")))
        };
        let read = |name: &str| {
            let word = word(name)?;
            mma::element(word)
                .ok_or_else(|| unmodelled(op, Unmodelled::Modifier, format!("the {name} {word}")))
        };
        let (kind, count) = (word("kind")?, word("scaleVecSize")?);
        let scales = ScaleQuery {
            kind: mma::scaled_kind(kind)
                .ok_or_else(|| unmodelled(op, Unmodelled::Modifier, format!("the kind {kind}")))?,
            element: read("blockScaleFormat")?,
            count: mma::factors(count),
        };
        let types =
            [Element::F32, read("multiplicandAPtxType")?, read("multiplicandBPtxType")?, Element::F32];
        let shape = ir::shape_attr(op).ok_or_else(|| malformed(op, Malformed::Attribute, "no shape"))?;
        let query =
            MmaQuery { scales: Some(scales), ..MmaQuery::new(Instruction::MMA_SYNC.scaled(), shape, types) };
        let d = vec![self.result(op)?];
        let only = |held: Vec<Held>| match pieces(&held)[..] {
            [piece] => Ok(piece),
            _ => Err(malformed(
                op,
                Malformed::OperandType,
                "scale factors and selectors are not one register each",
            )),
        };
        let words = [only(word_a)?, only(word_b)?];
        let [byte_a, thread_a] = [only(byte_a)?.slot, only(thread_a)?.slot];
        let [byte_b, thread_b] = [only(byte_b)?.slot, only(thread_b)?.slot];
        let scales = (words, [[byte_a, thread_a], [byte_b, thread_b]]);
        let matrices = [a, b, c, d].map(|values| pieces(&values));
        self.multiply_scaled(&site(op), model(op, &query)?, matrices, scales)
    }

    /// The operands of an operation, each of which may consist of several.
    fn segments<const N: usize>(&mut self, op: Ir<'_, '_>) -> Result<[Vec<Held>; N], Error> {
        let sizes = ir::ints_attr(op, "operandSegmentSizes").unwrap_or_default();
        let sizes: [i64; N] =
            sizes.try_into().map_err(|_| malformed(op, Malformed::Attribute, "no operandSegmentSizes"))?;
        let mut next = 0;
        let mut held = sizes.map(|_| Vec::new());
        for (size, held) in sizes.into_iter().zip(&mut held) {
            for _ in 0..size {
                held.push(self.operand(op, next)?);
                next += 1;
            }
        }
        Ok(held)
    }
}

/// The model of the atom with these fields.
pub(crate) fn model(op: Ir<'_, '_>, query: &MmaQuery) -> Result<&'static Mma, Error> {
    let model = Mma::by_ptx(query).map_err(|e| unmodelled(op, Unmodelled::Atom, e.to_string()))?;
    model.ok_or_else(|| unmodelled(op, Unmodelled::Atom, "this atom"))
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
