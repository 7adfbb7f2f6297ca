//! Values of registers while the size is a symbol.
//!
//! The size is `n = P q + r` with a period `P`, a residue `r` and any `q`. In a loop whose period
//! is repeated `t` times, `u = q - t` periods are left. A [`Line`] is `c + a q + d t`, as an
//! integer; it is `c + (a + d) t + a u`, so that its sign follows for all `t >= 0` and `u >= U`
//! from the signs of `a + d` and `a`.

mod addresses;
mod lines;

use cute_machine::int::{self, IntOp, IntTernary, IntUnary, NoWrap, mask, signed};
use cute_machine::predicate::IntPredicate;

/// The largest `U` that a decision may need.
const MOST: i64 = 1 << 12;

/// Numbers of values from here on are those of `tcgen05.alloc`, which all warps know.
pub const SHARED_NUMBERS: u32 = 1 << 31;

/// `c + q Q + t T`, as a signed integer of a register of some bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Line {
    pub c: i64,
    pub q: i64,
    pub t: i64,
    pub width: u32,
}

/// The value of a register in a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Val {
    /// These bits.
    Known(u64),
    Line(Line),
    /// The value that an instruction read, with this number, and an offset.
    From(u32, i64),
    /// An address of tensor memory with this number, rotated left by two bits, and an offset.
    Rotated(u32, i64),
    /// An address of tensor memory with this number and an offset, shifted right by some bits.
    Shifted(u32, i64, u32),
    /// One of two, by the answer of the test of a barrier with this number.
    Peek {
        number: u32,
        no: u64,
        yes: u64,
    },
    Unknown,
}

impl Val {
    /// The bits, if they are known.
    pub fn known(self) -> Option<u64> {
        match self {
            Val::Known(bits) => Some(bits),
            _ => None,
        }
    }
}

/// A function of values one of which may depend on a test: for both answers.
pub fn either<const N: usize>(of: [Val; N], mut f: impl FnMut([Val; N]) -> Val) -> Val {
    let mut tests = of.iter().filter_map(|value| match value {
        Val::Peek { number, .. } => Some(*number),
        _ => None,
    });
    let Some(number) = tests.next() else { return f(of) };
    // Two tests of one barrier may have two answers.
    if tests.next().is_some() {
        return Val::Unknown;
    }
    let mut with = |passes: bool| {
        f(of.map(|value| match value {
            Val::Peek { no, yes, .. } => Val::Known(if passes { yes } else { no }),
            other => other,
        }))
    };
    match (with(false), with(true)) {
        (Val::Known(no), Val::Known(yes)) if no != yes => Val::Peek { number, no, yes },
        (no, yes) if no == yes => no,
        _ => Val::Unknown,
    }
}

/// The assumptions of decisions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// `u` is at least this.
    pub left: i64,
    /// `q` is at most this, lest a counter leaves its register.
    pub most: i64,
    /// Whether a decision was about a line whose sign depends on the size.
    pub decided: bool,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { left: 1, most: i64::MAX, decided: false }
    }
}

impl Bounds {
    /// Whether the line is at least `k` for all `t >= 0` and all `u` from some number on.
    pub fn at_least(&mut self, line: &Line, k: i64) -> bool {
        let Some(each) = line.q.checked_add(line.t) else { return false };
        if each < 0 || line.q < 0 {
            return false;
        }
        let lack = i128::from(k) - i128::from(line.c);
        let need = match (lack <= 0, line.q) {
            (true, _) => 0,
            (false, 0) => return false,
            (false, q) => (lack + i128::from(q) - 1) / i128::from(q),
        };
        if need > i128::from(MOST) {
            return false;
        }
        self.left = self.left.max(need as i64);
        true
    }

    pub fn at_most(&mut self, line: &Line, k: i64) -> bool {
        self.at_least(&Line { c: -line.c, q: -line.q, t: -line.t, ..*line }, -k)
    }

    /// The line stays inside a register of this width: notes up to which `q`.
    fn stays(&mut self, line: &Line, width: u32) {
        let room = (1i128 << (width.min(64) - 1)) - i128::from(line.c.unsigned_abs());
        let slope = i128::from(line.q.unsigned_abs()) + i128::from(line.t.unsigned_abs());
        let most = (room / slope.max(1)).clamp(0, i128::from(i64::MAX));
        self.most = self.most.min(most as i64);
    }
}

