//! Sizes: the number of coordinates of a layout, and the extent of its values. `(4,8):(2,16)` has
//! size 32 and cosize 119, because its largest value is 3 * 2 + 7 * 16 = 118.

use crate::{
    basis::{Basis, Stride},
    composed::LayoutLike,
    error::{Error, ModePath, Result},
    int::{Assumption, Int},
    layout::{Layout, LayoutRef, text},
    tuple::{Tuple, TupleRef},
};

/// Product of all leaves; 1 for `()`.
///
/// ```
/// use cute_algebra::{parse_int_tuple, product};
/// assert_eq!(product(parse_int_tuple("(4,(2,?{div=8}))")?.view())?.to_string(), "?{div=64}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn product<I: Int>(tuple: TupleRef<'_, I>) -> Result<I> {
    let mut leaves = tuple.leaves().iter();
    let first = leaves.next().cloned().unwrap_or_else(|| I::from_i64(1));
    leaves.try_fold(first, |size, leaf| size.mul(leaf))
}

/// Number of coordinates of a layout: the product of its extents.
///
/// ```
/// use cute_algebra::{parse_layout, size};
/// assert_eq!(size(&parse_layout("((2,2),4):((1,4),8)")?)?.to_string(), "16");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn size<L: LayoutLike>(layout: &L) -> Result<L::Leaf> {
    product(layout.outer().shape().view())
}

/// Number of coordinates of the mode at `path`, outermost first.
pub fn size_at<L: LayoutLike>(layout: &L, path: &[usize]) -> Result<L::Leaf> {
    product(mode_at(layout.outer(), path)?.shape())
}

/// The smallest codomain that holds every value: per codomain mode `1 + sum((s_i - 1) * |d_i|)`.
///
/// ```
/// use cute_algebra::{coshape, parse_layout};
/// assert_eq!(coshape(&parse_layout("(4,3):(1@0,2@1)")?)?.to_string(), "(4,5)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn coshape<I: Int>(layout: &Layout<I>) -> Result<Tuple<I>> {
    coshape_of(layout.view())
}

fn coshape_of<I: Int>(layout: LayoutRef<'_, I>) -> Result<Tuple<I>> {
    let one = I::from_i64(1);
    let mut last = coprofile(layout)?;
    for (extent, stride) in layout.shape().leaves().iter().zip(layout.stride().leaves()) {
        let reach = stride.try_map(I::abs)?.eval(&extent.sub(&one)?)?;
        last = add_values(last.view(), reach.view())?;
    }
    last.try_map(|c| c.add(&one))
}

/// A zero of the codomain: `0` for integer strides, a tuple of zeros that holds every basis
/// otherwise.
pub(crate) fn coprofile<I: Int>(layout: LayoutRef<'_, I>) -> Result<Tuple<I>> {
    let mut zero = Tuple::leaf(I::from_i64(0));
    let mut last = Basis::NONE;
    for stride in layout.stride().leaves() {
        if stride.basis() != last {
            last = stride.basis();
            zero = add_values(zero.view(), last.at(I::from_i64(0))?.view())?;
        }
    }
    Ok(zero)
}

/// One more than the largest value, for non-negative strides: the size of the [`coshape`].
///
/// A composed layout has the cosize of its outer layout, which is exact for a swizzle.
///
/// ```
/// use cute_algebra::{cosize, parse_layout};
/// assert_eq!(cosize(&parse_layout("8:2")?)?.to_string(), "15");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cosize<L: LayoutLike>(layout: &L) -> Result<L::Leaf> {
    product(coshape(layout.outer())?.view())
}

/// The cosize of the mode at `path`, outermost first.
pub fn cosize_at<L: LayoutLike>(layout: &L, path: &[usize]) -> Result<L::Leaf> {
    product(coshape_of(mode_at(layout.outer(), path)?)?.view())
}

