//! Conversions between floats: `nvvm.convert.*`, and `cvt` and the intrinsics by name.

use super::{Decoder, malformed, unmodelled};
use crate::ir;
use cute_arch::Element;
use cute_assembler::conversion::conversion_of;
use cute_assembler::matrix::pieces;
use cute_ffi::floats::{FloatType, float_type};
use cute_machine::convert::{Conversion, packed_bits};
use cute_machine::format::{Overflow, Rounding};
use cute_sim::program::{Piece, ScalarOp};
use cute_sim::{Error, Malformed, Unmodelled};
use melior::ir::Type;
use melior::ir::operation::{OperationLike, OperationRef};

type Ir<'c, 'a> = OperationRef<'c, 'a>;

impl Decoder<'_> {
    /// `nvvm.convert.f32x2.to.f8x2` and its like: the small float is in an attribute.
    pub(super) fn conversion_op(&mut self, name: &str, op: Ir<'_, '_>) -> Result<bool, Error> {
        let Some((from, to)) = name.strip_prefix("nvvm.convert.").and_then(|n| n.split_once(".to.")) else {
            return Ok(false);
        };
        let small = |attribute: &str| {
            let ty = ir::type_attr(op, attribute)
                .ok_or_else(|| malformed(op, Malformed::Attribute, format!("no {attribute}")))?;
            small_float(ty).ok_or_else(|| unmodelled(op, Unmodelled::Type, format!("type {ty}")))
        };
        let element = |word: &str, attribute: &str| match word.trim_end_matches("x2") {
            "float" | "f32" => Ok(Element::F32),
            "f16" => Ok(Element::F16),
            "bf16" => Ok(Element::Bf16),
            "tf32" => Ok(Element::Tf32),
            "f8" | "f6" | "f4" => small(attribute),
            _ => Err(unmodelled(op, Unmodelled::Modifier, "stochastic rounding")),
        };
        let (from, to) = (element(from, "srcType")?, element(to, "dstTy")?);
        let rounding = match ir::keyword_attr(op, "rnd") {
            None | Some("none" | "rn") => Rounding::NearestEven,
            Some("rna") => Rounding::NearestAway,
            Some("rz") => Rounding::TowardZero,
            Some("rp") => Rounding::Up,
            Some("rm") => Rounding::Down,
            Some("rs") => return Err(unmodelled(op, Unmodelled::Modifier, "stochastic rounding")),
            Some(other) => return Err(unmodelled(op, Unmodelled::Modifier, format!("the rounding {other}"))),
        };
        let saturates = ir::keyword_attr(op, "sat") == Some("satfinite");
        // PTX has no conversion to e4m3 and e5m2 that does not saturate.
        let saturates = saturates || matches!(to, Element::E4m3 | Element::E5m2);
        let overflow = if saturates { Overflow::Saturate } else { Overflow::Ieee };
        let relu = ir::int_attr(op, "relu").unwrap_or(0) != 0;
        let count = if name.contains("x2") { 2 } else { 1 };
        self.convert(op, Conversion { from, to, rounding, overflow, relu }, count)?;
        Ok(true)
    }

    /// `ff.to.e4m3x2.rn`, `f2tf32.rna` and similar names, and PTX's own
    /// `cvt.rn.satfinite.e4m3x2.f32`.
    pub(super) fn named_conversion(&mut self, op: Ir<'_, '_>, words: &[&str]) -> Result<bool, Error> {
        let Some((conversion, count)) = conversion_of(words) else { return Ok(false) };
        self.convert(op, conversion, count)?;
        Ok(true)
    }

    /// Converts `count` numbers. If there are two operands, the first is the upper one; a packed
    /// operand and a packed result begin with the lower one.
    fn convert(&mut self, op: Ir<'_, '_>, conversion: Conversion, count: u32) -> Result<(), Error> {
        let mut src = Vec::new();
        for i in (0..op.operand_count()).rev() {
            src.extend(pieces(&[self.operand(op, i)?]));
        }
        let dst = pieces(&[self.result(op)?]);
        let (from, to) = (packed_bits(conversion.from), packed_bits(conversion.to));
        let bits = |pieces: &[Piece]| pieces.iter().map(|p| p.bits).sum::<u32>();
        let whole = src.iter().all(|p| p.bits.is_multiple_of(from));
        if !whole || bits(&src) < count * from || bits(&dst) < count * to {
            return Err(malformed(
                op,
                Malformed::OperandType,
                "operands and result do not fit the conversion",
            ));
        }
        self.emit(op, ScalarOp::Convert { conversion, count, random: None, src: src.into(), dst });
        Ok(())
    }
}

/// The float of at most 8 bits that a type is.
fn small_float(ty: Type<'_>) -> Option<Element> {
    Some(match float_type(ty)? {
        FloatType::F8E4M3FN => Element::E4m3,
        FloatType::F8E5M2 => Element::E5m2,
        FloatType::F8E8M0FNU => Element::Ue8m0,
        FloatType::F6E2M3FN => Element::E2m3,
        FloatType::F6E3M2FN => Element::E3m2,
        FloatType::F4E2M1FN => Element::E2m1,
        _ => return None,
    })
}
