//! Selecting and adding modes of values that have modes.

use cute_algebra::{self as algebra, Int, Layout, LayoutLike, Tile, Tuple};
use cute_ffi::ops::OpKind;

use super::{AttributeName, Call, with_layout};
use crate::{
    error::{Error, Result},
    value::{Machine, Value},
};

/// `select`: top-level modes, in the order of their indices.
pub fn select<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let modes = call.attributes.mode_path()?;
    Ok(match call.operand(0)? {
        Value::IntTuple(t) => Value::IntTuple(t.select(&modes)?),
        Value::Shape(t) => Value::Shape(t.select(&modes)?),
        Value::Stride(t) => Value::Stride(t.select(&modes)?),
        Value::Coord(t) => Value::Coord(t.select(&modes)?),
        Value::Tile(t) => {
            let slot = |&i: &usize| {
                let found = match t {
                    Tile::Modes(modes) => modes.get(i),
                    one => (i == 0).then_some(one),
                };
                let missing =
                    || algebra::Error::NoSuchMode { what: "the tile", path: [i].into_iter().collect() };
                found.cloned().ok_or_else(missing)
            };
            Value::Tile(Tile::Modes(modes.iter().map(slot).collect::<std::result::Result<_, _>>()?))
        }
        // A composed layout stays composed, even if its inner function is the identity.
        Value::ComposedLayout(l) => Value::ComposedLayout(algebra::select(l, &modes)?),
        operand => with_layout(operand, algebra::select(&call.layout(0)?, &modes)?)?,
    })
}

/// `get_layouts_from_tile`: each layout, an extent n as n:1.
pub fn layouts_from_tile<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    fn walk<I: Int>(tile: &Tile<I>, out: &mut Vec<Layout<I>>) -> Result<()> {
        match tile {
            Tile::Modes(modes) => return modes.iter().try_for_each(|m| walk(m, out)),
            Tile::Layout(layout) => out.push(layout.clone()),
            Tile::Int(n) => out.push(algebra::make_layout(&Tuple::leaf(n.clone()))?),
            Tile::Underscore => {}
        }
        Ok(())
    }
    let Value::Tile(tile) = call.operand(0)? else { return call.wrong(0, "a tile") };
    let mut layouts = Vec::new();
    walk(tile, &mut layouts)?;
    if layouts.is_empty() {
        let tile = tile.map(&mut |i: &I| i.dim());
        return Err(Error::Rule(format!("the tile {tile} has no layout, only `_`")));
    }
    Ok(layouts.into_iter().map(Value::Layout).collect())
}

/// `dice`: the modes that a static coordinate fixes.
pub fn dice<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let coord = match (call.optional(1), call.attributes.coord(AttributeName::Coord)?) {
        (Some(_), Some(_)) => return Err(Error::Rule("the coordinate is given twice".into())),
        (Some(_), None) => call.coord(1)?.map(|c| c.map(|i| i.dim())),
        (None, Some(coord)) => coord.clone(),
        (None, None) => return Err(Error::Rule("the coordinate is missing".into())),
    };
    let coord = crate::call::kept(&coord)?;
    Ok(match call.operand(0)? {
        Value::IntTuple(t) => Value::IntTuple(algebra::dice_tuple(&coord, t)?),
        Value::Shape(t) => Value::Shape(algebra::dice_tuple(&coord, t)?),
        Value::Stride(t) => Value::Stride(algebra::dice_tuple(&coord, t)?),
        Value::Coord(t) => Value::Coord(algebra::dice_tuple(&coord, t)?),
        Value::Tile(t) => Value::Tile(algebra::dice_tile(&coord, t)?),
        Value::Layout(_) | Value::ComposedLayout(_) => {
            Value::from_layout(algebra::dice(&coord, &call.layout(0)?)?)
        }
        _ => return call.wrong(0, "an int_tuple, shape, stride, coord, tile, layout or composed layout"),
    })
}

fn padded<L: LayoutLike>(layout: &L, rank: usize, element: &Layout<L::Leaf>, at_end: bool) -> Result<L> {
    Ok(layout.map_outer(|outer| match at_end {
        _ if outer.rank() >= rank => Ok(outer.clone()),
        true => algebra::append_to_rank_with(outer, rank, element),
        false => algebra::prepend_to_rank_with(outer, rank, element),
    })?)
}

/// `append_to_rank` and `prepend_to_rank`.
pub fn to_rank<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let rank = match call.attributes.index(AttributeName::Rank) {
        Ok(rank) if rank > 0 => rank,
        _ => return Err(Error::Attribute { name: "rank", expected: "a positive integer" }),
    };
    let at_end = call.kind == OpKind::AppendToRank;
    let (operand, element) = (call.operand(0)?, call.operand(1)?);
    Ok(match (operand, element) {
        (Value::IntTuple(t), Value::IntTuple(e)) => Value::IntTuple(algebra::pad_tuple(t, rank, e, at_end)?),
        (Value::Shape(t), Value::Shape(e)) => Value::Shape(algebra::pad_tuple(t, rank, e, at_end)?),
        (Value::Stride(t), Value::Stride(e)) => Value::Stride(algebra::pad_tuple(t, rank, e, at_end)?),
        (Value::Coord(t), Value::Coord(e)) => Value::Coord(algebra::pad_tuple(t, rank, e, at_end)?),
        (Value::Layout(l), Value::Layout(e)) => Value::Layout(padded(l, rank, e, at_end)?),
        (Value::ComposedLayout(l), Value::Layout(e)) => Value::ComposedLayout(padded(l, rank, e, at_end)?),
        (Value::Layout(_) | Value::ComposedLayout(_), _) => return call.wrong(1, "a layout"),
        (Value::IntTuple(_) | Value::Shape(_) | Value::Stride(_) | Value::Coord(_), _) => {
            return Err(Error::Rule(format!(
                "the element must be of the kind of the operand, found {} for {}",
                element.what(),
                operand.what()
            )));
        }
        _ => return call.wrong(0, "an int_tuple, shape, stride, coord, layout or composed layout"),
    })
}