/// The mode at `path`, or an error if it does not exist.
pub(crate) fn mode_at<'a, I: Int>(layout: &'a Layout<I>, path: &[usize]) -> Result<LayoutRef<'a, I>> {
    let missing =
        || Error::NoSuchMode { what: "the layout", path: path.iter().copied().collect::<ModePath>() };
    layout.view().get(path).ok_or_else(missing)
}

/// Sum of two codomain values. A static 0 is neutral; tuples add mode by mode, the shorter one
/// padded with zeros.
///
/// ```
/// use cute_algebra::{add_values, parse_int_tuple};
/// let sum = add_values(parse_int_tuple("(1,(2,3))")?.view(), parse_int_tuple("(4,0,5)")?.view())?;
/// assert_eq!(sum.to_string(), "(5,(2,3),5)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn add_values<I: Int>(lhs: TupleRef<'_, I>, rhs: TupleRef<'_, I>) -> Result<Tuple<I>> {
    match (lhs.as_leaf(), rhs.as_leaf()) {
        (Some(a), _) if a.is(0) => Ok(rhs.to_owned()),
        (_, Some(b)) if b.is(0) => Ok(lhs.to_owned()),
        (Some(a), Some(b)) => Ok(Tuple::leaf(a.add(b)?)),
        (None, None) => {
            let (mut left, mut right) = (lhs.modes(), rhs.modes());
            let mut modes = Vec::with_capacity(left.len().max(right.len()));
            loop {
                modes.push(match (left.next(), right.next()) {
                    (Some(a), Some(b)) => add_values(a, b)?,
                    (Some(one), None) | (None, Some(one)) => one.to_owned(),
                    (None, None) => return Ok(Tuple::from_modes(modes)),
                });
            }
        }
        _ => Err(Error::MixedSum { lhs: text(lhs), rhs: text(rhs) }),
    }
}

/// `ceil(a / b)` leaf by leaf. An integer divisor is divided through the modes in order: `(4,5,6)`
/// by 40 is `(1,1,3)`. Static divisors must be positive.
///
/// ```
/// use cute_algebra::{ceil_div, parse_shape};
/// let by = |b| ceil_div(parse_shape("(128,130)").unwrap().view(), parse_shape(b).unwrap().view());
/// assert_eq!(by("(40,64)")?.to_string(), "(4,3)");
/// assert_eq!(by("512")?.to_string(), "(1,33)");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn ceil_div<I: Int>(a: TupleRef<'_, I>, b: TupleRef<'_, I>) -> Result<Tuple<I>> {
    match (a.as_leaf(), b.as_leaf()) {
        (Some(x), _) => Ok(Tuple::leaf(x.ceil_div(&divisor("ceil_div", product(b)?)?)?)),
        (None, Some(by)) => {
            let mut rest = by.clone();
            let mut modes = Vec::with_capacity(a.rank());
            for mode in a.modes() {
                modes.push(ceil_div(mode, Tuple::leaf(rest.clone()).view())?);
                rest = rest.ceil_div(&product(mode)?)?;
            }
            Ok(Tuple::from_modes(modes))
        }
        (None, None) => {
            if b.rank() > a.rank() {
                let (found, expected) = (b.rank(), a.rank());
                return Err(Error::Rank {
                    what: "the divisor",
                    path: ModePath::root(),
                    found,
                    rule: "at most",
                    expected,
                });
            }
            let mode = |(i, m): (usize, TupleRef<'_, I>)| match b.mode(i) {
                Some(divisor) => ceil_div(m, divisor).map_err(|e| e.inside(i)),
                None => Ok(m.to_owned()),
            };
            Ok(Tuple::from_modes(a.modes().enumerate().map(mode).collect::<Result<Vec<_>>>()?))
        }
    }
}

