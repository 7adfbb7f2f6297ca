//! Predicates: the result is true, false, or unknown before run time.

use cute_algebra::{
    compatible, elem_less, equivalent, evenly_divides, is_compact, is_contiguous, same_image,
    weakly_compatible,
};

use super::Function;
use crate::value::Value;

pub(super) const TABLE: &[Function] = &[
    Function::new(
        "congruent",
        "a: tuple, b: tuple",
        "whether both have the same profile",
        "congruent((4,(2,2)), (1,(7,3)))",
        |a| Ok(Value::Truth(Some(a.shape(0)?.congruent(&a.shape(1)?)))),
    ),
    Function::new(
        "weakly_congruent",
        "a: tuple, b: tuple",
        "whether a is b with some subtrees replaced by leaves",
        "weakly_congruent((4,8), (1,(7,3)))",
        |a| Ok(Value::Truth(Some(a.shape(0)?.weakly_congruent(&a.shape(1)?)))),
    ),
    Function::new(
        "compatible",
        "a: shape, b: shape",
        "whether every coordinate of a is one of b, with equal sizes",
        "compatible((16,8), ((4,4),8))",
        |a| Ok(Value::Truth(a.at(compatible(a.shape(0)?.view(), a.shape(1)?.view()))?)),
    ),
    Function::new(
        "evenly_divides",
        "shape: shape, tiler: shape",
        "whether the tiler divides the shape without rest",
        "evenly_divides((128,64), (32,16))",
        |a| Ok(Value::Truth(a.at(evenly_divides(a.shape(0)?.view(), a.shape(1)?.view()))?)),
    ),
    Function::new(
        "equivalent",
        "a: layout, b: layout",
        "whether both are the same function of an integer coordinate",
        "equivalent((2,(4,1)):(1,(2,7)), 8:1)",
        |a| Ok(Value::Truth(a.at(equivalent(&a.layout(0)?, &a.layout(1)?))?)),
    ),
    Function::new(
        "same_image",
        "a: layout, b: layout",
        "whether both take the same values, however often",
        "same_image((4,3):(1,0), 4:1)",
        |a| Ok(Value::Truth(a.at(same_image(&a.plain(0)?, &a.plain(1)?))?)),
    ),
    Function::new(
        "weakly_compatible",
        "a: shape, b: shape",
        "whether each leaf of a divides the size of the corresponding part of b",
        "weakly_compatible((4,8), ((4,4),8))",
        |a| Ok(Value::Truth(a.at(weakly_compatible(a.shape(0)?.view(), a.shape(1)?.view()))?)),
    ),
    Function::new(
        "elem_less",
        "a: tuple, b: tuple",
        "whether every element of a is less than its counterpart in b",
        "elem_less((3,7), (4,8))",
        |a| Ok(Value::Truth(a.at(elem_less(a.tuple(0)?.view(), a.tuple(1)?.view()))?)),
    ),
    Function::new(
        "is_compact",
        "layout: layout",
        "whether the values are [0, size), each once",
        "is_compact((4,8):(8,1))",
        |a| Ok(Value::Truth(is_compact(&a.plain(0)?))),
    ),
    Function::new(
        "is_contiguous",
        "layout: layout",
        "whether the values are an interval",
        "is_contiguous((4,3):(1,0))",
        |a| Ok(Value::Truth(is_contiguous(&a.plain(0)?))),
    ),
    Function::new(
        "is_static",
        "layout: layout",
        "whether every extent and stride is known before run time",
        "is_static((4,?8):(1,4))",
        |a| Ok(Value::Truth(Some(a.layout(0)?.is_static()))),
    ),
];
