//! Text and leaves: printed values parse back to themselves, no text causes a panic, and known
//! divisors divide.

use cute_algebra::{
    AnyLayout, Basis, Coord, Dim, Int, Layout, Paired, Stride, Tuple, Width, parse_coord, parse_int_tuple,
    parse_layout, parse_layout_or_composed, parse_stride, parse_tile,
};
use proptest::prelude::*;

use crate::common::{
    Value,
    generate::{Code, codes, nested},
    oracle::law,
};

fn dims() -> impl Strategy<Value = Dim> {
    prop_oneof![
        (1i64..100).prop_map(Dim::fixed),
        (any::<bool>(), 1i64..65)
            .prop_map(|(wide, div)| Dim::dynamic(if wide { Width::I64 } else { Width::I32 }, div)),
    ]
}

/// Shapes and strides of one layout: its strides are all integers, or all bases of one depth.
fn trees() -> impl Strategy<Value = (Tuple<(Dim, Stride<Dim>)>, Code)> {
    let leaves = (0usize..4).prop_flat_map(|depth| {
        let stride = (dims(), prop::collection::vec(0usize..4, depth))
            .prop_map(|(scale, path)| Stride::scaled(scale, Basis::new(&path).expect("a basis")));
        prop::collection::vec((dims(), stride), 0..5)
    });
    (leaves, codes()).prop_map(|(leaves, mut code)| (nested(&leaves, &mut code), code))
}

#[test]
fn text_round_trips() {
    law(trees(), |(tree, mut code)| {
        let (shape, stride) = (tree.map(|leaf| leaf.0), tree.map(|leaf| leaf.1.clone()));
        prop_assert_eq!(&parse_int_tuple(&shape.to_string()).unwrap(), &shape);
        prop_assert_eq!(&parse_stride(&stride.to_string()).unwrap(), &stride);
        let layout = Layout::new(shape, stride).unwrap();
        prop_assert_eq!(&parse_layout(&layout.to_string()).unwrap(), &layout);
        let tile = format!("[{layout};_;[4]]");
        prop_assert_eq!(parse_tile(&tile).unwrap().to_string(), tile);
        // No inner function takes the sum of a basis value and the integer offset.
        if layout.stride().leaves().iter().any(|stride| stride.as_int().is_none()) {
            return Ok(true);
        }
        let swizzle = ["S<3,4,3>", "S<2,0,-2>", "S<0,4,3>", "8:2"][code.take(4)];
        let composed = format!("{swizzle} o ?{{div=8}} o {layout}");
        prop_assert_eq!(parse_layout_or_composed(&composed).unwrap().to_string(), composed);
        Ok(true)
    });
}

#[test]
fn no_text_panics() {
    law("[-0-9?_()\\[\\]:;,@/So<>{}=divi64 ]{0,40}", |text| {
        let parsed = parse_layout_or_composed(&text);
        let _ = (parse_tile(&text), parse_stride(&text));
        let _: Option<Coord<Dim>> = parse_coord(&text).ok();
        if let Ok(layout) = parsed {
            let printed = layout.to_string();
            prop_assert_eq!(parse_layout_or_composed(&printed).map(|l| l.to_string()), Ok(printed));
        }
        Ok(true)
    });
}

/// Inference agrees with computation: the `Dim` half never depends on the payload, and known
/// divisors are true.
#[test]
fn divisors_are_true() {
    law((1i64..64, 1i64..64, 1i64..17, 1i64..17), |(a, b, m, n)| {
        let x = Paired::dynamic(Width::I32, a, Value(a * m));
        let y = Paired::dynamic(Width::I32, b, Value(b * n));
        let s = Paired::fixed(b);
        #[rustfmt::skip]
        let results = [
            x.add(&y), x.sub(&y), x.mul(&y), x.div(&y), x.rem(&y), x.min(&y), x.max(&y), x.ceil_div(&y), x.xor(&y),
            x.add(&s), x.sub(&s), x.mul(&s), x.div(&s), x.rem(&s), x.min(&s), x.max(&s), x.ceil_div(&s), x.xor(&s),
            x.and(b), x.shift_left(3), x.shift_left(-3),
        ];
        for result in results {
            let result = result.unwrap();
            if let Some(value) = result.payload() {
                prop_assert_eq!(value.0 % result.dim().divisor(), 0, "{:?}", result);
            }
        }
        Ok(true)
    });
}

#[test]
fn an_error_in_text_names_the_column() {
    let error = |text| parse_layout(text).unwrap_err();
    assert_eq!(error("(4,8):(1,x)").to_string(), "column 10: expected an integer, `?` or `(`, found `x`");
    assert_eq!(error("(4,8):(1,4").column(), 10);
    assert_eq!(
        error("(4,8):(1,(4,5))").to_string(),
        "column 1: mode 1 of shape and stride: 8 and (4,5) are not congruent"
    );
    assert_eq!(error("?{div=0}").column(), 6);
    assert!(error(&"(".repeat(100)).to_string().contains("more than 64"));
    assert!(matches!(parse_layout_or_composed("8"), Ok(AnyLayout::Plain(_))));
    assert_eq!(parse_layout("( 4 , 8 )").unwrap().to_string(), "(4,8):(1,4)");
    assert_eq!(parse_stride("(0@1,2/4@0,-1@1)").unwrap().to_string(), "(0,1/2@0,-1@1)");
}