pub fn line(c: Option<i64>, q: Option<i64>, t: Option<i64>, width: u32) -> Val {
    let (Some(c), Some(q), Some(t)) = (c, q, t) else { return Val::Unknown };
    // Registers hold numbers modulo 2^width.
    let c = signed(c as u64 & mask(width), width);
    match (q, t) {
        (0, 0) => Val::Known(c as u64 & mask(width)),
        _ => Val::Line(Line { c, q, t, width }),
    }
}

/// A value as a line of a register of this width: an operand is extended by zeros.
fn as_line(value: Val, width: u32, bounds: &mut Bounds) -> Option<Line> {
    match value {
        Val::Known(bits) => Some(Line { c: signed(bits & mask(width), width), q: 0, t: 0, width }),
        Val::Line(own) if own.width >= width => {
            Some(Line { c: signed(own.c as u64 & mask(width), width), width, ..own })
        }
        Val::Line(own) => {
            bounds.stays(&own, own.width);
            bounds.at_least(&own, 0).then_some(Line { width, ..own })
        }
        _ => None,
    }
}

fn multiple(own: &Line, of: i64) -> bool {
    own.q % of == 0 && own.t % of == 0
}

/// An operation on two integers.
pub fn binary(op: IntOp, width: u32, a: Val, b: Val, bounds: &mut Bounds) -> Val {
    use IntOp as O;
    if let (Val::Known(a), Val::Known(b)) = (a, b) {
        return int::binary(op, width, NoWrap::default(), a, b).map_or(Val::Unknown, Val::Known);
    }
    if let Some(value) = addresses::binary(op, width, a, b) {
        return value;
    }
    match (op, a, b) {
        (O::Add, Val::From(of, at), Val::Known(k)) | (O::Add, Val::Known(k), Val::From(of, at)) => {
            return Val::From(of, at.wrapping_add(signed(k & mask(width), width)));
        }
        (O::Sub, Val::From(of, at), Val::Known(k)) => {
            return Val::From(of, at.wrapping_sub(signed(k & mask(width), width)));
        }
        (O::And | O::Mul, _, Val::Known(0)) | (O::And | O::Mul, Val::Known(0), _) => return Val::Known(0),
        _ => {}
    }
    let (Some(x), Some(y)) = (as_line(a, width, bounds), as_line(b, width, bounds)) else {
        return Val::Unknown;
    };
    let known = |value: Val| match value {
        Val::Known(bits) => Some(bits & mask(width)),
        _ => None,
    };
    let scaled =
        |own: Line, by: i64| line(own.c.checked_mul(by), own.q.checked_mul(by), own.t.checked_mul(by), width);
    match op {
        O::Add => line(x.c.checked_add(y.c), x.q.checked_add(y.q), x.t.checked_add(y.t), width),
        O::Sub => line(x.c.checked_sub(y.c), x.q.checked_sub(y.q), x.t.checked_sub(y.t), width),
        O::Mul => match (known(a), known(b)) {
            (Some(_), None) => scaled(y, x.c),
            (None, Some(_)) => scaled(x, y.c),
            _ => Val::Unknown,
        },
        O::Shl | O::ShlClamped => match known(b) {
            Some(by) if by < u64::from(width.min(62)) => scaled(x, 1 << by),
            _ => Val::Unknown,
        },
        O::ShrS | O::ShrClampedS | O::ShrU | O::ShrClampedU => match known(b) {
            Some(by) if by < u64::from(width.min(62)) => {
                bounds.stays(&x, width);
                let is_positive = bounds.at_least(&x, 0);
                if is_positive && by + 1 >= u64::from(width) {
                    return Val::Known(0);
                }
                if !is_positive && matches!(op, O::ShrU | O::ShrClampedU) {
                    return Val::Unknown;
                }
                lines::quotient([x.c, x.q, x.t].map(i128::from), by as u32, width, bounds)
            }
            _ => Val::Unknown,
        },
        O::DivU | O::DivS | O::FloorDivS | O::RemU | O::RemS => match known(b) {
            Some(_) if y.c > 0 && multiple(&x, y.c) => {
                bounds.stays(&x, width);
                match (bounds.at_least(&x, 0), op) {
                    (false, _) => Val::Unknown,
                    (true, O::RemU | O::RemS) => Val::Known(x.c.rem_euclid(y.c) as u64),
                    (true, _) => line(Some(x.c.div_euclid(y.c)), Some(x.q / y.c), Some(x.t / y.c), width),
                }
            }
            _ => Val::Unknown,
        },
        O::And | O::Or | O::Xor => match (known(a), known(b)) {
            (Some(bits), None) => masked(op, width, y, bits, bounds),
            (None, Some(bits)) => masked(op, width, x, bits, bounds),
            _ => Val::Unknown,
        },
        O::MinS | O::MaxS | O::MinU | O::MaxU => {
            let is_signed = matches!(op, O::MinS | O::MaxS);
            let less = if is_signed { IntPredicate::Slt } else { IntPredicate::Ult };
            match compare(less, width, a, b, bounds) {
                Some(is_less) if is_less == matches!(op, O::MinS | O::MinU) => a,
                Some(_) => b,
                None => Val::Unknown,
            }
        }
        _ => Val::Unknown,
    }
}

