//! The algebra on layouts and on values that contain a layout. The rules are those of cute-algebra;
//! this file only extracts operands and assembles results.

use cute_algebra::{self as algebra, AnyLayout, Int, LayoutLike, Tile, Tuple};
use cute_ffi::ops::OpKind;

use super::{AttributeName, Call, moved, with_layout};
use crate::{
    error::{Error, Result},
    types::bit_width,
    value::{Machine, Value},
};

/// `size`, for everything that has a domain.
pub fn size<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let path = call.attributes.mode_path()?;
    let of = |t: &Tuple<I>| -> Result<I> {
        let mode = t.get(&path).ok_or(algebra::Error::NoSuchMode {
            what: "the operand",
            path: path.iter().copied().collect(),
        })?;
        Ok(algebra::product(mode)?)
    };
    let size = match call.operand(0)? {
        Value::IntTuple(t) | Value::Shape(t) => of(t)?,
        _ => algebra::size_at(&call.layout(0)?, &path)?,
    };
    Ok(Value::IntTuple(Tuple::leaf(size)))
}

/// `cosize`.
pub fn cosize<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    Ok(Value::IntTuple(Tuple::leaf(cosize_of(call)?)))
}

/// `cosize_bits`.
pub fn cosize_bits<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let Some(elem) = call.memref(0)?.iter.elem else { return call.wrong(0, "a memref of elements") };
    let Some(bits) = bit_width(elem) else {
        return Err(Error::NoSize { elem: elem.to_string(), rule: "no bits can be counted".into() });
    };
    Ok(Value::IntTuple(Tuple::leaf(cosize_of(call)?.mul(&I::from_i64(bits.into()))?)))
}

fn cosize_of<I: Machine>(call: &Call<'_, '_, I>) -> Result<I> {
    let layout = call.layout(0)?;
    if layout.as_composed().is_some_and(|l| l.swizzle().is_none()) {
        let layout = layout.map(|i| i.dim()).to_string();
        let rule = "its image is not that of the outer layout";
        return Err(Error::NotSwizzled { layout, rule });
    }
    Ok(algebra::cosize_at(&layout, &call.attributes.mode_path()?)?)
}

/// `crd2idx` and `layout_eval`.
pub fn crd2idx<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let coord = call.coord(0)?;
    Ok(Value::IntTuple(match call.operand(1)? {
        Value::Shape(shape) if call.kind == OpKind::Crd2Idx => {
            Tuple::leaf(algebra::crd2idx_in_shape(coord, shape)?)
        }
        _ => algebra::crd2idx(coord, &call.layout(1)?)?,
    }))
}

/// `idx2crd`.
pub fn idx2crd<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    Ok(Value::Coord(algebra::idx2crd(call.int_tuple(0)?, call.shape(1)?)?.to_coord()))
}

/// `slice`, of tuples, layouts and views.
pub fn slice<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let coord = call.coord(1)?;
    let operand = call.operand(0)?;
    Ok(match operand {
        Value::IntTuple(t) => Value::IntTuple(algebra::slice_tuple(coord, t)?),
        Value::Shape(t) => Value::Shape(algebra::slice_tuple(coord, t)?),
        Value::Stride(t) => Value::Stride(algebra::slice_tuple(coord, t)?),
        Value::Coord(t) => Value::Coord(algebra::slice_tuple(coord, t)?),
        _ => {
            let (layout, offset) = algebra::slice_and_offset(coord, &call.layout(0)?)?;
            moved(operand, layout, &offset)?
        }
    })
}

/// `group_modes`.
pub fn group_modes<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let (begin, end) =
        (call.attributes.index(AttributeName::Begin)?, call.attributes.index(AttributeName::End)?);
    Ok(match call.operand(0)? {
        Value::IntTuple(t) => Value::IntTuple(t.group(begin, end)?),
        Value::Shape(t) => Value::Shape(t.group(begin, end)?),
        Value::Stride(t) => Value::Stride(t.group(begin, end)?),
        Value::Coord(t) => Value::Coord(t.group(begin, end)?),
        operand => with_layout(operand, algebra::group(&call.layout(0)?, begin, end)?)?,
    })
}

