//! Small floats as words of 32 bits, and back. Elements of 6 bits have a byte each in registers;
//! four of them become 24 bits.

use cute_arch::Element;
use cute_build::types;
use melior::ir::Type;

use crate::{Builder, Built, Value};

use super::units::{UNIT, row};

/// The words of 16 f32 rounded to a small float, to the nearest even one or the largest.
pub(super) fn narrowed<'c>(code: &Builder<'c>, element: Element, x: Value<'c>) -> Built<Value<'c>> {
    let t = row(types::element(code.context(), element)?);
    let q = code.named("q").typed("arith.truncf", &[x], t, &[])?;
    let bits = i64::from(element.bits());
    let codes =
        code.named("codes").typed("arith.bitcast", &[q], row(code.integer_type(element.bits())), &[])?;
    if element.bits() != 6 {
        return code.named("words").typed("vector.bitcast", &[codes], words(code, bits), &[]);
    }
    let bytes = code.named("bytes").typed("arith.extui", &[codes], row(code.integer_type(8)), &[])?;
    let bytes = code.named("bytes").typed("vector.bitcast", &[bytes], words(code, 8), &[])?;
    let mut packed = Vec::new();
    for word in code.named("word").many("vector.to_elements", &[bytes], &[code.i32_type(); 4])? {
        let mut all = masked(code, word, 0x3f)?;
        for i in 1..4 {
            let code_of = code.named("shifted").shift_right_unsigned(word, code.i32(2 * i)?)?;
            all = code.named("packed").or(all, masked(code, code_of, 0x3f << (6 * i))?)?;
        }
        packed.push(all);
    }
    let mut made = Vec::new();
    for i in 0..3 {
        let (low, high) = (packed[i], packed[i + 1]);
        let i = i as i64;
        let low = code.named("low").shift_right_unsigned(low, code.i32(8 * i)?)?;
        let high = code.named("high").shift_left(high, code.i32(24 - 8 * i)?)?;
        made.push(code.named("word").or(low, high)?);
    }
    code.named("words").typed("vector.from_elements", &made, words(code, bits), &[])
}

/// 16 f32 from the words of small floats.
pub(super) fn widened<'c>(code: &Builder<'c>, element: Element, packed: Value<'c>) -> Built<Value<'c>> {
    let codes = row(code.integer_type(element.bits()));
    let codes = match element.bits() {
        6 => code.named("codes").typed("arith.trunci", &[bytes(code, packed)?], codes, &[])?,
        _ => code.named("codes").typed("vector.bitcast", &[packed], codes, &[])?,
    };
    let t = row(types::element(code.context(), element)?);
    let q = code.named("q").typed("arith.bitcast", &[codes], t, &[])?;
    code.named("x").typed("arith.extf", &[q], row(Type::float32(code.context())), &[])
}

/// 16 codes of 6 bits as bytes.
fn bytes<'c>(code: &Builder<'c>, packed: Value<'c>) -> Built<Value<'c>> {
    let all = code.named("word").many("vector.to_elements", &[packed], &[code.i32_type(); 3])?;
    let mut made = Vec::new();
    for i in 0..4usize {
        // The 24 bits from 24 i on.
        let at = i as i64;
        let mut four = match i {
            0 => all[0],
            3 => code.named("low").shift_right_unsigned(all[2], code.i32(8)?)?,
            _ => {
                let low = code.named("low").shift_right_unsigned(all[i - 1], code.i32(32 - 8 * at)?)?;
                let high = code.named("high").shift_left(all[i], code.i32(8 * at)?)?;
                code.named("four").or(low, high)?
            }
        };
        let codes = four;
        four = masked(code, codes, 0x3f)?;
        for j in 1..4 {
            let code_of = code.named("shifted").shift_left(codes, code.i32(2 * j)?)?;
            four = code.named("bytes").or(four, masked(code, code_of, 0x3f << (8 * j))?)?;
        }
        made.push(four);
    }
    let words = code.named("bytes").typed("vector.from_elements", &made, words(code, 8), &[])?;
    code.named("bytes").typed("vector.bitcast", &[words], row(code.integer_type(8)), &[])
}

fn masked<'c>(code: &Builder<'c>, x: Value<'c>, mask: i64) -> Built<Value<'c>> {
    code.named("masked").and(x, code.named("mask").constant(32, mask)?)
}

/// The words that 16 elements of `bits` take.
fn words<'c>(code: &Builder<'c>, bits: i64) -> Type<'c> {
    Type::vector(&[(UNIT * bits / 32) as u64], code.i32_type())
}
