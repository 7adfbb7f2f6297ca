//! Coordinates of threads, partitions, stencils, outer divides, divisibility and fast division. The
//! rules are those of cute-algebra; this file only extracts operands and assembles results.

use cute_algebra::{
    self as algebra, AnyLayout, Assumption, Dim, Domain, LayoutLike, Tile, Tiler, Tuple, Width,
};
use cute_ffi::ops::OpKind;

use super::{Call, moved, with_layout};
use crate::{
    error::{Error, Result},
    partition,
    types::described,
    value::{Machine, Value},
};

/// An operand that consists of one integer.
pub fn integer<I: Machine>(call: &Call<'_, '_, I>, i: usize) -> Result<I> {
    match call.operand(i)? {
        Value::Scalar(n) | Value::Assumed(n) => Ok(n.clone()),
        Value::IntTuple(t) => t.as_leaf().cloned().ok_or_else(|| {
            let t = super::dims(t);
            Error::Rule(format!("operand #{i} `{t}` must be one integer"))
        }),
        _ => call.wrong(i, "i32, i64, index or an int_tuple of one leaf"),
    }
}

/// `get_flat_coord` and `get_hier_coord`.
pub fn coord_of_index<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let (index, layout) = (integer(call, 0)?, call.plain(1)?);
    let coord = match call.kind {
        OpKind::GetFlatCoord => algebra::get_flat_coord(layout, &index)?,
        _ => algebra::get_hier_coord(layout, &index)?,
    };
    Ok(Value::Coord(coord.to_coord()))
}

/// Strict: the index of `idx2crd` lies in the shape.
pub fn check_index(call: &Call<'_, '_, Dim>, domain: Domain) -> Result<()> {
    let index = call.integers(0)?.to_coord();
    Ok(domain.coordinate(&index, call.shape(1)?.view())?)
}

/// `local_partition`.
pub fn local_partition<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let (layout, threads, index) = (call.layout(0)?, call.plain(1)?, integer(call, 2)?);
    if !threads.shape().is_static() {
        let threads = threads.to_dim();
        return Err(Error::Rule(format!(
            "operand #1: the layout of threads {threads} must have a static shape"
        )));
    }
    let index = match algebra::cosize(threads) {
        Ok(count) => index.clone().assuming(Assumption::InRange, &index, &count),
        Err(_) => index,
    };
    let (layout, offset) = match call.kept()? {
        None => algebra::local_partition(&layout, threads, &index)?,
        Some(projection) => algebra::local_partition_projected(&layout, threads, &index, &projection)?,
    };
    moved(call.operand(0)?, layout, &offset)
}

/// `outer_partition`.
pub fn outer_partition<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let (layout, offset) = algebra::outer_partition(&call.layout(0)?, &call.tiler(1)?, call.coord(2)?)?;
    moved(call.operand(0)?, layout, &offset)
}

/// `tiled_partition`.
pub fn tiled_partition<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let (layout, tiler) = (call.layout(1)?, call.tiler(2)?);
    partition::check_tiled_divide(&layout, &tiler, Domain::Extend)?;
    with_layout(call.operand(1)?, algebra::tiled_divide(&layout, &tiler)?)
}

/// `stencil_divide`.
pub fn stencil_divide<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let found = call.operands.len();
    if found > 4 {
        let expected = "at most 4 operands: input, window, step and dilation".into();
        return Err(Error::OperandCount { expected, found });
    }
    let given = |i: usize| call.optional(i).map(|_| call.int_tuple(i)).transpose();
    let divided = algebra::stencil_divide(&call.layout(0)?, call.coord(1)?, given(2)?, given(3)?)?;
    with_layout(call.operand(0)?, divided)
}

/// The outer divides.
pub fn outer_divide<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let (layout, tiler) = (call.layout(0)?, call.tiler(1)?);
    let divided: AnyLayout<I> = match call.kind {
        OpKind::OuterLogicalDivide => algebra::outer_logical_divide(&layout, &tiler)?,
        OpKind::OuterZippedDivide => algebra::outer_zipped_divide(&layout, &tiler)?,
        OpKind::OuterTiledDivide => algebra::outer_tiled_divide(&layout, &tiler)?,
        _ => algebra::outer_flat_divide(&layout, &tiler)?,
    };
    with_layout(call.operand(0)?, divided)
}

/// `nullspace`, `max_common_layout` and `max_common_vector`.
pub fn common<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    Ok(match call.kind {
        OpKind::Nullspace => Value::Layout(algebra::nullspace(call.plain(0)?)?),
        OpKind::MaxCommonLayout => {
            Value::Layout(algebra::max_common_layout(&call.pure_layout(0)?, &call.pure_layout(1)?)?)
        }
        _ => {
            let length = algebra::max_common_vector(&call.layout(0)?, &call.layout(1)?)?;
            Value::IntTuple(Tuple::leaf(I::from_i64(length)))
        }
    })
}

/// `domain_distribute`.
pub fn domain_distribute<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let (shape, count) = (call.shape(0)?, integer(call, 1)?);
    let Some(count) = count.as_static() else {
        let count = count.dim();
        return Err(Error::Rule(format!("operand #1: the count must be static, but is {count}")));
    };
    Ok(Value::Layout(algebra::domain_distribute(shape, count)?))
}

/// `assume`: the program promises the properties in the result type.
pub fn assume<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let value = integer(call, 0)?;
    let declared = call.declared(0)?;
    let Value::Assumed(dim) = declared else {
        return Err(Error::ResultKind { expected: "a !cute.i32 or !cute.i64" });
    };
    if value.dim().width() != dim.width() {
        let (from, to) = (call.operand(0)?.what(), described(declared));
        return Err(Error::Rule(format!("{from} cannot be assumed to be {to}: the widths differ")));
    }
    let divisor = I::from_i64(dim.divisor());
    Ok(Value::Assumed(value.assumed(*dim).assuming(Assumption::Divides, &value, &divisor)))
}

/// `fast_divmod.create_divisor`: four integers, of which the lowering computes the last three.
pub fn divisor<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let unknown = Dim::dynamic(Width::I32, 1);
    let divisor = integer(call, 0)?;
    Ok(Value::FastDivisor(std::array::from_fn(|_| divisor.assumed(unknown))))
}

/// `fast_divmod.compute`: quotient and remainder; their values are the lowering's.
pub fn divmod<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Vec<Value<'c, I>>> {
    let dividend = integer(call, 0)?.assumed(Dim::dynamic(Width::I32, 1));
    match call.operand(1)? {
        Value::FastDivisor(_) => Ok(vec![Value::Scalar(dividend.clone()), Value::Scalar(dividend)]),
        _ => call.wrong(1, "a fast_divmod_divisor"),
    }
}

/// The strict check of outer divides, which is that of a divide of the last modes.
pub fn check_outer_divide(call: &Call<'_, '_, Dim>, domain: Domain) -> Result<()> {
    let (layout, tiler) = (call.layout(0)?, call.tiler(1)?);
    let Tile::Modes(tiles) = tiler.to_tile().into_owned() else {
        return Ok(domain.divide(&algebra::reverse(&layout)?, &algebra::reverse_tiler(&tiler))?);
    };
    let before = layout.outer().rank().saturating_sub(tiles.len());
    let whole = std::iter::repeat_n(Tile::Underscore, before).chain(tiles);
    Ok(domain.divide(&layout, &Tiler::Tile(Tile::Modes(whole.collect())))?)
}
