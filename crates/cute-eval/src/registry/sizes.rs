//! Sizes and shape arithmetic.

use cute_algebra::{
    LayoutLike, Tuple, ceil_div, coshape, cosize, cosize_at, max_alignment, product, product_each, shape_div,
    size, size_at, tiles_in,
};

use super::{Fixed, Function};
use crate::{error::Result, leaf::Leaf, value::Value};

fn integer(leaf: Leaf) -> Result<Value> {
    Ok(Value::Tuple(Tuple::leaf(leaf)))
}

fn count(n: usize) -> Result<Value> {
    Ok(Value::integer(i64::try_from(n).expect("a tree in memory has fewer than 2^63 nodes")))
}

pub(super) const TABLE: &[Function] = &[
    Function::new(
        "size",
        "layout: layout|shape, mode?: integer...",
        "number of coordinates: the product of the extents, of the mode at a path if one is given",
        "size(((2,2),4):((1,4),8))",
        |a| match a.count() {
            1 => integer(a.at(product(a.shape(0)?.view()))?),
            _ => integer(a.at(size_at(&a.layout(0)?, &a.indices(1)?))?),
        },
    )
    .aliases(&["size_at"])
    .fixed(Fixed::Integer(size)),
    Function::new(
        "cosize",
        "layout: layout, mode?: integer...",
        "one more than the largest value, of the mode at a path if one is given",
        "cosize(8:2)",
        |a| match a.count() {
            1 => integer(a.at(cosize(&a.layout(0)?))?),
            _ => integer(a.at(cosize_at(&a.layout(0)?, &a.indices(1)?))?),
        },
    )
    .aliases(&["cosize_at"])
    .fixed(Fixed::Integer(cosize)),
    Function::new(
        "coshape",
        "layout: layout",
        "the smallest codomain that holds every value",
        "coshape((4,3):(1@0,2@1))",
        |a| Ok(Value::Tuple(a.at(coshape(a.layout(0)?.outer()))?)),
    ),
    Function::new("product", "tuple: tuple", "product of all leaves", "product((4,(2,8)))", |a| {
        integer(a.at(product(a.tuple(0)?.view()))?)
    }),
    Function::new(
        "product_each",
        "shape: tuple",
        "the size of every top-level mode",
        "product_each((4,(2,8)))",
        |a| Ok(Value::Tuple(a.at(product_each(a.tuple(0)?.view()))?)),
    ),
    Function::new("rank", "x: layout|tuple", "number of top-level modes", "rank((4,(2,2)))", |a| {
        count(a.shape(0)?.rank())
    }),
    Function::new("depth", "x: layout|tuple", "levels of nesting", "depth((4,(2,2)))", |a| {
        count(a.shape(0)?.depth())
    }),
    Function::new(
        "ceil_div",
        "a: shape, b: tiler",
        "quotient rounded up, leaf by leaf; an integer divisor folds through the modes; by a tile, how many tiles cover them",
        "ceil_div((128,130), (40,64))",
        |a| {
            let shape = a.tuple(0)?;
            Ok(Value::Tuple(a.at(match &a.get(1)?.value {
                Value::Tuple(by) => ceil_div(shape.view(), by.view()),
                _ => tiles_in(shape.view(), &a.tiler(1)?.to_tile()),
            })?))
        },
    )
    .aliases(&["tiles_in"]),
    Function::new(
        "shape_div",
        "a: shape, b: shape",
        "CuTe's shape division: one of two leaves must divide the other",
        "shape_div((4,5,6), 40)",
        |a| Ok(Value::Tuple(a.at(shape_div(a.tuple(0)?.view(), a.tuple(1)?.view()))?)),
    ),
    Function::new(
        "max_alignment",
        "layout: layout",
        "the largest n by which upcast is possible",
        "max_alignment((8,4):(16,1))",
        |a| Ok(Value::integer(a.at(max_alignment(&a.layout(0)?))?)),
    ),
];