/// Checks a divisor of extents: it must not be negative, because then the quotient would not be
/// rounded up.
fn divisor<I: Int>(what: &'static str, divisor: I) -> Result<I> {
    match divisor.as_static() {
        Some(n) if n < 0 => Err(Error::Unsupported { what, why: format!("the divisor {n} is negative") }),
        _ => Ok(divisor),
    }
}

/// CuTe's shape division: `ceil(a / b)` where of two static leaves one must divide the other.
///
/// ```
/// use cute_algebra::{parse_shape, shape_div};
/// assert_eq!(shape_div(parse_shape("(4,5,6)")?.view(), parse_shape("40")?.view())?.to_string(), "(1,1,3)");
/// assert!(shape_div(parse_shape("128")?.view(), parse_shape("40")?.view()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn shape_div<I: Int>(a: TupleRef<'_, I>, b: TupleRef<'_, I>) -> Result<Tuple<I>> {
    let leaf = |x: &I, y: &I| {
        if let (Some(lhs), Some(rhs)) = (x.as_static(), y.as_static())
            && x.divisible_by(y) == Some(false)
            && y.divisible_by(x) == Some(false)
        {
            return Err(Error::Divisibility {
                what: "shape_div",
                path: ModePath::root(),
                lhs,
                rule: "does not divide, and is not divided by,",
                rhs,
            });
        }
        Ok(x.ceil_div(y)?.assuming(Assumption::Commensurable, x, y))
    };
    match (a.as_leaf(), b.as_leaf()) {
        (Some(x), _) => Ok(Tuple::leaf(leaf(x, &divisor("shape_div", product(b)?)?)?)),
        (None, Some(by)) => {
            let mut rest = by.clone();
            let mut modes = Vec::with_capacity(a.rank());
            for mode in a.modes() {
                modes.push(shape_div(mode, Tuple::leaf(rest.clone()).view())?);
                rest = leaf(&rest, &product(mode)?)?;
            }
            Ok(Tuple::from_modes(modes))
        }
        (None, None) => {
            if b.rank() != a.rank() {
                let (found, expected) = (b.rank(), a.rank());
                return Err(Error::Rank {
                    what: "the divisor",
                    path: ModePath::root(),
                    found,
                    rule: "exactly",
                    expected,
                });
            }
            let modes = a.modes().zip(b.modes()).enumerate();
            let modes = modes.map(|(i, (x, y))| shape_div(x, y).map_err(|e| e.inside(i)));
            Ok(Tuple::from_modes(modes.collect::<Result<Vec<_>>>()?))
        }
    }
}

/// Whether any coordinate of a shape `a` is also one of `b`, with equal sizes: each leaf of `a` is
/// the size of the corresponding part of `b`. `None` if that depends on dynamic extents.
///
/// ```
/// use cute_algebra::{compatible, parse_shape};
/// let a = parse_shape("(16,8)")?;
/// assert_eq!(compatible(a.view(), parse_shape("((4,4),8)")?.view())?, Some(true));
/// assert_eq!(compatible(a.view(), parse_shape("128")?.view())?, Some(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compatible<I: Int>(a: TupleRef<'_, I>, b: TupleRef<'_, I>) -> Result<Option<bool>> {
    if let Some(extent) = a.as_leaf() {
        return Ok(extent.eq(&product(b)?));
    }
    if b.is_leaf() || a.rank() != b.rank() {
        return Ok(Some(false));
    }
    let mut all = Some(true);
    for (x, y) in a.modes().zip(b.modes()) {
        match compatible(x, y)? {
            Some(false) => return Ok(Some(false)),
            None => all = None,
            Some(true) => {}
        }
    }
    Ok(all)
}

/// The integer strides of a layout, or an error if there are others; `what` names the operation
/// that needs them.
pub(crate) fn int_strides<I: Int>(layout: &Layout<I>, what: &'static str) -> Result<Vec<I>> {
    layout.stride().leaves().iter().map(|d: &Stride<I>| d.expect_int(what).cloned()).collect()
}
