//! [`Span`]: a [`Dim`] with an interval that its values certainly reach, from which follows whether
//! an offset can pass the width in which it is computed.
//!
//! The interval is what the types alone show. A run-time index reaches from 0 to the last index of
//! its mode, and a run-time extent is at least 1. Nothing is known about a run-time stride, which
//! therefore counts as 0: where a type promises no bound, no offset is said to pass.

use crate::{
    composed::{AnyLayout, LayoutLike},
    coord::{Coord, Crd},
    dim::{Dim, Width},
    error::Result,
    int::Int,
    layout::{Layout, LayoutRef},
    ops::coords::{eval, index_in},
    tuple::{Tuple, TupleRef},
};

/// A leaf, and the values that it certainly reaches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    dim: Dim,
    low: i128,
    high: i128,
    /// A value on the way to this one that its 32 bits do not hold.
    passed: Option<i128>,
}

impl Span {
    /// A leaf with these values.
    fn new(dim: Dim, low: i128, high: i128) -> Self {
        match dim.as_static() {
            Some(n) => Self { dim, low: n.into(), high: n.into(), passed: None },
            None => Self { dim, low, high, passed: None },
        }
    }

    /// A result of an operation on `from`.
    fn made(dim: Dim, [low, high]: [i128; 2], from: &[&Self]) -> Self {
        let mut made = Self::new(dim, low, high);
        let bounds = i128::from(i32::MIN)..=i128::from(i32::MAX);
        let own = [made.high, made.low].into_iter().find(|n| !bounds.contains(n));
        let own = own.filter(|_| dim.width() == Some(Width::I32));
        made.passed = from.iter().find_map(|span| span.passed).or(own);
        made
    }

    /// A result that may be anything.
    fn any(dim: Dim, from: &[&Self]) -> Self {
        Self::made(dim, [0, 0], from)
    }

    /// The value of a divisor, if it is certain and positive.
    fn divisor(&self) -> Option<i128> {
        (self.low == self.high && self.low > 0).then_some(self.low)
    }

    /// An index below `count`.
    fn index(dim: Dim, count: &Self) -> Self {
        let most = match dim.width() {
            Some(Width::I32) => i128::from(i32::MAX),
            _ => i128::from(i64::MAX),
        };
        let last = count.high.saturating_sub(1).clamp(0, most);
        Self::new(dim, 0, last - last % i128::from(dim.divisor().max(1)))
    }
}

impl Int for Span {
    fn from_i64(value: i64) -> Self {
        Self::new(Dim::fixed(value), 0, 0)
    }
    fn dim(&self) -> Dim {
        self.dim
    }
    fn add(&self, rhs: &Self) -> Result<Self> {
        let sum = [self.low.saturating_add(rhs.low), self.high.saturating_add(rhs.high)];
        Ok(Self::made(self.dim.add(&rhs.dim)?, sum, &[self, rhs]))
    }
    fn sub(&self, rhs: &Self) -> Result<Self> {
        let difference = [self.low.saturating_sub(rhs.high), self.high.saturating_sub(rhs.low)];
        Ok(Self::made(self.dim.sub(&rhs.dim)?, difference, &[self, rhs]))
    }
    fn mul(&self, rhs: &Self) -> Result<Self> {
        let ends = [self.low, self.high].map(|a| [rhs.low, rhs.high].map(|b| a.saturating_mul(b)));
        let ends = ends.as_flattened();
        let ends = [ends.iter().min(), ends.iter().max()].map(|n| n.copied().unwrap_or(0));
        Ok(Self::made(self.dim.mul(&rhs.dim)?, ends, &[self, rhs]))
    }
    fn div(&self, rhs: &Self) -> Result<Self> {
        let dim = Int::div(&self.dim, &rhs.dim)?;
        let ends = rhs.divisor().map_or([0, 0], |by| [self.low / by, self.high / by]);
        Ok(Self::made(dim, ends, &[self, rhs]))
    }
    fn rem(&self, rhs: &Self) -> Result<Self> {
        let dim = self.dim.rem(&rhs.dim)?;
        let ends = rhs.divisor().filter(|_| self.low == 0).map_or([0, 0], |by| {
            let last = by - i128::from(dim.divisor()).clamp(1, by);
            [0, self.high.min(last)]
        });
        Ok(Self::made(dim, ends, &[self, rhs]))
    }
    fn min(&self, rhs: &Self) -> Result<Self> {
        Ok(Self::any(self.dim.min(&rhs.dim)?, &[self, rhs]))
    }
    fn max(&self, rhs: &Self) -> Result<Self> {
        Ok(Self::any(self.dim.max(&rhs.dim)?, &[self, rhs]))
    }
    fn abs(&self) -> Result<Self> {
        Ok(Self::any(self.dim.abs()?, &[self]))
    }
    fn signum(&self) -> Result<Self> {
        Ok(Self::any(self.dim.signum()?, &[self]))
    }
    fn and(&self, mask: i64) -> Result<Self> {
        Ok(Self::any(self.dim.and(mask)?, &[self]))
    }
    fn xor(&self, rhs: &Self) -> Result<Self> {
        Ok(Self::any(self.dim.xor(&rhs.dim)?, &[self, rhs]))
    }
    fn gcd(&self, rhs: &Self) -> Result<Self> {
        Ok(Self::any(self.dim.gcd(&rhs.dim)?, &[self, rhs]))
    }
    fn resized(&self, width: Width) -> Self {
        Self { dim: self.dim.resized(width), ..*self }
    }
    fn at_run_time(&self, width: Width) -> Self {
        Self { dim: Dim::dynamic(width, 1), ..*self }
    }
    fn shift_left(&self, shift: i32) -> Result<Self> {
        Ok(Self::any(self.dim.shift_left(shift)?, &[self]))
    }
}

