//! Addresses as expressions: elements from an address on, and swizzled addresses.

use cute_algebra::{Paired, Payload, Swizzle, Width};
use cute_dialect::value::AddressPayload;

use super::graph::{Expr, Kind, Op};

impl AddressPayload for Expr<'_> {
    fn element(&self, index: &Self, bits: u32) -> Self {
        self.past_mark(|address| address.element(index, bits))
            .unwrap_or_else(|| Self::make(Op::Element(bits), Kind::First, &[self, index]))
    }

    fn rotated_left(&self, by: u32) -> Self {
        Self::make(Op::Rotate(by), Kind::Int(Width::I32), &[self])
    }

    /// Offsets by whole periods of the swizzle are added after it. Constant ones become immediate
    /// offsets of loads and stores, so accesses that are periods apart share one swizzled address.
    /// Where the others vary, as with the stage of a pipeline, the swizzled address may not.
    fn swizzled(&self, s: Swizzle) -> Self {
        if let Some(swizzled) = self.past_mark(|address| address.swizzled(s)) {
            return swizzled;
        }
        let width = Width::I64;
        let (address, periods) = without_periods(self, s.period());
        let integer = Paired::dynamic(width, 1, address.as_integer(width));
        let swizzled = s.apply(&integer).expect("bits of a dynamic integer can be moved");
        let swizzled = Self::make(Op::ToAddress, Kind::First, &[&address, &swizzled.materialize(width)]);
        let moved = |at: Self, (index, bits): &(Self, u32)| at.element(index, *bits);
        let swizzled = periods.variable.iter().rfold(swizzled, moved);
        match periods.constant {
            0 => swizzled,
            bytes => swizzled.element(&Self::Constant(bytes, width), 8),
        }
    }
}

/// Offsets by multiples of a period.
#[derive(Default)]
struct Periods<'c> {
    /// Indices of elements of some bits.
    variable: Vec<(Expr<'c>, u32)>,
    /// Bytes.
    constant: i64,
}

/// An address as another one and offsets by multiples of `period` bytes, a power of two.
fn without_periods<'c>(address: &Expr<'c>, period: i64) -> (Expr<'c>, Periods<'c>) {
    let unchanged = || (address.clone(), Periods::default());
    let Some((Op::Element(bits), base, index)) = address.args_if(|op| matches!(op, Op::Element(8..))) else {
        return unchanged();
    };
    let elem = i64::from(bits / 8);
    let (rest, constant, width) = terms(index);
    let Some(bytes) = constant.checked_mul(elem) else { return unchanged() };
    let inside = bytes.rem_euclid(period);
    if inside % elem != 0 {
        return unchanged();
    }
    let (base, mut periods) = without_periods(&base, period);
    // An element of a power of two bytes divides the period or is a multiple of it.
    let unit = if elem.count_ones() == 1 { (period / elem).max(1) } else { period };
    let (variable, whole) = rest.map_or((None, None), |rest| multiples(rest, unit));
    periods.variable.extend(whole.map(|whole| (whole, bits)));
    periods.constant = periods.constant.wrapping_add(bytes.wrapping_sub(inside));
    let index = match (variable, inside / elem) {
        (None, 0) => None,
        (None, inside) => Some(Expr::Constant(inside, width)),
        (Some(x), 0) => Some(x),
        (Some(x), inside) => Some(x.add(&Expr::Constant(inside, width), width)),
    };
    (index.map_or(base.clone(), |index| base.element(&index, bits)), periods)
}

/// An index as a sum: a variable term, a constant, and the width of the constant.
fn terms<'c>(index: Expr<'c>) -> (Option<Expr<'c>>, i64, Width) {
    if let Expr::Constant(n, width) = index {
        return (None, n, width);
    }
    match index.args_if(|op| op == Op::Add) {
        Some((_, x, Expr::Constant(n, width))) => (Some(x), n, width),
        _ => (Some(index), 0, Width::I64),
    }
}

/// An index as a sum of two terms, of which the second is a multiple of `unit`, a power of two.
fn multiples<'c>(index: Expr<'c>, unit: i64) -> (Option<Expr<'c>>, Option<Expr<'c>>) {
    if is_multiple(&index, unit) {
        return (None, Some(index));
    }
    match index.parts() {
        Some((Op::Add, Kind::Int(width), args)) => {
            let [x, y] = [0, 1].map(|i| multiples(args[i].clone(), unit));
            let sum = |x: Option<Expr<'c>>, y: Option<Expr<'c>>| match (x, y) {
                (Some(x), Some(y)) => Some(x.add(&y, width)),
                (x, y) => x.or(y),
            };
            (sum(x.0, y.0), sum(x.1, y.1))
        }
        // A shift to the right loses no bit of a multiple.
        Some((Op::Shift(by), Kind::Int(width), args)) => match shifted_back(unit, by) {
            Some(unit) => {
                let (rest, whole) = multiples(args[0].clone(), unit);
                let shifted = |term: Option<Expr<'c>>| term.map(|term| term.shift_left(by, width));
                (shifted(rest), shifted(whole))
            }
            None => (Some(index), None),
        },
        _ => (Some(index), None),
    }
}

/// The power of two whose multiples are multiples of `unit` after a shift to the left.
fn shifted_back(unit: i64, by: i32) -> Option<i64> {
    if by >= 0 {
        return Some((unit >> by.min(62)).max(1));
    }
    1i64.checked_shl(by.unsigned_abs()).and_then(|by| unit.checked_mul(by))
}

/// Whether an index is known to be a multiple of `unit`. A power of two divides a product even
/// where it overflows.
fn is_multiple(index: &Expr<'_>, unit: i64) -> bool {
    if unit == 1 {
        return true;
    }
    if let Expr::Constant(n, _) = index {
        return n % unit == 0;
    }
    match index.parts() {
        Some((Op::Add, _, args)) => args.iter().all(|arg| is_multiple(arg, unit)),
        Some((Op::Mul, _, args)) => args.iter().any(|arg| is_multiple(arg, unit)),
        Some((Op::Shift(by), _, args)) => {
            shifted_back(unit, by).is_some_and(|unit| is_multiple(&args[0], unit))
        }
        Some((Op::Resize, _, args)) => is_multiple(&args[0], unit),
        _ => false,
    }
}
