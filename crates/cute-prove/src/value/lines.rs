//! Bits and quotients of lines, where they are numbers or lines again.
//!
//! A line is `c + q Q + t T`. Its lowest bits are those of `c` up to the lowest bit of `q` and `t`.
//! With `q = 2^s K + e` and `t = 2^s L + f`, the quotient by `2^s`, rounded down, is
//! `floor(c / 2^s) + K Q + L T` as long as `c mod 2^s + e Q + f T` is a number from 0 to
//! `2^s - 1`: then a product by `2^s / 3`, rounded up, is a division by 3.

use crate::value::{Bounds, Line, Val, line};
use cute_machine::int::{self, IntTernary, mask};

/// The size up to which a quotient is a line, at least.
const LEAST: i128 = 1 << 20;

/// `floor((c + q Q + t T) / 2^by)`, of numbers that no register has cut.
pub fn quotient([c, q, t]: [i128; 3], by: u32, width: u32, bounds: &mut Bounds) -> Val {
    let (unit, half) = (1i128 << by, (1i128 << by) / 2);
    let split = |slope: i128| {
        let whole = (slope + half).div_euclid(unit);
        (whole, slope - whole * unit)
    };
    let ((kq, eq), (kt, et)) = (split(q), split(t));
    // As `0 <= t <= q`, each error is at most `q` times its slope.
    let rises = eq.max(0) + et.max(0);
    let falls = -(eq.min(0) + et.min(0));
    let of = |n: i128| i64::try_from(n).ok();
    let (base, rest) = (c.div_euclid(unit), c.rem_euclid(unit));
    // A rest that is beyond the unit at first may be within it once enough periods are left.
    for (base, rest) in [(base, rest), (base + 1, rest - unit), (base - 1, rest + unit)] {
        let mut own = *bounds;
        let (Some(c), Some(q), Some(t), Some(last)) = (of(rest), of(eq), of(et), of(unit - 1)) else {
            return Val::Unknown;
        };
        let error = Line { c, q, t, width: 64 };
        let down = if rest < 0 { 0 } else { rest };
        let up = if rest >= unit { 0 } else { unit - 1 - rest };
        let most =
            up.checked_div(rises).unwrap_or(i128::MAX).min(down.checked_div(falls).unwrap_or(i128::MAX));
        if most >= LEAST
            && (rest >= 0 || own.at_least(&error, 0))
            && (rest < unit || own.at_most(&error, last))
        {
            own.most = own.most.min(of(most).unwrap_or(i64::MAX));
            *bounds = own;
            return line(of(base), of(kq), of(kt), width);
        }
    }
    Val::Unknown
}

/// `(x & keep) ^ flip`: where the changing bits are dropped, kept or flipped all together.
pub fn bitwise(width: u32, own: Line, keep: u64, flip: u64) -> Val {
    let low = lowest(&own).min(width);
    let field = mask(low);
    let high = mask(width) & !field;
    let base = own.c as u64 & field;
    let changed = (base & keep ^ flip) & field;
    match (keep & high, flip & high) {
        (0, flip) => Val::Known(changed | flip),
        (kept, 0) if kept == high => {
            line(own.c.checked_add(changed as i64 - base as i64), Some(own.q), Some(own.t), width)
        }
        // The complement of a multiple `x` of `2^low` is `-x - 2^low` in these bits.
        (kept, flip) if kept == high && flip == high && low < 62 => line(
            (base as i64)
                .checked_sub(own.c)
                .and_then(|c| c.checked_sub(1 << low)?.checked_add(changed as i64)),
            own.q.checked_neg(),
            own.t.checked_neg(),
            width,
        ),
        _ => Val::Unknown,
    }
}

/// The bits of a table of three operands, one of which is a line.
pub fn logic(table: u8, width: u32, of: [Val; 3], own: Line) -> Val {
    let with = |bits: u64| {
        let [a, b, c] = of.map(|value| match value {
            Val::Known(known) => known,
            _ => bits,
        });
        int::ternary(IntTernary::Logic(table), width, a, b, c)
    };
    let (zeros, ones) = (with(0), with(mask(width)));
    bitwise(width, own, zeros ^ ones, zeros)
}

/// A field of bits that the size does not change.
pub fn field(is_signed: bool, width: u32, own: Line, from: u64, length: u64) -> Option<Val> {
    let (first, count) = (from & 0xff, length & 0xff);
    (first + count <= u64::from(lowest(&own).min(width))).then(|| {
        let bits = own.c as u64 & mask(width);
        Val::Known(int::ternary(IntTernary::ExtractBits(is_signed), width, bits, from, length))
    })
}