/// `flatten`.
pub fn flatten<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    Ok(match call.operand(0)? {
        Value::IntTuple(t) => Value::IntTuple(t.flatten()),
        Value::Shape(t) => Value::Shape(t.flatten()),
        Value::Stride(t) => Value::Stride(t.flatten()),
        Value::Coord(t) => Value::Coord(t.flatten()),
        Value::Tile(t) => {
            let mut out = Vec::new();
            flat_tile(t, &mut out);
            Value::Tile(Tile::Modes(out))
        }
        operand => with_layout(operand, algebra::flatten(&call.layout(0)?)?)?,
    })
}

fn flat_tile<I: Int>(tile: &Tile<I>, out: &mut Vec<Tile<I>>) {
    match tile {
        Tile::Modes(modes) => modes.iter().for_each(|m| flat_tile(m, out)),
        other => out.push(other.clone()),
    }
}

/// `coalesce`, by mode where a profile is given.
pub fn coalesce<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    match call.optional(1) {
        None => call.map_outer(0, algebra::coalesce),
        Some(Value::Coord(profile)) => {
            call.map_outer(0, |layout| algebra::coalesce_profile(layout, profile.view()))
        }
        Some(_) => call.wrong(1, "a coord"),
    }
}

/// `filter`, `filter_zeros` and the inverses.
pub fn unary<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    Ok(match call.kind {
        OpKind::Filter => call.map_outer(0, algebra::filter)?,
        OpKind::FilterZeros => with_layout(call.operand(0)?, filter_zeros(call, &call.layout(0)?)?)?,
        kind => Value::from_layout(match (kind, call.pure_layout(0)?) {
            (OpKind::RightInverse, AnyLayout::Plain(l)) if l.has_basis() => {
                algebra::right_inverse_of_bases(&l)?.into()
            }
            (_, AnyLayout::Plain(l)) if l.has_basis() => algebra::left_inverse_of_bases(&l)?.into(),
            (OpKind::RightInverse, layout) => algebra::right_inverse(&layout)?,
            (_, layout) => algebra::left_inverse(&layout)?,
        }),
    })
}

/// `filter_zeros`, by a profile where one is given.
fn filter_zeros<I: Machine>(call: &Call<'_, '_, I>, layout: &AnyLayout<I>) -> Result<AnyLayout<I>> {
    Ok(match call.optional(1) {
        None => algebra::filter_zeros(layout)?,
        Some(Value::IntTuple(profile)) => algebra::filter_zeros_profile(layout, profile.view())?,
        Some(Value::Stride(profile)) => {
            let zeros = profile.map(|d| if d.is(0) { I::from_i64(0) } else { I::from_i64(1) });
            algebra::filter_zeros_profile(layout, zeros.view())?
        }
        Some(_) => return call.wrong(1, "an int_tuple or stride"),
    })
}

/// `make_layout_like`.
pub fn make_layout_like<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let layout = call.layout(0)?;
    if layout.as_composed().is_some_and(|l| l.swizzle().is_none()) {
        let layout = layout.map(|i| i.dim()).to_string();
        let rule = "only a swizzle keeps the order of strides";
        return Err(Error::NotSwizzled { layout, rule });
    }
    Ok(Value::Layout(algebra::make_layout_like(layout.outer())?))
}

/// `complement`, in a cotarget where one is given.
pub fn complement<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let layout = call.plain(0)?;
    Ok(Value::Layout(match call.optional(1) {
        None if layout.has_basis() => algebra::complement_of_bases(layout)?,
        None => algebra::complement_in_cosize(layout)?,
        Some(Value::Shape(cotarget)) => algebra::complement(layout, cotarget.view())?,
        Some(Value::Layout(cotarget)) => algebra::complement(layout, cotarget.shape().view())?,
        Some(_) => return call.wrong(1, "a shape or layout"),
    }))
}

