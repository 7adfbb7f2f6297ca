//! Constructors.

use cute_algebra::{ComposedLayout, Crd, Dim, Inner, Int, Layout, Stride, Tile, Tuple, Width, make_layout};

use super::Call;
use crate::{
    error::{Error, Result},
    types::{body, described},
    value::{CoordTensor, Machine, Value},
};

/// `cute.static`: the type is the value.
pub fn fixed<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let declared = call.declared(0)?;
    let addressed = matches!(declared, Value::Ptr(_) | Value::MemRef(_));
    if addressed || declared.kind().is_none() || !declared.is_static() {
        return Err(Error::Rule(format!(
            "{} is not a fully static value of the dialect",
            described(declared)
        )));
    }
    filled(declared, std::iter::empty())
}

/// `declared` with its dynamic leaves taken from `leaves`, in order.
fn filled<'c, I: Machine>(
    declared: &Value<'c, Dim>,
    mut leaves: impl Iterator<Item = I>,
) -> Result<Value<'c, I>> {
    let mut missing = false;
    let value = declared.try_map(
        |()| Err(Error::Rule(format!("{} is not made of leaves", declared.what()))),
        |d| match d.as_static() {
            Some(value) => I::from_i64(value),
            None => leaves.next().unwrap_or_else(|| {
                missing = true;
                I::from_i64(0)
            }),
        },
    )?;
    if missing { Err(Error::Rule("has fewer leaves than its type".into())) } else { Ok(value) }
}

/// `make_shape` and similar ops: one operand per `?`, depth first, which is a machine integer or a
/// value with one leaf.
pub fn from_leaves<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let declared = call.declared(0)?;
    let mut given = Vec::new();
    for (i, operand) in call.operands.iter().enumerate() {
        match operand.as_ref() {
            Value::Scalar(value) | Value::Assumed(value) => given.push(value.clone()),
            Value::IntTuple(_) | Value::Shape(_) | Value::Coord(_) | Value::Stride(_) => {
                let t = call.integers(i)?;
                if t.leaves().len() != 1 || t.depth() > 1 {
                    let t = super::dims(&t);
                    return Err(Error::Rule(format!(
                        "operand #{i} `{t}` fills one `?`: it must be one leaf"
                    )));
                }
                given.extend(t.leaves().iter().cloned());
            }
            other => {
                return Err(Error::OperandKind {
                    index: i,
                    expected: "i32, i64, index or a value with one leaf",
                    found: other.what(),
                });
            }
        }
    }
    let slots: Vec<Dim> = declared.leaves().into_iter().filter(|d| !d.is_static()).collect();
    if given.len() != slots.len() {
        let expected = format!(
            "{} leaves, one for each `?` of \"{}\" (static leaves and `_` take none)",
            slots.len(),
            body(declared).trim_matches('"')
        );
        return Err(Error::OperandCount { expected, found: given.len() });
    }
    let mut leaves = Vec::with_capacity(given.len());
    for (i, (value, slot)) in given.into_iter().zip(&slots).enumerate() {
        leaves.push(fitted(i, value, *slot)?);
    }
    filled(declared, leaves.into_iter())
}

/// A dynamic leaf must have the width of its slot, and a static one must fit it.
fn fitted<I: Machine>(i: usize, value: I, slot: Dim) -> Result<I> {
    match (value.dim().width(), slot.width()) {
        (Some(found), Some(expected)) if found != expected => Err(Error::SlotWidth {
            leaf: i,
            found: found.bits(),
            slot,
            expected: expected.bits(),
            way_out: match expected {
                Width::I32 => "write `?{i64}`, or truncate first",
                Width::I64 => "write `?`, or extend first",
            },
        }),
        (None, Some(width)) => {
            let n = value.expect_static();
            if width.holds(n) && n % slot.divisor() == 0 {
                return Ok(value.assumed(slot));
            }
            Err(Error::Rule(format!("leaf #{i} is {n}, which is not a value of its slot `{slot}`")))
        }
        _ => Ok(value),
    }
}

