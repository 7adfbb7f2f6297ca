//! Slices behind a swizzle: determines which bits of the offset are fixed and which stay open, and
//! what the swizzle does to each.
//!
//! The fixed modes add bits to the offset. Those in the two fields of the swizzle stay behind it;
//! the others pass. If no two open bits are XORed into one another, the swizzle of the open part is
//! linear: each open bit has a stride of its own, whose sign or size depends on the fixed bit it
//! meets. All of this holds only if no addition carries into a field. So every part claims the bits
//! that it may set in and below the fields; multiples of higher powers of two pass. Where that
//! cannot be shown, the whole offset stays behind the swizzle. The exception is an offset that
//! never reaches the bits that the swizzle reads, because the swizzle then changes nothing.

use crate::{
    basis::Stride,
    composed::{AnyLayout, ComposedLayout, Inner},
    coord::{Coord, Crd},
    error::Result,
    int::Int,
    layout::{Layout, LayoutRef},
    ops::{
        composition::compose,
        coords::{coord_in, evaluate},
        size::add_values,
        slice::slice_plain,
    },
    swizzle::Swizzle,
    tuple::{Tuple, TupleRef},
};

/// Slice of `swizzle o offset o outer` by `coord`.
pub(crate) fn slice_swizzled<I: Int>(
    swizzle: Swizzle,
    offset: &I,
    outer: &Layout<I>,
    coord: &Coord<I>,
) -> Result<(AnyLayout<I>, Tuple<I>)> {
    let zero = || Tuple::leaf(I::from_i64(0));
    let open = slice_plain(coord.view(), outer)?;
    let behind =
        |offset: Tuple<I>, open: Layout<I>| ComposedLayout::new(Inner::Swizzle(swizzle), offset, open).into();
    if coord.all_underscore() {
        return Ok((behind(Tuple::leaf(offset.clone()), open), zero()));
    }
    if swizzle.is_identity() {
        let fixed = evaluate(coord.view(), outer.view())?;
        return Ok((open.into(), add_values(Tuple::leaf(offset.clone()).view(), fixed.view())?));
    }
    if let Some(parts) = Parts::of(swizzle, offset, &open, outer, coord)? {
        let passed = parts.passed.clone();
        if parts.open
            & (parts.open >> swizzle.shift().max(0) << -swizzle.shift().min(0))
            & swizzle.target_mask()
            != 0
        {
            return Ok((behind(Tuple::leaf(parts.kept()?), open), Tuple::leaf(passed)));
        }
        if let Ok(plain) = compose(parts.linear(swizzle)?.view(), open.view()) {
            let start = swizzle.apply(&parts.kept()?)?.add(&passed)?;
            return Ok((plain.into(), Tuple::leaf(start)));
        }
    }
    let fixed = evaluate(coord.view(), outer.view())?;
    let start = add_values(Tuple::leaf(offset.clone()).view(), fixed.view())?;
    if stays_below(lowest_bit(swizzle.source_mask()), &start, &open) {
        return Ok((open.into(), start));
    }
    Ok((behind(start, open), zero()))
}

/// Whether all values, counted from `start`, are known to lie in `[0, limit)`.
fn stays_below<I: Int>(limit: i64, start: &Tuple<I>, open: &Layout<I>) -> bool {
    let start = start.as_leaf().and_then(Int::as_static).filter(|start| *start >= 0);
    let last = open.flat().try_fold(start, |sum, (extent, stride)| {
        let stride = stride.as_static().filter(|stride| *stride >= 0)?;
        let reach = if stride == 0 { 0 } else { (extent.as_static()? - 1).checked_mul(stride)? };
        Some(sum?.checked_add(reach))
    });
    last.flatten().is_some_and(|last| last < limit)
}

/// The offset of a slice, taken apart. No two parts share a bit.
struct Parts<I> {
    /// Static fixed bits that stay behind the swizzle.
    fixed: i64,
    /// Dynamic fixed bits that stay behind the swizzle, and a mask of the bits that they may set.
    dynamic: Option<(I, i64)>,
    /// The part of the fixed modes' offset that is not affected by the swizzle.
    passed: I,
    /// Bits that the open modes may set.
    open: i64,
}

impl<I: Int> Parts<I> {
    /// `None` if an addition may carry.
    fn of(
        swizzle: Swizzle,
        offset: &I,
        open: &Layout<I>,
        outer: &Layout<I>,
        coord: &Coord<I>,
    ) -> Result<Option<Self>> {
        let fields = swizzle.source_mask() | swizzle.target_mask();
        // A sum of multiples of a power of two above the fields does not change the fields.
        let below = below_top(swizzle);
        let Some(fixed) = offset.as_static().filter(|offset| *offset >= 0) else { return Ok(None) };
        let mut parts = Self { fixed, dynamic: None, passed: I::from_i64(0), open: 0 };
        let mut used = fixed;
        let mut claim = |mask: i64| {
            let free = used & mask & below == 0;
            used |= mask;
            free
        };
        for (extent, stride) in open.flat() {
            match reachable_bits(swizzle, extent, stride) {
                Some(mask) if claim(mask) => parts.open |= mask,
                _ => return Ok(None),
            }
        }
        let mut terms = Vec::new();
        fixed_terms(coord.view(), outer.view(), &mut terms)?;
        for (index, extent, stride) in terms {
            let Some(stride_int) = stride.as_int() else { return Ok(None) };
            let term = index.mul(stride_int)?;
            let mask = match term.as_static() {
                Some(value) if value >= 0 => Some(value),
                Some(_) => None,
                None => reachable_bits(swizzle, &extent, &stride),
            };
            let Some(mask) = mask.filter(|mask| claim(*mask)) else { return Ok(None) };
            match term.as_static() {
                Some(value) => {
                    parts.fixed |= value & fields;
                    parts.passed = parts.passed.add(&I::from_i64(value & !fields))?;
                }
                None if mask & fields == 0 => parts.passed = parts.passed.add(&term)?,
                None => {
                    let kept = if mask & !fields == 0 { term.clone() } else { term.and(fields)? };
                    if mask & !fields != 0 {
                        parts.passed = parts.passed.add(&term.sub(&kept)?)?;
                    }
                    parts.dynamic = Some(match parts.dynamic.take() {
                        None => (kept, mask & fields),
                        Some((sum, bits)) => (sum.add(&kept)?, bits | (mask & fields)),
                    });
                }
            }
        }
        Ok(Some(parts))
    }

