//! Inverses, complements and products of layouts whose values are coordinates.

use cute_algebra::{
    Arrangement, Domain, complement_of_bases, left_inverse_of_bases, product_of_bases, right_inverse_of_bases,
};

use super::{Args, Function};
use crate::{error::Result, value::Value};

fn repeated(a: &Args, arrangement: Arrangement) -> Result<Value> {
    Ok(Value::Layout(a.at(product_of_bases(&a.layout(0)?, &a.plain(1)?, arrangement))?))
}

/// A table entry for one arrangement of the product.
macro_rules! product {
    ($name:literal, $arrangement:ident, $doc:literal) => {
        Function::new(
            $name,
            "block: layout, tiler: layout",
            $doc,
            concat!($name, "((4,3):(1@0,1@1), (2,5):(1,2))"),
            |a| repeated(a, Arrangement::$arrangement),
        )
        .strict(|a| a.at(Domain::Strict.product_of_bases(&a.layout(0)?, &a.plain(1)?)))
    };
}

pub(super) const TABLE: &[Function] = &[
    Function::new(
        "right_inverse_of_bases",
        "layout: layout",
        "the layout r on the codomain with layout(r(c)) = c",
        "right_inverse_of_bases((4,3):(1@1,1@0))",
        |a| Ok(Value::Layout(a.at(right_inverse_of_bases(&a.plain(0)?))?.into())),
    ),
    Function::new(
        "left_inverse_of_bases",
        "layout: layout",
        "the layout l on the codomain with l(layout(i)) = i",
        "left_inverse_of_bases((4,3):(1@1,1@0))",
        |a| Ok(Value::Layout(a.at(left_inverse_of_bases(&a.plain(0)?))?.into())),
    )
    .strict(|a| a.at(Domain::Strict.left_inverse_of_bases(&a.plain(0)?))),
    Function::new(
        "complement_of_bases",
        "layout: layout",
        "the part of the reached box that a layout leaves free",
        "complement_of_bases((4,3):(2@0,1@1))",
        |a| Ok(Value::Layout(a.at(complement_of_bases(&a.plain(0)?))?.into())),
    ),
    product!("product_of_bases", Pair, "a layout of coordinates repeated: (block, repetitions)"),
    product!("tiled_product_of_bases", Tiled, "the repetitions as modes of their own"),
    product!("flat_product_of_bases", Flat, "blocks and repetitions as modes of their own"),
    product!("blocked_product_of_bases", Blocked, "mode i is (block_i, repetition_i)"),
    product!("raked_product_of_bases", Raked, "mode i is (repetition_i, block_i)"),
];
