//! Values of the `math` dialect: scalars and vectors of floats, their constants, and their
//! individual elements.

use cute_ffi::{
    ir,
    lowered::{element_of, vector_of, vector_parts},
};
use melior::ir::{
    Attribute, Type, Value,
    attribute::{DenseElementsAttribute, FloatAttribute},
    operation::{OperationLike, OperationRef},
};

use crate::{Builder, Built};

/// The scalar or vector type with another element type.
pub fn with_element<'c>(t: Type<'c>, element: Type<'c>) -> Type<'c> {
    vector_parts(t).map_or(element, |(extents, _)| vector_of(&extents, element))
}

/// A constant of a float type, or a vector with this constant in every element.
pub fn constant<'c>(b: &Builder<'c>, t: Type<'c>, value: f64) -> Built<Value<'c, 'c>> {
    let one: Attribute = FloatAttribute::new(b.context(), element_of(t), value).into();
    let value = match vector_parts(t) {
        None => one,
        Some(_) => DenseElementsAttribute::new(t, &[one]).expect("the element is one of the vector").into(),
    };
    b.typed("arith.constant", &[], t, &[("value", value)])
}

/// Values of f32 from those of f32 or narrower floats.
pub fn to_single<'c>(b: &Builder<'c>, values: &[Value<'c, 'c>]) -> Built<Vec<Value<'c, 'c>>> {
    let single = Type::float32(b.context());
    let extend = |value: &Value<'c, 'c>| {
        let t = ir::type_of(*value);
        if element_of(t) == single {
            return Ok(*value);
        }
        b.typed("arith.extf", &[*value], with_element(t, single), &[])
    };
    values.iter().map(extend).collect()
}

/// A vector as one of rank 1, and a scalar as it is.
pub fn flat<'c>(b: &Builder<'c>, value: Value<'c, 'c>) -> Built<Value<'c, 'c>> {
    match vector_parts(ir::type_of(value)) {
        Some((extents, element)) if extents.len() != 1 => {
            b.typed("vector.shape_cast", &[value], vector_of(&[extents.iter().product()], element), &[])
        }
        _ => Ok(value),
    }
}

/// The flags of an op, in the form that its replacement takes.
pub fn flags<'c>(op: OperationRef<'c, '_>) -> Vec<(&'static str, Attribute<'c>)> {
    op.attribute("fastmath").map(|flags| ("fastmath", flags)).into_iter().collect()
}

/// Applies `f` to each `group` adjacent elements of vectors of rank 1, or to scalars. `f` receives
/// scalars, or vectors of `group` elements.
pub fn by_element<'c>(
    b: &Builder<'c>,
    values: &[Value<'c, 'c>],
    group: usize,
    f: impl Fn(&[Value<'c, 'c>]) -> Built<Value<'c, 'c>>,
) -> Built<Value<'c, 'c>> {
    let t = ir::type_of(*values.first().expect("math has operands"));
    let Some((extents, element)) = vector_parts(t) else { return f(values) };
    let length = extents.iter().product::<i64>() as usize;
    let mut lists = Vec::new();
    for value in values {
        lists.push(elements(b, *value, length, element)?);
    }
    let mut made = Vec::new();
    for i in (0..length).step_by(group) {
        let part = |list: &Vec<Value<'c, 'c>>| match group {
            1 => Ok(list[i]),
            _ => {
                b.typed("vector.from_elements", &list[i..i + group], vector_of(&[group as i64], element), &[])
            }
        };
        let value = f(&lists.iter().map(part).collect::<Built<Vec<_>>>()?)?;
        match group {
            1 => made.push(value),
            _ => made.extend(elements(b, value, group, element_of(ir::type_of(value)))?),
        }
    }
    b.typed("vector.from_elements", &made, with_element(t, ir::type_of(made[0])), &[])
}

/// The elements of a vector of rank 1.
pub fn elements<'c>(
    b: &Builder<'c>,
    value: Value<'c, 'c>,
    length: usize,
    element: Type<'c>,
) -> Built<Vec<Value<'c, 'c>>> {
    b.many("vector.to_elements", &[value], &vec![element; length])
}