    /// The offset that stays behind the swizzle.
    fn kept(&self) -> Result<I> {
        let fixed = I::from_i64(self.fixed);
        match &self.dynamic {
            Some((value, _)) => fixed.add(value),
            None => Ok(fixed),
        }
    }

    /// The swizzle as a layout of the open bits: mode by mode the bits below, the lower field,
    /// between, the upper field, above.
    ///
    /// An open target bit `z` whose source bit `y` is fixed has the stride `z`, or `-z` where `y`
    /// is set. An open source bit whose target bit is fixed has the stride `y + z`, or `y - z`
    /// where `z` is set.
    fn linear(&self, swizzle: Swizzle) -> Result<Layout<I>> {
        let (bits, base, distance) = (swizzle.bits(), swizzle.base(), swizzle.shift().unsigned_abs());
        let (z, y) = (lowest_bit(swizzle.target_mask()), lowest_bit(swizzle.source_mask()));
        let target = |i: u32| self.flipped(z << i, y << i, z << i);
        let source = |i: u32| self.flipped((y + z) << i, z << i, z << i);
        let field = |leaves: &mut Vec<(I, Stride<I>)>, is_target: bool| {
            for i in 0..bits {
                leaves.push((I::from_i64(2), Stride::int(if is_target { target(i)? } else { source(i)? })));
            }
            Ok::<_, crate::error::Error>(())
        };
        let plain =
            |extent: u32, position: u32| (I::from_i64(1 << extent), Stride::int(I::from_i64(1 << position)));
        let mut leaves = vec![plain(base, 0)];
        field(&mut leaves, z < y)?;
        leaves.push(plain(distance - bits, base + bits));
        field(&mut leaves, z > y)?;
        leaves.push(plain(0, base + bits + distance));
        Layout::from_flat(leaves)
    }

    /// `value - 2 * amount` where the fixed bits have `bit` set, `value` elsewhere.
    fn flipped(&self, value: i64, bit: i64, amount: i64) -> Result<I> {
        match &self.dynamic {
            Some((dynamic, mask)) if mask & bit != 0 => {
                let shift = amount.trailing_zeros() as i32 + 1 - bit.trailing_zeros() as i32;
                I::from_i64(value).sub(&dynamic.and(bit)?.shift_left(shift)?)
            }
            _ => Ok(I::from_i64(if self.fixed & bit != 0 { value - 2 * amount } else { value })),
        }
    }
}

/// The bits up to the upper field of a swizzle.
fn below_top(swizzle: Swizzle) -> i64 {
    let top = swizzle.base() + swizzle.bits() + swizzle.shift().unsigned_abs();
    (1i64 << top) - 1
}

fn lowest_bit(mask: i64) -> i64 {
    mask & mask.wrapping_neg()
}

/// The bits that `c * stride` may set for `c < extent`, if no two fields of the swizzle can mix:
/// the strides are powers of two, or all bits lie within one of the five ranges into which the
/// fields divide the bits.
fn reachable_bits<I: Int>(swizzle: Swizzle, extent: &I, stride: &Stride<I>) -> Option<i64> {
    if stride.as_int()?.dim().divisor() & below_top(swizzle) == 0 {
        return Some(0);
    }
    let stride = stride.as_static()?;
    let extent = extent.as_static()?;
    let reach = (extent - 1).checked_mul(stride).filter(|reach| *reach >= 0)?;
    if stride.count_ones() == 1 && extent.count_ones() == 1 {
        return Some(reach);
    }
    let lowest = stride.trailing_zeros();
    let highest = 64 - reach.leading_zeros();
    let (bits, base, distance) = (swizzle.bits(), swizzle.base(), swizzle.shift().unsigned_abs());
    let edges = [base, base + bits, base + distance, base + distance + bits];
    let crosses = edges.iter().any(|edge| lowest < *edge && *edge < highest);
    let in_field = edges.chunks(2).any(|field| lowest >= field[0] && lowest < field[1]);
    if crosses || in_field || highest > 62 { None } else { Some((1i64 << highest) - (1 << lowest)) }
}

/// Every leaf of `layout` that `coord` fixes: its index, extent and stride.
fn fixed_terms<I: Int>(
    coord: TupleRef<'_, Crd<I>>,
    layout: LayoutRef<'_, I>,
    out: &mut Vec<(I, I, Stride<I>)>,
) -> Result<()> {
    match coord.as_leaf() {
        None => coord.modes().zip(layout.modes()).try_for_each(|(c, mode)| fixed_terms(c, mode, out)),
        Some(Crd::Underscore) => Ok(()),
        Some(Crd::Int(index)) => {
            let indices = coord_in(Tuple::leaf(index.clone()).view(), layout.shape())?;
            for ((index, extent), stride) in
                indices.leaves().iter().zip(layout.shape().leaves()).zip(layout.stride().leaves())
            {
                out.push((index.clone(), extent.clone(), stride.clone()));
            }
            Ok(())
        }
    }
}