/// `composition`.
pub fn composition<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let tiler = call.tiler(1)?;
    call.map_outer(0, |layout| algebra::composition(layout, &tiler))
}

/// `logical_divide`, `zipped_divide`, `tiled_divide` and `flat_divide`.
pub fn divide<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let tiler = call.tiler(1)?;
    call.map_outer(0, |layout| match call.kind {
        OpKind::LogicalDivide => algebra::logical_divide(layout, &tiler),
        OpKind::ZippedDivide => algebra::zipped_divide(layout, &tiler),
        OpKind::TiledDivide => algebra::tiled_divide(layout, &tiler),
        _ => unwrapped(call, algebra::flat_divide(layout, &tiler)?),
    })
}

/// CuTe DSL declares the only mode of a tile such as `[64:1]` as `64`; in CuTe C++ it is `(64)`.
/// The function is the same.
fn unwrapped<L: LayoutLike<Leaf: Machine>>(
    call: &Call<'_, '_, L::Leaf>,
    layout: L,
) -> std::result::Result<L, algebra::Error> {
    let Some(declared) = call.declared.first().and_then(|d| d.layout()) else { return Ok(layout) };
    let tile = layout.outer().mode(0)?;
    let bare = declared.outer().shape().mode(0).is_some_and(|m| m.is_leaf());
    if tile.is_leaf() || tile.rank() != 1 || !bare {
        return Ok(layout);
    }
    layout.map_outer(|outer| {
        let modes = outer.modes().skip(1).map(|m| m.to_owned());
        Ok(algebra::Layout::from_modes(std::iter::once(outer.mode(0)?.mode(0)?).chain(modes)))
    })
}

/// `local_tile`.
pub fn local_tile<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let (layout, tiler, coord) = (call.layout(0)?, call.tiler(1)?, call.coord(2)?);
    let (layout, offset) = match call.kept()? {
        None => algebra::local_tile(&layout, &tiler, coord)?,
        Some(projection) => algebra::local_tile_projected(&layout, &tiler, coord, &projection)?,
    };
    moved(call.operand(0)?, unwrapped(call, layout)?, &offset)
}

/// `elem_less`: a conjunction over the leaves. The lowering compares run-time leaves.
pub fn elem_less<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let mut all = Some(true);
    for (a, b) in compared(call)? {
        match a.lt(&b) {
            Some(false) => return Ok(Value::Flag(Some(false))),
            Some(true) => {}
            None => all = None,
        }
    }
    Ok(Value::Flag(all))
}

/// The pairs that `elem_less` compares.
pub fn compared<I: Machine>(call: &Call<'_, '_, I>) -> Result<Vec<(I, I)>> {
    let (a, b) = (call.integers(0)?, call.integers(1)?);
    let mismatch = || {
        let (a, b) = (super::dims(&a), super::dims(&b));
        Error::Rule(format!("operands {a} and {b} are not congruent"))
    };
    Ok(a.zip(&b).ok_or_else(mismatch)?.leaves().to_vec())
}

/// `recast_layout`.
pub fn recast<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let bits = |name| match call.attributes.index(name) {
        Ok(bits) if bits > 0 => Ok(bits as i64),
        _ => Err(Error::Attribute { name: name.name(), expected: "a positive number of bits" }),
    };
    let (new, old) = (bits(AttributeName::NewTypeBits)?, bits(AttributeName::OldTypeBits)?);
    Ok(Value::from_layout(match call.operand(0)? {
        Value::Layout(layout) => algebra::recast_layout(layout, new, old)?.into(),
        Value::ComposedLayout(layout) => algebra::recast_layout(layout, new, old)?.into(),
        _ => return call.wrong(0, "a layout or composed layout"),
    }))
}