/// `make_tuple`: the operands as modes. Machine integers become leaves of the kind of the other
/// operands. If there are only machine integers, or no operands, the result is an int_tuple.
pub fn tuple<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    macro_rules! from {
        ($kind:ident) => {
            |v: &Value<'c, I>| match v {
                Value::$kind(t) => Some(t.clone()),
                _ => None,
            }
        };
    }
    let is_integer = |v: &Value<'c, I>| matches!(v, Value::Scalar(_) | Value::Assumed(_));
    let first = call.operands.iter().position(|v| !is_integer(v));
    let leaf = |i: &I| Some(Tuple::leaf(i.clone()));
    let kind = first.map(|i| call.operand(i).map(|operand| (i, operand))).transpose()?;
    Ok(match kind {
        None | Some((_, Value::IntTuple(_))) => {
            Value::IntTuple(Tuple::from_modes(modes(call, first, from!(IntTuple), leaf)?))
        }
        Some((_, Value::Shape(_))) => {
            Value::Shape(Tuple::from_modes(modes(call, first, from!(Shape), leaf)?))
        }
        Some((_, Value::Stride(_))) => {
            let leaf = |i: &I| Some(Tuple::leaf(Stride::int(i.clone())));
            Value::Stride(Tuple::from_modes(modes(call, first, from!(Stride), leaf)?))
        }
        Some((_, Value::Coord(_))) => {
            let leaf = |i: &I| Some(Tuple::leaf(Crd::Int(i.clone())));
            Value::Coord(Tuple::from_modes(modes(call, first, from!(Coord), leaf)?))
        }
        Some((_, Value::Tile(_))) => {
            Value::Tile(Tile::Modes(modes(call, first, from!(Tile), |i| Some(Tile::Int(i.clone())))?))
        }
        Some((_, Value::Layout(_))) => {
            Value::Layout(Layout::from_modes(modes(call, first, from!(Layout), |_| None)?))
        }
        Some((i, _)) => {
            return call.wrong(i, "an integer, int_tuple, shape, stride, coord, tile or layout");
        }
    })
}

/// Each operand as a mode: of the same kind as operand `first`, or an integer that becomes a leaf
/// of that kind.
fn modes<'c, I: Machine, T>(
    call: &Call<'_, 'c, I>,
    first: Option<usize>,
    own: impl Fn(&Value<'c, I>) -> Option<T>,
    leaf: impl Fn(&I) -> Option<T>,
) -> Result<Vec<T>> {
    let mode = |i: usize| {
        let operand = call.operand(i)?;
        let found = match operand {
            Value::Scalar(n) | Value::Assumed(n) => leaf(n),
            other => own(other),
        };
        found.ok_or_else(|| {
            let first = first.expect("where all are integers, each makes a leaf");
            let (found, kind) = (operand.what(), call.operands[first].what());
            Error::Rule(format!("operands must be of one kind: #{first} is {kind}, but #{i} is {found}"))
        })
    };
    (0..call.operands.len()).map(mode).collect()
}

/// `make_layout`.
pub fn layout<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let shape = call.shape(0)?;
    match call.optional(1) {
        None => Ok(Value::Layout(make_layout(shape)?)),
        Some(Value::Stride(stride)) => Ok(Value::Layout(Layout::new(shape.clone(), stride.clone())?)),
        Some(_) => call.wrong(1, "a stride"),
    }
}

/// `make_composed_layout`.
pub fn composed_layout<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let inner = match call.operand(0)? {
        Value::Swizzle(s) => Inner::Swizzle(*s),
        Value::Layout(l) => l.clone().into(),
        _ => return call.wrong(0, "a swizzle or layout"),
    };
    let composed = ComposedLayout::new(inner, call.int_tuple(1)?.clone(), call.plain(2)?.clone());
    composed.check()?;
    Ok(Value::ComposedLayout(composed))
}

/// `make_identity_layout`: to coordinates, or to indices if compact column-major strides are
/// declared. Both are identities, with different codomains.
pub fn identity_layout<I: Machine>(call: &Call<'_, '_, I>) -> Result<Layout<I>> {
    let shape = call.shape(0)?;
    Ok(match call.declared.first().map(AsRef::as_ref) {
        Some(Value::Layout(declared)) if !declared.has_basis() => cute_algebra::make_layout(shape)?,
        _ => cute_algebra::make_identity_layout(shape)?,
    })
}

/// `make_identity_tensor`: the origin is zero in every mode.
pub fn identity_tensor<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let origin: Tuple<I> = call.shape(0)?.map(|_| I::from_i64(0));
    Ok(Value::CoordTensor(CoordTensor { origin, layout: identity_layout(call)? }))
}

/// `make_ordered_layout`: the order is static.
pub fn ordered_layout<'c, I: Machine>(call: &Call<'_, 'c, I>) -> Result<Value<'c, I>> {
    let (shape, order) = (call.shape(0)?, call.int_tuple(1)?);
    if !order.is_static() {
        let value = super::dims(order).to_string();
        let rule = ": strides follow from it, so it must be static";
        return Err(Error::Dynamic { what: "order", value, rule });
    }
    Ok(Value::Layout(cute_algebra::make_ordered_layout(shape, order)?))
}