/// The extents of a shape: one that is not known is at least 1.
fn extents<I: Int>(shape: TupleRef<'_, I>) -> Tuple<Span> {
    shape.to_owned().map(|extent| Span::new(extent.dim(), 1, 1))
}

/// The indices of a coordinate of `shape`.
fn indices<I: Int>(coord: TupleRef<'_, Crd<I>>, shape: TupleRef<'_, Span>) -> Coord<Span> {
    match coord.as_leaf() {
        Some(Crd::Underscore) => Tuple::leaf(Crd::Underscore),
        Some(Crd::Int(index)) => {
            let count = shape.leaves().iter().fold(1i128, |n, extent| n.saturating_mul(extent.high));
            Tuple::leaf(Crd::Int(Span::index(
                index.dim(),
                &Span::new(Dim::dynamic(Width::I64, 1), count, count),
            )))
        }
        None if coord.rank() == shape.rank() => {
            Tuple::from_modes(coord.modes().zip(shape.modes()).map(|(c, s)| indices(c, s)))
        }
        None => coord.to_owned().map(|c| c.map(|index| Span::new(index.dim(), 0, 0))),
    }
}

/// Whether an index is computed with 32 bits.
fn is_narrow<I: Int>(coord: TupleRef<'_, Crd<I>>) -> bool {
    coord.leaves().iter().filter_map(Crd::as_int).any(|index| index.dim().width() == Some(Width::I32))
}

/// An upper bound of all sums of products; `None` if there is no simple one.
fn bound<I: Int>(
    start: TupleRef<'_, I>,
    coord: TupleRef<'_, Crd<I>>,
    layout: LayoutRef<'_, I>,
) -> Option<i64> {
    let mut sum =
        start.leaves().iter().try_fold(0i64, |sum, n| sum.checked_add(n.as_static()?.checked_abs()?))?;
    let mut farthest = 0i64;
    for (extent, stride) in layout.shape().leaves().iter().zip(layout.stride().leaves()) {
        let Some(step) = stride.scale().as_static() else { continue };
        let step = step.checked_abs()?;
        farthest = farthest.max(step);
        sum = sum.checked_add(extent.as_static().map_or(Some(0), |n| (n - 1).checked_mul(step))?)?;
    }
    let fixed = coord.leaves().iter().filter_map(Crd::as_int).filter_map(Int::as_static);
    fixed.into_iter().try_fold(sum, |sum, n| sum.checked_add(n.checked_abs()?.checked_mul(farthest)?))
}

/// A value of `start + layout(coord)`, or of a part of this sum, that is computed with 32 bits,
/// which do not hold it.
pub(crate) fn past_32_bits<I: Int>(
    start: TupleRef<'_, I>,
    coord: TupleRef<'_, Crd<I>>,
    layout: LayoutRef<'_, I>,
) -> Option<i128> {
    if !is_narrow(coord) || bound(start, coord, layout).is_some_and(|n| n <= i64::from(i32::MAX)) {
        return None;
    }
    let shape = extents(layout.shape());
    let coord = indices(coord, shape.view());
    let strides = layout.stride().to_owned().map(|d| d.map(|scale| Span::new(scale.dim(), 0, 0)));
    let start = start.to_owned().map(|n| Span::new(n.dim(), 0, 0));
    // A value that cannot be computed is reported where the value itself is computed.
    let value = eval(coord.view(), Layout::from_congruent(shape, strides).view()).ok()?;
    let sum = crate::ops::add_values(start.view(), value.view()).ok()?;
    sum.leaves().iter().find_map(|leaf| leaf.passed)
}

/// [`past_32_bits`] for the index of `coord` in `shape`.
pub(crate) fn index_past_32_bits<I: Int>(
    coord: TupleRef<'_, Crd<I>>,
    shape: TupleRef<'_, I>,
) -> Option<i128> {
    let shape = extents(shape);
    let count = shape.leaves().iter().fold(1i128, |n, extent| n.saturating_mul(extent.high));
    if !is_narrow(coord) || count <= i128::from(i32::MAX) {
        return None;
    }
    index_in(indices(coord, shape.view()).view(), shape.view()).ok()?.passed
}

/// [`past_32_bits`] for the value of any layout at a coordinate.
pub(crate) fn value_past_32_bits<L: LayoutLike>(coord: &Coord<L::Leaf>, layout: &L) -> Option<i128> {
    if !is_narrow(coord.view()) {
        return None;
    }
    let past = |start: &Tuple<L::Leaf>| past_32_bits(start.view(), coord.view(), layout.outer().view());
    match layout.to_any() {
        AnyLayout::Plain(_) => past(&Tuple::leaf(L::Leaf::from_i64(0))),
        AnyLayout::Composed(composed) => past(composed.offset()),
    }
}
