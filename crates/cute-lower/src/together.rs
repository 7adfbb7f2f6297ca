//! How many elements of a view one load or store takes, as far as its type tells.

use cute_algebra::{self as algebra, AnyLayout, Crd, Tuple};
use cute_dialect::{
    error::{Error, Result},
    value::{Machine, MemRef, Ptr},
};

/// Bytes of the widest access.
pub const WIDEST: i64 = 16;

/// The elements of a static view, in the order of its coordinates.
pub fn elements<'c, I: Machine>(view: &MemRef<'c, I>) -> Result<Vec<Ptr<'c, I>>> {
    let size = algebra::size(&view.layout)?;
    let size = size.as_static().ok_or_else(|| {
        Error::Rule(format!("the view {} is dynamic, but a vector has a static size", view.layout.to_dim()))
    })?;
    let at = |i: i64| {
        let coord = Tuple::leaf(Crd::Int(I::from_i64(i)));
        let offset = algebra::crd2idx(&coord, &view.layout)?;
        view.iter.advance(offset.expect_int("an address")?)
    };
    (0..size).map(at).collect()
}

/// The length of each contiguous run: the contiguous extent of the first mode.
pub fn neighbours<I: Machine>(view: &MemRef<'_, I>) -> i64 {
    let AnyLayout::Plain(layout) = &view.layout else { return 1 };
    let Ok(layout) = algebra::coalesce(layout) else { return 1 };
    let first = layout.flat().next().filter(|(_, stride)| stride.is(1));
    let first = first.and_then(|(extent, _)| extent.as_static());
    if view.iter.swizzle.is_identity() { first.unwrap_or(1).max(1) } else { 1 }
}

/// The number of elements per access: the whole contiguous run if nothing else remains, otherwise
/// as many as fit into 16 bytes and as the known alignment of every address allows.
pub fn together<I: Machine>(view: &MemRef<'_, I>, elements: &[Ptr<'_, I>]) -> usize {
    let Some(bits @ 8..) = view.iter.bits() else { return 1 };
    let (side_by_side, all) = (neighbours(view), elements.len() as i64);
    let bytes = |count: i64| count * i64::from(bits) / 8;
    let aligned = |count: i64| {
        let every = elements.iter().step_by(count as usize);
        bytes(count) > 0 && every.clone().all(|ptr| ptr.align % bytes(count) == 0)
    };
    if side_by_side == all && aligned(all) {
        return elements.len();
    }
    let mut count = 1 << side_by_side.trailing_zeros().min(8);
    while count > 1 && (bytes(count) > WIDEST || !aligned(count)) {
        count /= 2;
    }
    count as usize
}
