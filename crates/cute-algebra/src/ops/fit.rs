//! Fitting one shape to another: tiling to a shape, alignment, even division, distribution.
//! `tile_to_shape` repeats a block until it has a given shape: `(2,2):(1,2)` tiled to `(4,4)` is
//! `((2,2),(2,2)):((1,4),(2,8))`.

use crate::{
    basis::Stride,
    composed::{AnyLayout, LayoutLike},
    dim::gcd,
    error::{Error, ModePath, Result},
    int::Int,
    layout::{Layout, compact_from, text},
    ops::{
        coalesce::coalesce,
        cover::{cover_shape, sizes},
        divide::logical_divide,
        inverse::{right_inverse, unmoved},
        size::{ceil_div, product},
    },
    tile::Tiler,
    tuple::{Tuple, TupleRef},
};

/// `block` repeated until it has the shape `target`, in the order of the values of `order` (by
/// default the first mode comes first).
///
/// The static extents of the block must divide the target's.
///
/// ```
/// use cute_algebra::{parse_layout, parse_shape, tile_to_shape};
/// let l = tile_to_shape(&parse_layout("(8,4):(4,1)")?, parse_shape("(16,16)")?.view(), None)?;
/// assert_eq!(l.to_string(), "((8,2),(4,4)):((4,32),(1,64))");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tile_to_shape<L: LayoutLike>(
    block: &L,
    target: TupleRef<'_, L::Leaf>,
    order: Option<&Tuple<L::Leaf>>,
) -> Result<L> {
    let (_, own, wanted) = sizes(block.outer(), target)?;
    if wanted.leaves().iter().all(Int::is_static) && evenly_divides(wanted.view(), own.view())? == Some(false)
    {
        let why = format!("a block of shape {} does not divide {}", text(own.view()), text(target));
        return Err(Error::Unsupported { what: "tile_to_shape", why });
    }
    cover_shape(block, target, order)
}

/// The size of every top-level mode; a leaf gives itself.
pub fn product_each<I: Int>(shape: TupleRef<'_, I>) -> Result<Tuple<I>> {
    if shape.is_leaf() {
        return Ok(shape.to_owned());
    }
    Ok(Tuple::from_leaves(shape.modes().map(product).collect::<Result<Vec<_>>>()?))
}

/// Whether the shape `tiler` divides `shape` without a remainder, mode by mode:
/// `size(a) == size(b) * size(ceil_div(a, b))`. `None` if that depends on dynamic extents.
///
/// ```
/// use cute_algebra::{evenly_divides, parse_shape};
/// assert_eq!(evenly_divides(parse_shape("(128,64)")?.view(), parse_shape("(32,16)")?.view())?, Some(true));
/// assert_eq!(evenly_divides(parse_shape("(128,64)")?.view(), parse_shape("(40,16)")?.view())?, Some(false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn evenly_divides<I: Int>(shape: TupleRef<'_, I>, tiler: TupleRef<'_, I>) -> Result<Option<bool>> {
    if tiler.is_leaf() {
        let covered = product(tiler)?.mul(&product(ceil_div(shape, tiler)?.view())?)?;
        return Ok(product(shape)?.eq(&covered));
    }
    if tiler.rank() > shape.rank() {
        return Ok(Some(false));
    }
    let mut all = Some(true);
    for (mode, tile) in shape.modes().zip(tiler.modes()) {
        match evenly_divides(mode, tile)? {
            Some(false) => return Ok(Some(false)),
            None => all = None,
            Some(true) => {}
        }
    }
    Ok(all)
}

/// The largest `n` for which `upcast(layout, n)` is possible. Dynamic strides count as multiples of
/// any number. Behind a swizzle, `n` also divides the offset and the length of the runs that the
/// swizzle keeps together.
///
/// ```
/// use cute_algebra::{max_alignment, parse_layout_or_composed};
/// let n = |l| max_alignment(&parse_layout_or_composed(l).unwrap());
/// assert_eq!(n("(8,4):(16,1)")?, 4);
/// assert_eq!(n("S<1,4,3> o 0 o (64,4):(1,64)")?, 16);
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn max_alignment<L: LayoutLike>(layout: &L) -> Result<i64> {
    let own = alignment(layout.outer())?;
    Ok(match layout.to_any() {
        AnyLayout::Plain(_) => own,
        AnyLayout::Composed(composed) => {
            let kept = unmoved(&composed).map_or(0, |(_, kept)| kept);
            composed.offset().leaves().iter().fold(gcd(own, kept), |n, offset| gcd(n, offset.dim().divisor()))
        }
    })
}

fn alignment<I: Int>(layout: &Layout<I>) -> Result<i64> {
    let flat = coalesce(layout)?;
    let mut modes = Vec::new();
    for (extent, stride) in flat.flat() {
        // An unknown extent may be 1. An unknown stride counts as a multiple of everything, as 0
        // is.
        let extent = extent.as_static().unwrap_or(1);
        let stride = if stride.is_static() { stride.expect_int("max_alignment")?.as_static() } else { None };
        modes.push((extent, Stride::int(stride.unwrap_or(0))));
    }
    let known = Layout::from_flat(modes)?;
    let permuted = logical_divide(&known, &Tiler::Layout(right_inverse(&known)?))?;
    let contiguous = product(permuted.mode(0)?.shape().view())?;
    let strides = permuted.mode(1)?;
    Ok(strides
        .stride()
        .leaves()
        .iter()
        .filter_map(Stride::as_static)
        .fold(contiguous, |n, d| gcd(n, d.saturating_abs())))
}

/// A layout of about `count` elements spread over `shape`, first mode first, that divides it: per
/// mode it takes the greatest common divisor of the extent and the remaining `count`.
///
/// ```
/// use cute_algebra::{domain_distribute, parse_shape};
/// assert_eq!(domain_distribute(&parse_shape("(15,14)")?, 6)?.to_string(), "(3,2):(1,15)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn domain_distribute<I: Int>(shape: &Tuple<I>, count: i64) -> Result<Layout<I>> {
    let flat = shape.flatten();
    if count < 1 {
        let why = format!("count {count} is not positive");
        return Err(Error::Unsupported { what: "domain_distribute", why });
    }
    let mut left = count;
    let parts = flat.try_map(|extent| {
        let value = extent.as_static().ok_or_else(|| Error::NotStatic {
            what: "domain_distribute",
            value: format!("extent {}", extent.dim()),
        })?;
        let part = gcd(value, left);
        if part == 0 {
            return Err(Error::ExtentNotPositive { path: ModePath::root(), extent: value });
        }
        left /= part;
        Ok(I::from_i64(part))
    })?;
    let (strides, _) = compact_from(flat.view(), I::from_i64(1))?;
    coalesce(&Layout::new(parts, strides)?)
}
