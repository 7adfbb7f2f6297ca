//! Arithmetic on tuples of integers.

use cute_algebra::{
    Error as Algebra, Int, Tuple, TupleRef, add_values, error::Result, increment_coord, pad_tuple, product,
    sizes_of_modes, tuple_div, tuple_mod, tuple_mul, tuple_sub,
};

use super::Function;
use crate::{leaf::Leaf, value::Value};

type Ints<'a> = TupleRef<'a, Leaf>;

/// Fails unless both have the same number of modes.
fn paired(what: &'static str, a: Ints<'_>, b: Ints<'_>) -> Result<()> {
    if !a.is_leaf() && !b.is_leaf() && a.rank() == b.rank() {
        return Ok(());
    }
    let why = format!("{} and {} do not have the same modes", shown(a), shown(b));
    Err(Algebra::Unsupported { what, why })
}

fn shown(tuple: Ints<'_>) -> String {
    crate::value::show_tuple(&tuple.to_owned())
}

/// `p_i = init * a_0 * .. * a_(i-1)` over the leaves; a tuple of first values starts anew in each
/// mode. Unlike the strides of a compact layout, it is not 0 at an extent of 1.
fn prefix_product(a: Ints<'_>, init: Ints<'_>) -> Result<Tuple<Leaf>> {
    if a.is_leaf() && init.is_leaf() {
        return Ok(init.to_owned());
    }
    let Some(init) = init.as_leaf() else {
        paired("prefix_product", a, init)?;
        let modes = a.modes().zip(init.modes()).map(|(a, init)| prefix_product(a, init));
        return Ok(Tuple::from_modes(modes.collect::<Result<Vec<_>>>()?));
    };
    let mut next = init.clone();
    a.try_map(|extent| {
        let after = next.mul(extent)?;
        Ok(std::mem::replace(&mut next, after))
    })
}

/// `a * size(b)` for an integer `a`, and mode by mode for a tuple.
fn elem_scale(a: Ints<'_>, b: Ints<'_>) -> Result<Tuple<Leaf>> {
    if let Some(own) = a.as_leaf() {
        return Ok(Tuple::leaf(own.mul(&product(b)?)?));
    }
    paired("elem_scale", a, b)?;
    let modes = a.modes().zip(b.modes()).map(|(a, b)| elem_scale(a, b));
    Ok(Tuple::from_modes(modes.collect::<Result<Vec<_>>>()?))
}

/// The sum of `a_i * b_i` over the leaves.
fn inner_product(a: Ints<'_>, b: Ints<'_>) -> Result<Leaf> {
    let products = tuple_mul(a, b)?;
    products.leaves().iter().try_fold(Leaf::fixed(0), |sum, product| sum.add(product))
}

/// A table entry for an operation of two tuples.
macro_rules! tuple_op {
    ($op:ident, $doc:literal, $args:literal) => {
        Function::new(
            stringify!($op),
            "a: tuple, b: tuple",
            $doc,
            concat!(stringify!($op), "(", $args, ")"),
            |a| Ok(Value::Tuple(a.at($op(a.tuple(0)?.view(), a.tuple(1)?.view()))?)),
        )
    };
}

pub(super) const TABLE: &[Function] = &[
    tuple_op!(
        add_values,
        "sum of two values of a codomain, mode by mode; 0 is neutral",
        "(1,(2,3)), (4,0,5)"
    )
    .aliases(&["tuple_add"]),
    tuple_op!(tuple_sub, "difference, leaf by leaf", "((5,8),3), ((1,2),1)"),
    tuple_op!(tuple_mul, "product, leaf by leaf", "(2,(3,4)), (5,(6,7))"),
    tuple_op!(tuple_div, "quotient, truncating, leaf by leaf", "(7,(9,-7)), (2,(3,2))"),
    tuple_op!(tuple_mod, "remainder, leaf by leaf", "(7,(9,-7)), (2,(3,2))"),
    Function::new(
        "increment_coord",
        "coord: tuple, shape: shape",
        "the next coordinate, first mode fastest",
        "increment_coord((3,1), (4,8))",
        |a| Ok(Value::Tuple(a.at(increment_coord(&a.tuple(0)?, &a.tuple(1)?))?)),
    ),
    Function::new(
        "sizes_of_modes",
        "tuple: tuple",
        "the size of every top-level mode, as a flat tuple",
        "sizes_of_modes((4,(2,8)))",
        |a| Ok(Value::Tuple(a.at(sizes_of_modes(a.tuple(0)?.view()))?)),
    ),
    Function::new(
        "pad_tuple",
        "tuple: tuple, rank: integer, element?: tuple, at_end?: integer",
        "the tuple padded with 1, or an element, up to a rank; in front if at_end is 0",
        "pad_tuple((4,8), 4)",
        |a| {
            let element = if a.count() > 2 { a.tuple(2)? } else { Tuple::leaf(Leaf::fixed(1)) };
            let at_end = a.count() < 4 || a.number(3)? != 0;
            Ok(Value::Tuple(a.at(pad_tuple(&a.tuple(0)?, a.index(1)?, &element, at_end))?))
        },
    ),
    Function::new(
        "prefix_product",
        "tuple: tuple, init?: tuple",
        "at each leaf, the product of init and all leaves before it",
        "prefix_product((2,(1,3)))",
        |a| {
            let init = if a.count() > 1 { a.tuple(1)? } else { Tuple::leaf(Leaf::fixed(1)) };
            Ok(Value::Tuple(a.at(prefix_product(a.tuple(0)?.view(), init.view()))?))
        },
    ),
    Function::new(
        "elem_scale",
        "a: tuple, b: tuple",
        "each leaf of a times the size of the corresponding part of b",
        "elem_scale((2,3), ((2,2),5))",
        |a| Ok(Value::Tuple(a.at(elem_scale(a.tuple(0)?.view(), a.tuple(1)?.view()))?)),
    ),
    Function::new(
        "inner_product",
        "a: tuple, b: tuple",
        "the sum of the products, leaf by leaf",
        "inner_product((1,(2,3)), (4,(5,6)))",
        |a| Ok(Value::Tuple(Tuple::leaf(a.at(inner_product(a.tuple(0)?.view(), a.tuple(1)?.view()))?))),
    ),
];
