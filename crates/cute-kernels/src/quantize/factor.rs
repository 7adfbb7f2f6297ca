//! Scale factors: of a group of elements, and as numbers.
//!
//! A power of two is `2^(floor(log2 a) - e)`, where `a` is the greatest magnitude of its elements
//! and `e` the exponent of the format's largest number (OCP Microscaling Formats 1.0, 6.3). With
//! [`Rule::Cutlass`] it is the least one with which `a` is not larger than the largest number. An
//! e4m3 is `a * (scale / 6)`, rounded to nearest even.
//!
//! Elements of which one is infinite or a NaN have the factor NaN. Elements outside the matrix are
//! zeros: where a group consists of zeros, the factor has the code 0. Its products with zeros are
//! zeros, as the TMA fills tiles, and memory that is cleared beforehand has the same factors.

use cute_arch::Element;
use cute_build::{IntPredicate, types};
use melior::ir::Type;

use crate::{Builder, Built, Value};

use super::QuantizedFormat;

/// Bits of the fraction of an f32, and its largest exponent field.
const FRACTION: i64 = 23;
const INFINITE: i64 = 255;

/// `rcp.approx.ftz.f32`; no e4m3 is subnormal as f32.
const RECIPROCAL: &str = "llvm.nvvm.rcp.approx.ftz.f";

/// The code of a NaN without a sign.
fn nan(format: QuantizedFormat) -> i64 {
    if format.factor() == Element::Ue4m3 { 0x7f } else { 0xff }
}

/// How factors are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// Powers of two are rounded down; elements that are too large then become the largest number.
    Ocp,
    /// Powers of two are rounded up. Elements are multiplied by an approximate reciprocal of the
    /// factor. Both are those of CUTLASS's epilogues.
    Cutlass,
}

/// The greatest magnitude of a vector of f32, as bits; that of a NaN if there is one.
pub(crate) fn magnitude<'c>(code: &Builder<'c>, x: Value<'c>) -> Built<Value<'c>> {
    let kind = [("kind", code.attribute("#vector.kind<maximumf>")?)];
    let sizes = code.named("magnitudes").inferred("math.absf", &[x], &[])?;
    let most =
        code.named("most").typed("vector.reduction", &[sizes], Type::float32(code.context()), &kind)?;
    code.named("most").typed("arith.bitcast", &[most], code.i32_type(), &[])
}

/// The scale factor of a group of elements.
pub(crate) struct Factor<'c> {
    /// A byte.
    pub code: Value<'c>,
    /// The f32 by which elements are multiplied before they are rounded; 0 where the factor is not
    /// a number.
    pub multiplier: Value<'c>,
}

/// The factor of elements whose greatest magnitude is the f32 of these bits.
pub(crate) fn of_magnitude<'c>(
    code: &Builder<'c>,
    (format, rule): (QuantizedFormat, Rule),
    most: Value<'c>,
    scale: Option<Value<'c>>,
) -> Built<Factor<'c>> {
    let (float, byte) = (Type::float32(code.context()), code.integer_type(8));
    let exponent = code.named("exponent").shift_right_unsigned(most, code.i32(FRACTION)?)?;
    let finite = code.named("finite").compare(IntPredicate::Ne, exponent, code.i32(INFINITE)?)?;
    let Some(scale) = scale else {
        let up = match rule {
            Rule::Ocp => exponent,
            // A larger fraction than that of the largest number carries into the exponent.
            Rule::Cutlass => {
                let rest = (1 << FRACTION) - 1 - format.fraction(FRACTION);
                let up = code.named("up").add(most, code.i32(rest)?)?;
                code.named("up").shift_right_unsigned(up, code.i32(FRACTION)?)?
            }
        };
        let power = code.named("power").sub(up, code.i32(format.exponent())?)?;
        let power = code.named("power").max(power, code.i32(0)?)?;
        let power = code.named("power").select(finite, power, code.i32(nan(format))?)?;
        let made = code.named("code").typed("arith.trunci", &[power], byte, &[])?;
        // The reciprocal, which is never subnormal: the largest power is 254 - 2.
        let inverse = code.named("inverse").sub(code.i32(2 * 127)?, power)?;
        let inverse = code.named("inverse").shift_left(inverse, code.i32(FRACTION)?)?;
        let inverse = code.named("inverse").select(finite, inverse, code.i32(0)?)?;
        let multiplier = code.named("multiplier").typed("arith.bitcast", &[inverse], float, &[])?;
        return Ok(Factor { code: made, multiplier });
    };
    let most = code.named("most").typed("arith.bitcast", &[most], float, &[])?;
    let sixth = code.named("sixth").div(scale, code.named("six").number(float, 6)?)?;
    let wanted = code.named("wanted").mul(most, sixth)?;
    let rounded = types::element(code.context(), format.factor())?;
    let rounded = code.named("rounded").typed("arith.truncf", &[wanted], rounded, &[])?;
    let made = code.named("code").typed("arith.bitcast", &[rounded], byte, &[])?;
    let made = code.named("code").select(finite, made, code.constant(8, nan(format))?)?;
    let factor = code.named("factor").typed("arith.extf", &[rounded], float, &[])?;
    let quotient = match rule {
        Rule::Ocp => code.named("quotient").div(scale, factor)?,
        Rule::Cutlass => {
            let inverse = code.named("inverse").intrinsic(RECIPROCAL, &[factor], float, &[])?;
            code.named("quotient").mul(scale, inverse)?
        }
    };
    let zero = code.named("zero").number(float, 0)?;
    let is_some = code.named("is_some").compare(IntPredicate::Ne, factor, zero)?;
    let used = code.named("used").and(finite, is_some)?;
    let multiplier = code.named("multiplier").select(used, quotient, zero)?;
    Ok(Factor { code: made, multiplier })
}

/// The f32 that a byte stands for, divided by the factor of the whole matrix.
pub(super) fn as_number<'c>(
    code: &Builder<'c>,
    format: QuantizedFormat,
    byte: Value<'c>,
    scale: Option<Value<'c>>,
) -> Built<Value<'c>> {
    let float = Type::float32(code.context());
    let Some(scale) = scale else {
        let power = code.named("power").typed("arith.extui", &[byte], code.i32_type(), &[])?;
        let bits = code.named("bits").shift_left(power, code.i32(FRACTION)?)?;
        // 2^-127 is subnormal.
        let least = code.named("least").constant(32, 1 << (FRACTION - 1))?;
        let bits = code.named("bits").select(code.named("is_least").is(power, 0)?, least, bits)?;
        let nan_bits = code.named("nan").constant(32, 0x7fc0_0000)?;
        let is_nan = code.named("is_nan").is(power, nan(format))?;
        let bits = code.named("bits").select(is_nan, nan_bits, bits)?;
        return code.named("factor").typed("arith.bitcast", &[bits], float, &[]);
    };
    let factor = types::element(code.context(), format.factor())?;
    let factor = code.named("factor").typed("arith.bitcast", &[byte], factor, &[])?;
    let factor = code.named("factor").typed("arith.extf", &[factor], float, &[])?;
    code.named("factor").div(factor, scale)
}
