//! Arithmetic on tuples, and equality. The rules are cute-algebra's.

use cute_algebra::{self as algebra, Crd, Int, Tuple};
use cute_ffi::ops::OpKind;

use super::{Call, dims};
use crate::{
    error::{Error, Result},
    value::{Machine, Value},
};

/// An int_tuple or shape.
fn integers<'a, 'c, I: Machine>(call: &'a Call<'_, 'c, I>, i: usize) -> Result<&'a Tuple<I>> {
    match call.operand(i)? {
        Value::IntTuple(t) | Value::Shape(t) => Ok(t),
        _ => call.wrong(i, "an int_tuple or shape"),
    }
}

/// `t` as the kind of operand 0.
fn like<'c, I: Machine>(call: &Call<'_, 'c, I>, t: Tuple<I>) -> Result<Value<'c, I>> {
    Ok(match call.operand(0)? {
        Value::Shape(_) => Value::Shape(t),
        _ => Value::IntTuple(t),
    })
}

fn same_kind<I: Machine>(call: &Call<'_, '_, I>) -> Result<()> {
    let (a, b) = (call.operand(0)?, call.operand(1)?);
    if a.kind().is_some() && a.kind() == b.kind() {
        return Ok(());
    }
    Err(Error::Rule(format!("operands must be of one kind, found {} and {}", a.what(), b.what())))
}

/// `tuple_product` and `tuple_product_each`.
pub fn product<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let t = integers(call, 0)?.view();
    like(
        call,
        match call.kind {
            OpKind::TupleProduct => Tuple::leaf(algebra::product(t)?),
            _ => algebra::sizes_of_modes(t)?,
        },
    )
}

/// `tuple_add` and its kin.
pub fn binary<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let (a, b) = (integers(call, 0)?.view(), integers(call, 1)?.view());
    same_kind(call)?;
    let t = match call.kind {
        OpKind::TupleSub => algebra::tuple_sub(a, b),
        OpKind::TupleMul => algebra::tuple_mul(a, b),
        OpKind::TupleDiv => algebra::tuple_div(a, b),
        OpKind::TupleMod => algebra::tuple_mod(a, b),
        _ => algebra::add_values(a, b),
    };
    like(call, t?)
}

/// `ceil_div`: by a tile, how many tiles cover the modes.
pub fn ceil_div<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let t = integers(call, 0)?;
    let quotient = match call.operand(1)? {
        Value::Tile(tile) => algebra::tiles_in(t.view(), tile)?,
        Value::IntTuple(by) | Value::Shape(by) => algebra::ceil_div(t.view(), by.view())?,
        _ => return call.wrong(1, "an int_tuple, shape or tile"),
    };
    like(call, quotient)
}

/// `shape_div`.
pub fn shape_div<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    Ok(Value::Shape(algebra::shape_div(call.shape(0)?.view(), call.shape(1)?.view())?))
}

/// `increment_coord`.
pub fn increment_coord<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let (coord, shape) = (call.coord(0)?, call.shape(1)?);
    let Some(coord) = coord.to_ints() else {
        let coord = coord.map(|c| c.map(|i| i.dim())).to_string();
        return Err(Error::Underscore { coord, rule: "no coordinate comes after it" });
    };
    Ok(Value::Coord(algebra::increment_coord(&coord, shape)?.to_coord()))
}

/// `equal`: a conjunction over the leaves. The lowering compares run-time leaves.
pub fn equal<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let Some(pairs) = equated(call)? else { return Ok(Value::Flag(Some(false))) };
    let mut all = Some(true);
    for (a, b) in pairs {
        match Int::eq(&a, &b) {
            Some(false) => return Ok(Value::Flag(Some(false))),
            Some(true) => {}
            None => all = None,
        }
    }
    Ok(Value::Flag(all))
}

/// The pairs that `equal` compares; `None` if the structures already differ.
pub fn equated<I: Machine>(call: &Call<'_, '_, I>) -> Result<Option<Vec<(I, I)>>> {
    let (a, b) = (call.operand(0)?, call.operand(1)?);
    let alike = match (a, b) {
        (Value::IntTuple(a), Value::IntTuple(b)) | (Value::Shape(a), Value::Shape(b)) => a.congruent(b),
        (Value::Stride(a), Value::Stride(b)) => strides_alike(a, b),
        (Value::Coord(a), Value::Coord(b)) => a.zip(b).is_some_and(|pairs| {
            pairs.leaves().iter().all(|(a, b)| matches!(a, Crd::Underscore) == matches!(b, Crd::Underscore))
        }),
        (Value::Layout(a), Value::Layout(b)) => {
            a.shape().congruent(b.shape()) && strides_alike(a.stride(), b.stride())
        }
        (Value::IntTuple(_) | Value::Shape(_) | Value::Stride(_) | Value::Coord(_) | Value::Layout(_), _) => {
            same_kind(call)?;
            false
        }
        _ => return call.wrong(0, "an int_tuple, shape, stride, coord or layout"),
    };
    Ok(alike.then(|| a.leaves().into_iter().zip(b.leaves()).collect()))
}

fn strides_alike<I: Machine>(a: &Tuple<algebra::Stride<I>>, b: &Tuple<algebra::Stride<I>>) -> bool {
    a.zip(b)
        .is_some_and(|pairs| pairs.leaves().iter().all(|(a, b)| a.basis() == b.basis() && a.den() == b.den()))
}

/// An `order` of `rank` modes: the numbers 0 to rank - 1, each once.
pub fn check_permutation<I: Machine>(order: &Tuple<I>, rank: usize) -> Result<()> {
    let mut found: Vec<Option<i64>> = order.modes().map(|m| m.as_leaf().and_then(Int::as_static)).collect();
    found.sort_unstable();
    if found.into_iter().eq((0..rank as i64).map(Some)) {
        return Ok(());
    }
    let order = dims(order);
    Err(Error::Rule(format!("the order {order} must have each of 0 to {} once", rank.saturating_sub(1))))
}