/// Bitwise with known bits.
fn masked(op: IntOp, width: u32, own: Line, bits: u64, bounds: &mut Bounds) -> Val {
    let (keep, flip) = match op {
        // The highest bits are zeros up to some size.
        IntOp::And if own.fits(bits, bounds) => (bits | !mask(64 - bits.leading_zeros()), 0),
        IntOp::And => (bits, 0),
        IntOp::Or => (!bits, bits),
        _ => (u64::MAX, bits),
    };
    lines::bitwise(width, own, keep & mask(width), flip & mask(width))
}

/// The comparison of two integers, if it is the same for all sizes.
pub fn compare(predicate: IntPredicate, width: u32, a: Val, b: Val, bounds: &mut Bounds) -> Option<bool> {
    use IntPredicate as P;
    if let (Val::Known(a), Val::Known(b)) = (a, b) {
        return Some(predicate.holds(width, a, b));
    }
    let (x, y) = (as_line(a, width, bounds)?, as_line(b, width, bounds)?);
    let is_unsigned = matches!(predicate, P::Ult | P::Ule | P::Ugt | P::Uge);
    for own in [&x, &y] {
        if own.q != 0 || own.t != 0 {
            bounds.stays(own, width);
        }
        // A negative constant is a large unsigned number.
        if is_unsigned && !bounds.at_least(own, 0) {
            return None;
        }
    }
    let d = Line { c: x.c.checked_sub(y.c)?, q: x.q.checked_sub(y.q)?, t: x.t.checked_sub(y.t)?, width };
    let holds = if (d.q, d.t) == (0, 0) {
        let sign = d.c.cmp(&0);
        match predicate {
            P::Eq => sign.is_eq(),
            P::Ne => sign.is_ne(),
            P::Slt | P::Ult => sign.is_lt(),
            P::Sle | P::Ule => sign.is_le(),
            P::Sgt | P::Ugt => sign.is_gt(),
            P::Sge | P::Uge => sign.is_ge(),
        }
    } else {
        bounds.decided = true;
        let (above, below) = (|b: &mut Bounds, k| b.at_least(&d, k), |b: &mut Bounds, k| b.at_most(&d, k));
        let either = |yes: bool, no: &mut dyn FnMut() -> bool| {
            if yes { Some(true) } else { no().then_some(false) }
        };
        match predicate {
            P::Eq => either(false, &mut || above(bounds, 1) || below(bounds, -1))?,
            P::Ne => (above(bounds, 1) || below(bounds, -1)).then_some(true)?,
            P::Slt | P::Ult => either(below(bounds, -1), &mut || above(bounds, 0))?,
            P::Sle | P::Ule => either(below(bounds, 0), &mut || above(bounds, 1))?,
            P::Sgt | P::Ugt => either(above(bounds, 1), &mut || below(bounds, 0))?,
            P::Sge | P::Uge => either(above(bounds, 0), &mut || below(bounds, -1))?,
        }
    };
    Some(holds)
}

/// The difference of two values, whose sign a comparison decides; `None` if it is not a line.
pub fn difference(width: u32, a: Val, b: Val) -> Option<Line> {
    let mut unused = Bounds::default();
    let (x, y) = (as_line(a, width, &mut unused)?, as_line(b, width, &mut unused)?);
    let (c, q, t) = (x.c.checked_sub(y.c)?, x.q.checked_sub(y.q)?, x.t.checked_sub(y.t)?);
    Some(Line { c, q, t, width })
}

