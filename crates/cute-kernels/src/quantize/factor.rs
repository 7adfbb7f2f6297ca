//! Scale factors: of a group of elements, and as numbers.
//!
//! A power of two is `2^(floor(log2 a) - e)`, where `a` is the greatest magnitude of its elements
//! and `e` the exponent of the format's largest number (OCP Microscaling Formats 1.0, 6.3). An e4m3
//! is `scale * (a / 6)`, rounded to nearest even.
//!
//! Elements of which one is infinite or a NaN have the factor NaN. Elements outside the matrix are
//! zeros: where a group consists of zeros, the factor has the code 0. Its products with zeros are
//! zeros, as the TMA fills tiles, and memory that is cleared beforehand has the same factors.

use cute_arch::Element;
use cute_build::{IntPredicate, types};
use melior::ir::Type;

use crate::{Builder, Built, Value};

use super::Format;

/// Bits of the fraction of an f32, and its largest exponent field.
const FRACTION: i64 = 23;
const INFINITE: i64 = 255;

/// The code of a NaN without a sign.
fn nan(format: Format) -> i64 {
    if format.factor() == Element::Ue4m3 { 0x7f } else { 0xff }
}

/// The scale factor of a group of elements.
pub(super) struct Factor<'c> {
    /// A byte.
    pub code: Value<'c>,
    /// The f32 by which elements are multiplied before they are rounded; 0 where the factor is not
    /// a number.
    pub multiplier: Value<'c>,
}

/// The factor of elements whose greatest magnitude is the f32 of these bits.
pub(super) fn of_magnitude<'c>(
    code: &Builder<'c>,
    format: Format,
    most: Value<'c>,
    scale: Option<Value<'c>>,
) -> Built<Factor<'c>> {
    let (float, byte) = (Type::float32(code.context()), code.integer_type(8));
    let exponent = code.named("exponent").shift_right_unsigned(most, code.i32(FRACTION)?)?;
    let finite = code.named("finite").compare(IntPredicate::Ne, exponent, code.i32(INFINITE)?)?;
    let Some(scale) = scale else {
        let power = code.named("power").sub(exponent, code.i32(format.exponent())?)?;
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
    let sixth = code.named("sixth").div(most, code.named("six").number(float, 6)?)?;
    let wanted = code.named("wanted").mul(sixth, scale)?;
    let rounded = types::element(code.context(), format.factor())?;
    let rounded = code.named("rounded").typed("arith.truncf", &[wanted], rounded, &[])?;
    let made = code.named("code").typed("arith.bitcast", &[rounded], byte, &[])?;
    let made = code.named("code").select(finite, made, code.constant(8, nan(format))?)?;
    let factor = code.named("factor").typed("arith.extf", &[rounded], float, &[])?;
    let quotient = code.named("quotient").div(scale, factor)?;
    let zero = code.named("zero").number(float, 0)?;
    let is_some = code.named("is_some").compare(IntPredicate::Ne, factor, zero)?;
    let used = code.named("used").and(finite, is_some)?;
    let multiplier = code.named("multiplier").select(used, quotient, zero)?;
    Ok(Factor { code: made, multiplier })
}

/// The f32 that a byte stands for, divided by the factor of the whole matrix.
pub(super) fn as_number<'c>(
    code: &Builder<'c>,
    format: Format,
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