impl Line {
    /// Whether the line has no bits above those of a mask, up to a size that is noted.
    pub fn fits(&self, bits: u64, bounds: &mut Bounds) -> bool {
        let rises = i128::from(self.q.max(0)) + i128::from(self.t.max(0));
        let room = (1i128 << (64 - bits.leading_zeros())) - 1 - i128::from(self.c);
        let most = room.checked_div(rises).unwrap_or(i128::MAX);
        let fits = most >= LEAST && bounds.at_least(self, 0);
        if fits {
            bounds.most = bounds.most.min(i64::try_from(most).unwrap_or(i64::MAX));
        }
        fits
    }
}

/// The lowest bit that changes.
fn lowest(own: &Line) -> u32 {
    own.q.trailing_zeros().min(own.t.trailing_zeros()).min(62)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{binary, ternary};
    use cute_machine::int::{IntOp, signed};

    /// A number below `of`, from a state that changes.
    fn below(state: &mut u64, of: u64) -> u64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 33) % of
    }

    /// The bits of a value at a place.
    fn at(value: Val, q: i64, t: i64, width: u32) -> Option<u64> {
        match value {
            Val::Known(bits) => Some(bits & mask(width)),
            Val::Line(own) => Some((own.c + own.q * q + own.t * t) as u64 & mask(width)),
            _ => None,
        }
    }

    #[test]
    fn an_operation_on_a_line_is_that_on_each_of_its_numbers() {
        let mut state = 1;
        let mut known = 0;
        for _ in 0..40_000 {
            let mut number = |of: u64| below(&mut state, of) as i64;
            let divisor = 2 + number(11);
            let slope = divisor * (1 << number(4));
            let (q, t) = (slope * number(3), slope * (number(3) - 1));
            let own = Line { c: number(80) - 16, q, t, width: 32 };
            let magic = ((1i64 << 32) / divisor + 1) as u64;
            let (shift, length) = (number(6) as u64, number(8) as u64);
            let bits = number(1 << 31) as u64 >> number(31);
            let table = number(256) as u8;
            let operation = number(8);
            let run = |x: Val, bounds: &mut Bounds| {
                let k = Val::Known;
                match operation {
                    0 => binary(IntOp::ShrS, 32, x, k(shift), bounds),
                    1 => binary(IntOp::ShrU, 32, x, k(shift), bounds),
                    2 => ternary(IntTernary::MulAddHigh(true), 32, [x, k(magic), k(0)], bounds),
                    3 => ternary(IntTernary::MulAddHigh(false), 32, [x, k(magic), k(7)], bounds),
                    4 => ternary(IntTernary::ExtractBits(false), 32, [x, k(shift), k(length)], bounds),
                    5 => ternary(IntTernary::ExtractBits(true), 32, [x, k(shift), k(length)], bounds),
                    6 => ternary(IntTernary::Logic(table), 32, [x, k(bits), k(length)], bounds),
                    _ => binary(IntOp::Xor, 32, x, k(mask(32)), bounds),
                }
            };
            let mut bounds = Bounds::default();
            let value = run(Val::Line(own), &mut bounds);
            if value == Val::Unknown {
                continue;
            }
            known += 1;
            for _ in 0..4 {
                let t = number(1000);
                let most = 1 << number(16);
                let q = t + bounds.left + number(most);
                if q > bounds.most {
                    continue;
                }
                let number = (own.c + own.q * q + own.t * t) as u64 & mask(32);
                let expected = run(Val::Known(number), &mut Bounds::default());
                let place = format!("{own:?} at q = {q}, t = {t}, operation {operation}, {shift}, {length}");
                assert_eq!(at(value, q, t, 32), at(expected, 0, 0, 32), "{place}: {value:?}");
            }
        }
        assert!(known > 20_000, "{known}");
    }

    #[test]
    fn a_quotient_is_a_line_from_its_first_multiple_on() {
        // 1431655766 is a third of 2^32, rounded up.
        let third = |c: i64, q: i64, bounds: &mut Bounds| {
            quotient([c, q, 0].map(|n| i128::from(n) * 1431655766), 32, 32, bounds)
        };
        let mut bounds = Bounds::default();
        let of = |c, q| Val::Line(Line { c, q, t: 0, width: 32 });
        assert_eq!(third(7, 6, &mut bounds), of(2, 2));
        assert_eq!((bounds.left, bounds.most > 1 << 29), (1, true));
        // -9 / 3 is -4 by this product, but from q = 2 on the sum is right.
        assert_eq!(third(-9, 6, &mut bounds), of(-3, 2));
        assert_eq!(bounds.left, 2);
        // Steps of 2 are not steps of a quotient by 3.
        assert_eq!(third(7, 2, &mut bounds), Val::Unknown);
        assert_eq!(signed(third(9, 0, &mut bounds).known().unwrap(), 32), 3);
    }
}
