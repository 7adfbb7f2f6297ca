//! Addresses as expressions: elements from an address on, and swizzled addresses.

use cute_algebra::{Paired, Payload, Swizzle, Width};
use cute_dialect::value::AddressPayload;

use super::graph::{Expr, Kind, Op};

impl AddressPayload for Expr<'_> {
    fn element(&self, index: &Self, bits: u32) -> Self {
        Self::make(Op::Element(bits), Kind::First, &[self, index])
    }

    fn rotated_left(&self, by: u32) -> Self {
        Self::make(Op::Rotate(by), Kind::Int(Width::I32), &[self])
    }

    /// Constant offsets by whole periods of the swizzle are added after it, where they become
    /// immediate offsets of loads and stores. So accesses that are periods apart share one swizzled
    /// address.
    fn swizzled(&self, s: Swizzle) -> Self {
        let width = Width::I64;
        let (address, periods) = without_periods(self, s.period());
        let integer = Paired::dynamic(width, 1, address.as_integer(width));
        let swizzled = s.apply(&integer).expect("bits of a dynamic integer can be moved");
        let swizzled = Self::make(Op::ToAddress, Kind::First, &[&address, &swizzled.materialize(width)]);
        if periods == 0 { swizzled } else { swizzled.element(&Self::Constant(periods, width), 8) }
    }
}

/// An address as another one and a number of bytes, a multiple of `period`, from constant offsets.
fn without_periods<'c>(address: &Expr<'c>, period: i64) -> (Expr<'c>, i64) {
    let unchanged = || (address.clone(), 0);
    let Some((Op::Element(bits), base, index)) = address.args_if(|op| matches!(op, Op::Element(8..))) else {
        return unchanged();
    };
    let (variable, constant, width) = terms(index);
    let elem = i64::from(bits / 8);
    let Some(bytes) = constant.checked_mul(elem) else { return unchanged() };
    let rest = bytes.rem_euclid(period);
    if rest % elem != 0 {
        return unchanged();
    }
    let (base, periods) = without_periods(&base, period);
    let index = match (variable, rest / elem) {
        (None, 0) => None,
        (None, rest) => Some(Expr::Constant(rest, width)),
        (Some(x), 0) => Some(x),
        (Some(x), rest) => Some(x.add(&Expr::Constant(rest, width), width)),
    };
    let address = index.map_or(base.clone(), |index| base.element(&index, bits));
    (address, periods.wrapping_add(bytes.wrapping_sub(rest)))
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
