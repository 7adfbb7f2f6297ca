//! Accessors: parts of values, and the same integers as another kind.

use cute_algebra::{AnyLayout, Crd, Inner, LayoutLike, Stride, Tile, Tuple, TupleRef};
use cute_ffi::ops::OpKind;

use super::{AttributeName, Call};
use crate::{
    error::{Error, Result},
    value::{Machine, Value},
};

/// `get_shape` of a layout, composed layout, view or tile.
pub fn shape<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    if let Value::Tile(tile) = call.operand(0)? {
        return tile_shape(tile).map(Value::Shape);
    }
    Ok(Value::Shape(call.layout(0)?.outer().shape().clone()))
}

fn tile_shape<I: Machine>(tile: &Tile<I>) -> Result<Tuple<I>> {
    match tile {
        Tile::Layout(layout) => Ok(layout.shape().clone()),
        Tile::Int(n) => Ok(Tuple::leaf(n.clone())),
        Tile::Underscore => Err(Error::Rule("a tile with `_` has no shape".into())),
        Tile::Modes(modes) => {
            Ok(Tuple::from_modes(modes.iter().map(tile_shape).collect::<Result<Vec<_>>>()?))
        }
    }
}

/// `get_stride` of a layout.
pub fn stride<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    Ok(Value::Stride(call.plain(0)?.stride().clone()))
}

fn composed<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<cute_algebra::ComposedLayout<I>> {
    match call.layout(0)? {
        AnyLayout::Composed(layout) => Ok(layout),
        AnyLayout::Plain(_) => call.wrong(0, "a composed layout"),
    }
}

/// `composed_get_inner`.
pub fn inner<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    Ok(match composed(call)?.inner() {
        Inner::Swizzle(s) => Value::Swizzle(*s),
        Inner::Layout(l) => Value::Layout((**l).clone()),
    })
}

/// `composed_get_offset`.
pub fn offset<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    Ok(Value::IntTuple(composed(call)?.offset().clone()))
}

/// `composed_get_outer`.
pub fn outer<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    Ok(Value::Layout(composed(call)?.outer().clone()))
}

/// `to_int_tuple` and its kin.
pub fn cast<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let t = call.integers(0)?;
    Ok(match call.kind {
        OpKind::ToCoord => Value::Coord(t.to_coord()),
        OpKind::ToShape => Value::Shape(t),
        OpKind::ToStride => Value::Stride(t.map(|i| Stride::int(i.clone()))),
        _ => Value::IntTuple(t),
    })
}

/// `get`: the sub-value at a mode path.
pub fn get<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let path = call.attributes.mode_path()?;
    let none =
        || cute_algebra::Error::NoSuchMode { what: "the operand", path: path.iter().copied().collect() };
    fn at<'a, T>(t: &'a Tuple<T>, path: &[usize]) -> Option<TupleRef<'a, T>> {
        t.get(path)
    }
    Ok(match call.operand(0)? {
        Value::IntTuple(t) => Value::IntTuple(at(t, &path).ok_or_else(none)?.to_owned()),
        Value::Shape(t) => Value::Shape(at(t, &path).ok_or_else(none)?.to_owned()),
        Value::Stride(t) => Value::Stride(at(t, &path).ok_or_else(none)?.to_owned()),
        Value::Coord(t) => Value::Coord(at(t, &path).ok_or_else(none)?.to_owned()),
        Value::Tile(t) => {
            let step = |tile: Option<Tile<I>>, &i: &usize| match tile? {
                Tile::Modes(modes) => modes.into_iter().nth(i),
                _ => None,
            };
            let whole = path == [0] && !matches!(t, Tile::Modes(_));
            let path = if whole { &[] } else { path.as_slice() };
            Value::Tile(path.iter().fold(Some(t.clone()), step).ok_or_else(none)?)
        }
        _ => Value::from_layout(cute_algebra::get(&call.layout(0)?, &path)?),
    })
}

/// `get_leaves`: each leaf as a value of the same kind and depth 0.
pub fn leaves<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    Ok(match call.operand(0)? {
        Value::IntTuple(t) | Value::ArithTupleIter(t) => {
            t.leaves().iter().map(|i| Value::IntTuple(Tuple::leaf(i.clone()))).collect()
        }
        Value::Shape(t) => t.leaves().iter().map(|i| Value::Shape(Tuple::leaf(i.clone()))).collect(),
        Value::Stride(t) => t.leaves().iter().map(|d| Value::Stride(Tuple::leaf(d.clone()))).collect(),
        Value::Coord(t) => t.leaves().iter().map(|c| Value::Coord(Tuple::leaf(c.clone()))).collect(),
        Value::Tile(t) => {
            let mut out = Vec::new();
            tile_leaves(t, &mut out);
            out
        }
        _ => return call.wrong(0, "an int_tuple, shape, stride, coord or tile"),
    })
}

fn tile_leaves<'c, I: Machine>(tile: &Tile<I>, out: &mut Vec<Value<'c, I>>) {
    match tile {
        Tile::Modes(modes) => modes.iter().for_each(|m| tile_leaves(m, out)),
        Tile::Layout(layout) => out.push(Value::Layout(layout.clone())),
        other => out.push(Value::Tile(other.clone())),
    }
}

/// `get_scalars`: each integer leaf as a machine integer; a static one is a constant of 32 bits if
/// it fits. For a swizzle: bits, base and shift. For a stride along a mode: its factor, then the
/// indices of the mode in the order of the text.
pub fn scalars<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let operand = call.operand(0)?;
    if operand.kind().is_none() {
        return call.wrong(0, "a value of the cute dialect");
    }
    if let Value::Coord(c) = operand
        && c.leaves().iter().any(|leaf| matches!(leaf, Crd::Underscore))
    {
        return Err(Error::Rule("`_` is not an integer".into()));
    }
    let only_dynamic = call.attributes.has(AttributeName::OnlyDynamic);
    if let (Value::Swizzle(s), false) = (operand, only_dynamic) {
        let fields = [i64::from(s.bits()), i64::from(s.base()), i64::from(s.shift())];
        return Ok(fields.map(|n| Value::Scalar(I::from_i64(n))).to_vec());
    }
    if let (Value::Stride(stride), false) = (operand, only_dynamic) {
        let mut scalars = Vec::new();
        for d in stride.leaves() {
            if d.den() != 1 {
                let d = d.map(|i| i.dim());
                return Err(Error::Rule(format!("the stride {d} is not an integer")));
            }
            let path = d.basis().expect_path("get_scalars")?;
            scalars.push(d.scale().clone());
            scalars.extend(path.into_iter().rev().map(|i| I::from_i64(i as i64)));
        }
        return Ok(scalars.into_iter().map(Value::Scalar).collect());
    }
    let keep = |i: &I| !(only_dynamic && i.is_static());
    Ok(operand.leaves().into_iter().filter(keep).map(Value::Scalar).collect())
}