/// An operation on one integer.
pub fn unary(op: IntUnary, width: u32, a: Val, bounds: &mut Bounds) -> Val {
    match a {
        Val::Known(a) => Val::Known(int::unary(op, width, a)),
        Val::Line(own) if op == IntUnary::Abs && bounds.at_least(&own, 0) => a,
        _ => Val::Unknown,
    }
}

/// An operation on three integers.
pub fn ternary(op: IntTernary, width: u32, [a, b, c]: [Val; 3], bounds: &mut Bounds) -> Val {
    if let (Val::Known(a), Val::Known(b), Val::Known(c)) = (a, b, c) {
        return Val::Known(int::ternary(op, width, a, b, c));
    }
    match op {
        IntTernary::MulAdd => {
            let product = binary(IntOp::Mul, width, a, b, bounds);
            binary(IntOp::Add, width, product, c, bounds)
        }
        IntTernary::MulAddWide(is_signed) => {
            let wide = |value: Val, bounds: &mut Bounds| match is_signed {
                true => extend(value, width, 2 * width, bounds),
                false => value,
            };
            let (a, b) = (wide(a, bounds), wide(b, bounds));
            let product = binary(IntOp::Mul, 2 * width, a, b, bounds);
            binary(IntOp::Add, 2 * width, product, c, bounds)
        }
        IntTernary::MulAddHigh(is_signed) => {
            let (Some(x), Some(y)) = (as_line(a, width, bounds), as_line(b, width, bounds)) else {
                return Val::Unknown;
            };
            let (own, by) = match (a, b) {
                (Val::Line(_), Val::Known(_)) => (x, b),
                (Val::Known(_), Val::Line(_)) => (y, a),
                _ => return Val::Unknown,
            };
            bounds.stays(&own, width);
            let Val::Known(by) = by else { return Val::Unknown };
            if !is_signed && !bounds.at_least(&own, 0) {
                return Val::Unknown;
            }
            let by =
                if is_signed { signed(by & mask(width), width).into() } else { i128::from(by & mask(width)) };
            let product = [own.c, own.q, own.t].map(|n| i128::from(n) * by);
            let high = lines::quotient(product, width, width, bounds);
            binary(IntOp::Add, width, high, c, bounds)
        }
        IntTernary::FunnelLeft { .. } if a == b => addresses::rotated(a, c),
        IntTernary::ExtractBits(is_signed) => match (as_line(a, width, bounds), b, c) {
            (Some(own), Val::Known(from), Val::Known(length)) => {
                let is_rest = from & 0xff < width.into() && (from & 0xff) + (length & 0xff) >= width.into();
                match lines::field(is_signed, width, own, from, length) {
                    Some(value) => value,
                    None if is_rest && !is_signed => {
                        binary(IntOp::ShrU, width, a, Val::Known(from & 0xff), bounds)
                    }
                    None => Val::Unknown,
                }
            }
            _ => Val::Unknown,
        },
        IntTernary::Logic(table) => {
            let known = |value: &Val| matches!(value, Val::Known(_));
            let open: Vec<Val> = [a, b, c].into_iter().filter(|value| !known(value)).collect();
            match open[..] {
                [one] => match as_line(one, width, bounds) {
                    Some(own) => lines::logic(table, width, [a, b, c], own),
                    None => Val::Unknown,
                },
                _ => Val::Unknown,
            }
        }
        _ => Val::Unknown,
    }
}

/// To a wider integer, by the sign.
pub fn extend(value: Val, from: u32, to: u32, bounds: &mut Bounds) -> Val {
    match value {
        Val::Known(bits) => Val::Known(signed(bits & mask(from), from) as u64 & mask(to)),
        Val::Line(own) => {
            bounds.stays(&own, from);
            Val::Line(Line { width: to, ..own })
        }
        other => other,
    }
}

/// To a narrower integer.
pub fn truncate(value: Val, width: u32) -> Val {
    match value {
        Val::Known(bits) => Val::Known(bits & mask(width)),
        Val::Line(own) if own.width > width => line(Some(own.c), Some(own.q), Some(own.t), width),
        Val::From(..) | Val::Rotated(..) | Val::Shifted(..) if width < 32 => Val::Unknown,
        Val::Peek { .. } => either([value], |[value]| truncate(value, width)),
        other => other,
    }
}

