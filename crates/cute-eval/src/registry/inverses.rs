//! Composition, complement and inverses.

use cute_algebra::{
    AnyLayout, ComposedLayout, Domain, complement, complement_in_cosize, composition, left_inverse,
    max_common_layout, max_common_vector, nullspace, right_inverse,
};

use super::{Fixed, Function};
use crate::value::Value;

pub(super) const TABLE: &[Function] = &[
    Function::new(
        "composition",
        "a: layout|swizzle, b: tiler",
        "a o b, the layout with (a o b)(c) = a(b(c)); a shape or tile composes mode by mode",
        "composition((20):(2), (5,4):(4,1))",
        |a| match &a.get(0)?.value {
            Value::Swizzle(swizzle) => {
                Ok(Value::Layout(ComposedLayout::swizzled(*swizzle, a.plain(1)?).into()))
            }
            _ => Ok(Value::Layout(a.at(composition(&a.layout(0)?, &a.tiler(1)?))?)),
        },
    )
    .strict(|a| match &a.get(0)?.value {
        Value::Swizzle(_) => Ok(()),
        _ => a.at(Domain::Strict.composition(&a.layout(0)?, &a.tiler(1)?)),
    })
    .fixed(Fixed::Tiled { run: composition, check: Domain::composition }),
    Function::new(
        "make_composed_layout",
        "inner: swizzle|layout, offset: tuple, outer: layout",
        "inner o offset o outer, the layout whose value at c is inner(offset + outer(c))",
        "make_composed_layout(S<3,4,3>, 0, (8,64):(64,1))",
        |a| a.get(0)?.composed(a.get(1)?, a.get(2)?),
    ),
    Function::new(
        "complement",
        "layout: layout, cotarget?: shape|layout",
        "the ordered layout that fills what another leaves free, in [0, size(cotarget))",
        "complement(4:32, 256)",
        |a| {
            let rest = match a.count() {
                1 => complement_in_cosize(&a.layout(0)?),
                _ => complement(&a.layout(0)?, a.shape(1)?.view()),
            };
            Ok(Value::Layout(AnyLayout::Plain(a.at(rest)?)))
        },
    )
    .aliases(&["complement_in_cosize"])
    .strict(|a| match a.count() {
        1 => a.at(Domain::Strict.complement_in_cosize(&a.layout(0)?)),
        _ => a.at(Domain::Strict.complement(&a.layout(0)?, a.shape(1)?.view())),
    })
    .fixed(Fixed::Shaped { run: complement, check: Domain::complement }),
    Function::new(
        "right_inverse",
        "layout: layout",
        "a layout r with layout(r(i)) = i, as large as the strides allow",
        "right_inverse((4,8):(8,1))",
        |a| Ok(Value::Layout(a.at(right_inverse(&a.layout(0)?))?)),
    )
    .strict(|a| a.at(Domain::Strict.right_inverse(&a.layout(0)?)))
    .fixed(Fixed::Layout { run: right_inverse, check: Domain::right_inverse }),
    Function::new(
        "left_inverse",
        "layout: layout",
        "the quasi-inverse q with layout(q(layout(i))) = layout(i): where the layout is injective, q(layout(i)) = i; of modes with equal strides all but one are lost, which the strict domain reports",
        "left_inverse((4,8):(8,1))",
        |a| Ok(Value::Layout(a.at(left_inverse(&a.layout(0)?))?)),
    )
    .strict(|a| a.at(Domain::Strict.left_inverse(&a.layout(0)?)))
    .fixed(Fixed::Layout { run: left_inverse, check: Domain::left_inverse }),
    Function::new(
        "max_common_vector",
        "a: layout, b: layout",
        "the number of elements that lie contiguously and in the same order in both",
        "max_common_vector((4,8):(1,4), (4,8):(1,16))",
        |a| Ok(Value::integer(a.at(max_common_vector(&a.layout(0)?, &a.layout(1)?))?)),
    )
    .strict(|a| a.at(Domain::Strict.max_common(&a.layout(0)?, &a.layout(1)?))),
    Function::new(
        "max_common_layout",
        "a: layout, b: layout",
        "the layout of the elements that lie contiguously and in the same order in both",
        "max_common_layout((4,8):(1,4), (4,8):(1,16))",
        |a| Ok(Value::Layout(a.at(max_common_layout(&a.layout(0)?, &a.layout(1)?))?.into())),
    )
    .strict(|a| a.at(Domain::Strict.max_common(&a.layout(0)?, &a.layout(1)?))),
    Function::new(
        "nullspace",
        "layout: layout",
        "the domain on which a layout is 0: its stride-0 modes",
        "nullspace((2,4,4,4):(0,2,0,8))",
        |a| Ok(Value::Layout(a.at(nullspace(&a.plain(0)?))?.into())),
    ),
];
