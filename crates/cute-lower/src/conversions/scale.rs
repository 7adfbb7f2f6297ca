//! Conversions of scale factors, `f8E8M0FNU`: powers of two from 2^-127 to 2^127, without sign,
//! zero or infinity, whose code 255 is NaN.
//!
//! PTX rounds to them upwards or toward zero. Like `cvt`, a conversion takes the magnitude of a
//! negative number, and makes 2^127 of what is larger. Targets without `cvt` get the same from
//! integers: the code of a float is its exponent.

use cute_arch::{Element, Feature};
use cute_build::IntPredicate;
use cute_dialect::atom::element;
use cute_ffi::{
    ir,
    lowered::{element_of, vector_of},
};
use melior::ir::{Type, Value};

use super::Convert;
use crate::Built;

/// The rounding of `arith.truncf`, as its attribute numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounding {
    /// Without an attribute.
    Default,
    NearestEven,
    Downward,
    Upward,
    TowardZero,
    NearestAway,
}

impl Rounding {
    pub(super) fn of(number: Option<i64>) -> Self {
        match number {
            None => Self::Default,
            Some(0) => Self::NearestEven,
            Some(1) => Self::Downward,
            Some(2) => Self::Upward,
            Some(3) => Self::TowardZero,
            Some(_) => Self::NearestAway,
        }
    }
}

/// Whether a type is one of scale factors.
pub(super) fn is_scale(t: Type<'_>) -> bool {
    element(element_of(t)) == Some(Element::Ue8m0)
}

impl<'c> Convert<'c> {
    /// bf16 from scale factors, each of which is one. The least is subnormal.
    pub(super) fn widened_scales(&self, x: Value<'c, 'c>, length: i64) -> Built<Value<'c, 'c>> {
        let half = Type::bfloat16(self.b.context());
        let code = self.bitcast(x, vector_of(&[length], self.integer(8)))?;
        if self.target.has(Feature::ConvertFp6Fp4) {
            let pairs = (length + 1) / 2;
            let code = self.padded(code, 2 * pairs)?;
            let word = self.integer(16);
            let code = self.b.typed("vector.bitcast", &[code], vector_of(&[pairs], word), &[])?;
            let mut made = Vec::new();
            for i in 0..pairs {
                let pair = self.element(code, i, word)?;
                let name = "llvm.nvvm.ue8m0x2.to.bf16x2";
                let both = self.b.intrinsic(name, &[pair], vector_of(&[2], half), &[])?;
                made.extend(self.b.many("vector.to_elements", &[both], &[half; 2])?);
            }
            made.truncate(length as usize);
            return self.b.typed("vector.from_elements", &made, vector_of(&[length], half), &[]);
        }
        let words = vector_of(&[length], self.integer(16));
        let number = |n| self.b.number(words, n);
        let code = self.b.typed("arith.extui", &[code], words, &[])?;
        // An exponent field of 8 bits before a fraction of 7.
        let bits = self.b.shift_left(code, number(7)?)?;
        let is_least = self.b.compare(IntPredicate::Eq, code, number(0)?)?;
        let bits = self.b.select(is_least, number(0x40)?, bits)?;
        let is_nan = self.b.compare(IntPredicate::Eq, code, number(255)?)?;
        let bits = self.b.select(is_nan, number(0x7fff)?, bits)?;
        self.bitcast(bits, vector_of(&[length], half))
    }

    /// Scale factors from f32, as bytes.
    pub(super) fn narrowed_scales(
        &self,
        x: Value<'c, 'c>,
        rounding: Rounding,
        length: i64,
    ) -> Built<Value<'c, 'c>> {
        let up = match rounding {
            Rounding::Upward => true,
            // Upstream's expansion of the op cuts the fraction, too.
            Rounding::Default | Rounding::TowardZero | Rounding::Downward => false,
            Rounding::NearestEven | Rounding::NearestAway => {
                return self.b.refuse(
                    "PTX rounds to f8E8M0FNU upwards or toward zero; write `upward` or `toward_zero`",
                );
            }
        };
        if self.target.has(Feature::ConvertFp6Fp4) {
            let direction = if up { "rp" } else { "rz" };
            let name = format!("llvm.nvvm.ff.to.ue8m0x2.{direction}.satfinite");
            return self.pairs_from(x, length, |pair| {
                self.b.intrinsic(&name, &[pair[1], pair[0]], self.integer(16), &[])
            });
        }
        let words = vector_of(&[length], self.integer(32));
        let number = |n| self.b.number(words, n);
        let bits = self.b.typed("arith.bitcast", &[x], words, &[])?;
        let bits = self.b.and(bits, number(0x7fff_ffff)?)?;
        // The exponent is cut from the bits; before that, the largest fraction rounds upwards.
        // Below the normal numbers, one step of the exponent is half of the fraction.
        let fraction = number(0x7f_ffff)?;
        let rounded = if up { self.b.add(bits, fraction)? } else { bits };
        let code = self.b.shift_right_unsigned(rounded, number(23)?)?;
        let code = if up {
            let is_small = self.b.compare(IntPredicate::Ule, bits, number(0x40_0000)?)?;
            self.b.select(is_small, number(0)?, code)?
        } else {
            code
        };
        let code = self.b.min_unsigned(code, number(254)?)?;
        let is_nan = self.b.compare(IntPredicate::Ugt, bits, number(0x7f80_0000)?)?;
        let code = self.b.select(is_nan, number(255)?, code)?;
        self.b.typed("arith.trunci", &[code], vector_of(&[length], self.integer(8)), &[])
    }

    /// Bytes from pairs of elements: `pair` makes a word of two.
    fn pairs_from(
        &self,
        x: Value<'c, 'c>,
        length: i64,
        pair: impl Fn(&[Value<'c, 'c>]) -> Built<Value<'c, 'c>>,
    ) -> Built<Value<'c, 'c>> {
        let pairs = (length + 1) / 2;
        let x = self.padded(x, 2 * pairs)?;
        let wide = element_of(ir::type_of(x));
        let all = self.b.many("vector.to_elements", &[x], &vec![wide; 2 * pairs as usize])?;
        let words = all.chunks_exact(2).map(pair).collect::<Built<Vec<_>>>()?;
        let packed = vector_of(&[pairs], self.integer(16));
        let packed = self.b.typed("vector.from_elements", &words, packed, &[])?;
        let bytes = vector_of(&[2 * pairs], self.integer(8));
        self.cut(self.b.typed("vector.bitcast", &[packed], bytes, &[])?, length)
    }
}