/// A lane of `to` bits of the same bits in lanes of `from`.
pub fn regroup(at: impl Fn(u32) -> Val, from: u32, to: u32, i: u32) -> Val {
    if to < from {
        let (whole, shift) = (at(i * to / from), i * to % from);
        return match whole {
            Val::Known(bits) => Val::Known(bits >> shift & mask(to)),
            low if shift == 0 => truncate(low, to),
            _ => Val::Unknown,
        };
    }
    let parts: Vec<Val> = (0..to / from).map(|part| at(i * (to / from) + part)).collect();
    let known = parts.iter().rev().try_fold(0, |all, part| match part {
        Val::Known(bits) => Some(all << (from % 64) | bits & mask(from)),
        _ => None,
    });
    match (known, &parts[..]) {
        (Some(bits), _) => Val::Known(bits),
        (None, [only]) => *only,
        // A wider register is read as if zeros were in front.
        (None, [low, rest @ ..]) if rest.iter().all(|part| *part == Val::Known(0)) => *low,
        _ => Val::Unknown,
    }
}

/// A value that is the first one before the loop and the second one a period later, as one that
/// changes by the same amount in each period.
pub fn changing(before: Val, after: Val) -> Val {
    match (before, after) {
        (a, b) if a == b => b,
        (Val::Known(a), Val::Known(b)) => {
            let width = if (a | b) >> 31 == 0 { 32 } else { 64 };
            let (a, b) = (signed(a, width), signed(b, width));
            line(Some(b), Some(0), b.checked_sub(a), width)
        }
        (Val::Line(a), Val::Line(b)) if (a.q, a.t, a.width) == (b.q, 0, b.width) && a.t == 0 => {
            match b.c.checked_sub(a.c) {
                Some(t) => Val::Line(Line { t, ..b }),
                None => Val::Unknown,
            }
        }
        _ => Val::Unknown,
    }
}

/// The value a period later.
pub fn later(value: Val) -> Val {
    match value {
        Val::Line(own) if own.t != 0 => line(own.c.checked_add(own.t), Some(own.q), Some(own.t), own.width),
        other => other,
    }
}

/// The value when `left` periods are left.
pub fn at_end(value: Val, left: i64) -> Val {
    match value {
        Val::Line(own) if own.t != 0 => {
            let c = own.t.checked_mul(left).and_then(|less| own.c.checked_sub(less));
            line(c, own.q.checked_add(own.t), Some(0), own.width)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(c: i64, q: i64, t: i64) -> Val {
        Val::Line(Line { c, q, t, width: 32 })
    }

    #[test]
    fn a_guard_holds_while_periods_are_left() {
        let mut bounds = Bounds::default();
        // 8 t + 3 < 8 q + 5.
        let holds = compare(IntPredicate::Slt, 32, of(3, 0, 8), of(5, 8, 0), &mut bounds);
        assert_eq!((holds, bounds.left, bounds.decided), (Some(true), 1, true));
        // Whether a counter is 37 is not known before it is larger.
        let is = |c| compare(IntPredicate::Eq, 32, of(c, 0, 8), Val::Known(37), &mut Bounds::default());
        assert_eq!([is(3), is(38)], [None, Some(false)]);
    }

    #[test]
    fn tiles_are_counted_by_shifts_and_masks() {
        let mut bounds = Bounds::default();
        // K = 64 (4 q + 1).
        let k = of(64, 256, 0);
        let up = binary(IntOp::Add, 32, k, Val::Known(63), &mut bounds);
        assert_eq!(binary(IntOp::ShrU, 32, up, Val::Known(6), &mut bounds), of(1, 4, 0));
        assert_eq!(binary(IntOp::And, 32, k, Val::Known(63), &mut bounds), Val::Known(0));
        assert_eq!(binary(IntOp::And, 32, up, Val::Known(0xffff_ffc0), &mut bounds), of(64, 256, 0));
        assert_eq!(binary(IntOp::DivU, 32, k, Val::Known(3), &mut bounds), Val::Unknown);
        assert_eq!(binary(IntOp::RemU, 32, k, Val::Known(128), &mut bounds), Val::Known(64));
        assert_eq!(binary(IntOp::Or, 32, k, Val::Known(5), &mut bounds), of(69, 256, 0));
        assert_eq!(bounds.most, (1 << 31) / 256 - 1);
    }

    #[test]
    fn a_counter_ends_where_periods_are_left() {
        let counter = changing(Val::Known(4), Val::Known(12));
        assert_eq!(counter, of(12, 0, 8));
        assert_eq!(later(counter), of(20, 0, 8));
        assert_eq!(at_end(counter, 2), of(-4, 8, 0));
    }
}
