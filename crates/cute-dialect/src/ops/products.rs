//! Products: repeating a layout. The rules are cute-algebra's.

use cute_algebra::{self as algebra, AnyLayout, Arrangement, Layout, LayoutLike, Tile, Tiler, Tuple};
use cute_ffi::ops::OpKind;

use super::{Call, tuples::check_permutation};
use crate::{
    error::{Error, Result},
    value::{Machine, Value},
};

/// A tiler specifies the number and order of copies, so its strides must be integers.
fn check_tiler<I: Machine>(tiler: &Layout<I>) -> Result<()> {
    if !tiler.has_basis() {
        return Ok(());
    }
    let tiler = tiler.map(|i| i.dim());
    Err(Error::Rule(format!("the tiler {tiler} has basis strides, but integer strides are required")))
}

fn check_tile<I: Machine>(tile: &Tile<I>) -> Result<()> {
    match tile {
        Tile::Layout(layout) => check_tiler(layout),
        Tile::Modes(modes) => modes.iter().try_for_each(check_tile),
        Tile::Int(_) | Tile::Underscore => Ok(()),
    }
}

/// `logical_product`, `zipped_product`, `tiled_product` and `flat_product`.
pub fn by_tiler<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let (block, tiler): (_, Tiler<I>) = (call.pure_layout(0)?, call.tiler(1)?);
    check_tile(&tiler.to_tile())?;
    if block.outer().has_basis() {
        return of_bases(call, &block);
    }
    Ok(Value::from_layout(match call.kind {
        OpKind::LogicalProduct => algebra::logical_product(&block, &tiler)?,
        OpKind::ZippedProduct => algebra::zipped_product(&block, &tiler)?,
        OpKind::TiledProduct => algebra::tiled_product(&block, &tiler)?,
        _ => algebra::flat_product(&block, &tiler)?,
    }))
}

/// `blocked_product` and `raked_product`.
pub fn ranked<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let (block, tiler) = (call.pure_layout(0)?, call.plain(1)?);
    check_tiler(tiler)?;
    if block.outer().has_basis() {
        return of_bases(call, &block);
    }
    let product = match call.kind {
        OpKind::BlockedProduct => algebra::blocked_product(&block, tiler)?,
        _ => algebra::raked_product(&block, tiler)?,
    };
    // CuTe DSL 4.3 declares each mode coalesced: the same function.
    let declared = call.declared.first().and_then(|v| v.layout());
    if declared.is_some_and(|d| !d.outer().shape().congruent(product.outer().shape())) {
        let by_mode = Tuple::from_leaves(vec![1i64; product.outer().rank()]);
        let coalesced = algebra::coalesce_profile(&product, by_mode.view())?;
        if call.declared(0)?.layout().is_some_and(|d| d.outer().shape().congruent(coalesced.outer().shape()))
        {
            return Ok(Value::from_layout(coalesced));
        }
    }
    Ok(Value::from_layout(product))
}

/// Any product of a block with basis strides.
fn of_bases<'c, I: Machine>(call: &Call<'_, 'c, I>, block: &AnyLayout<I>) -> Result<Value<'c, I>> {
    let tiler = call.plain(1)?;
    if !tiler.is_static() {
        let (block, tiler) = (block.outer().map(|i| i.dim()), tiler.map(|i| i.dim()));
        return Err(Error::Rule(format!(
            "the tiler {tiler} is dynamic, but a block with basis strides such as {block} needs a static one"
        )));
    }
    let arrangement = match call.kind {
        OpKind::TiledProduct => Arrangement::Tiled,
        OpKind::FlatProduct => Arrangement::Flat,
        OpKind::BlockedProduct => Arrangement::Blocked,
        OpKind::RakedProduct => Arrangement::Raked,
        _ => Arrangement::Pair,
    };
    Ok(Value::from_layout(algebra::product_of_bases(block, tiler, arrangement)?))
}

/// The order operand of `tile_to_shape`.
pub fn order<'a, I: Machine>(call: &'a Call<'_, '_, I>) -> Result<Option<&'a Tuple<I>>> {
    if call.optional(2).is_none() {
        return Ok(None);
    }
    let order = call.int_tuple(2)?;
    check_permutation(order, call.shape(1)?.rank())?;
    Ok(Some(order))
}

/// `tile_to_shape`, rounded up if the block does not divide the shape.
pub fn tile_to_shape<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let (block, target) = (call.pure_layout(0)?, call.shape(1)?);
    let (found, expected) = (block.outer().rank(), target.rank());
    if found > expected {
        let path = std::iter::empty().collect();
        return Err(algebra::Error::Rank { what: "the block", path, found, rule: "at most", expected }.into());
    }
    Ok(Value::from_layout(algebra::cover_shape(&block, target.view(), order(call)?)?))
}
