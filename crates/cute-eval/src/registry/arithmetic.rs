//! Arithmetic on tuples of integers.

use cute_algebra::{
    Tuple, add_values, increment_coord, pad_tuple, sizes_of_modes, tuple_div, tuple_mod, tuple_mul, tuple_sub,
};

use super::Function;
use crate::{leaf::Leaf, value::Value};

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
];
