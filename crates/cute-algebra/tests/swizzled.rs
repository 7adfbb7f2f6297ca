//! A slice of a swizzled layout is the swizzled layout on the open modes.

use cute_algebra::{
    AnyLayout, ComposedLayout, Crd, Layout, Stride, Swizzle, Tuple, crd2idx, idx2crd, parse_coord,
    parse_layout_or_composed, size, slice_and_offset,
};
use proptest::prelude::*;

fn sliced(layout: &str, coord: &str) -> (String, String) {
    let layout = parse_layout_or_composed(layout).unwrap();
    let (slice, offset) = slice_and_offset(&parse_coord(coord).unwrap(), &layout).unwrap();
    (slice.to_string(), offset.to_string())
}

fn pair(a: &str, b: &str) -> (String, String) {
    (a.to_string(), b.to_string())
}

#[test]
fn decays_to_strides_that_the_swizzle_has_flipped() {
    let layout = "S<3,4,3> o 0 o ((4,8),(2,4)):((64,2),(256,16))";
    assert_eq!(sliced(layout, "(_,0)"), pair("(((2,2),8)):(((64,144),2))", "0"));
    assert_eq!(sliced("S<3,3,3> o 0 o (8,64):(64,1)", "(0,_)"), pair("(64):(1)", "0"));
    assert_eq!(sliced("S<3,3,3> o 0 o (8,64):(64,1)", "(1,_)"), pair("((8,2,4)):((1,-8,16))", "72"));
    assert_eq!(sliced("S<3,3,3> o 0 o (8,64):(64,1)", "(_,8)"), pair("((2,4)):((56,144))", "8"));
}

#[test]
fn stays_swizzled_where_open_bits_mix() {
    assert_eq!(
        sliced("S<3,3,3> o 0 o (8,64,4):(64,1,512)", "(_,_,2)"),
        pair("S<3,3,3> o 0 o (8,64):(64,1)", "1024")
    );
}

#[test]
fn keeps_dynamic_bits_in_strides() {
    assert_eq!(sliced("S<1,3,3> o 0 o (2,16):(64,1)", "(?,_)").0, "((8,2)):((1,?{div=8}))");
}

/// Evaluates at every coordinate, before and after slicing.
fn check(layout: &ComposedLayout<i64>, coord: &Tuple<Crd<i64>>) -> Result<(), TestCaseError> {
    let any = AnyLayout::Composed(layout.clone());
    let (slice, offset) = slice_and_offset(coord, &any).map_err(|e| TestCaseError::fail(e.to_string()))?;
    let offset = *offset.as_leaf().unwrap();
    let open: Vec<i64> = layout
        .outer()
        .shape()
        .leaves()
        .iter()
        .zip(coord.leaves())
        .filter(|(_, c)| c.as_int().is_none())
        .map(|(s, _)| *s)
        .collect();
    let shape = Tuple::from_leaves(open);
    for i in 0..size(&slice).unwrap() {
        let inside = idx2crd(&Tuple::leaf(i), &shape).unwrap();
        let mut inside = inside.leaves().iter();
        let whole = coord.map(|c| Crd::Int(c.as_int().copied().unwrap_or_else(|| *inside.next().unwrap())));
        let before = *crd2idx(&whole, &any).unwrap().as_leaf().unwrap();
        let after = *crd2idx(&Tuple::leaf(Crd::Int(i)), &slice).unwrap().as_leaf().unwrap();
        prop_assert_eq!(before, offset + after, "{} sliced by {} is {}", any, coord, slice);
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_slice_and_its_offset_are_the_layout(
        (bits, base, extra, negative) in (0i64..4, 0i64..4, 0i64..3, any::<bool>()),
        modes in prop::collection::vec((prop_oneof![Just(1i64), Just(2), Just(4), Just(8), 1i64..7], prop_oneof![(0u32..9).prop_map(|k| 1i64 << k), 0i64..40], any::<bool>(), 0i64..8), 1..5),
        offset in prop_oneof![Just(0i64), 0i64..512],
    ) {
        let shift = (bits + extra) * if negative { -1 } else { 1 };
        let swizzle = Swizzle::new(bits, base, shift).unwrap();
        let shape = Tuple::from_leaves(modes.iter().map(|m| m.0));
        let stride = Tuple::from_leaves(modes.iter().map(|m| Stride::int(m.1)));
        let coord = Tuple::from_leaves(modes.iter().map(|m| if m.2 { Crd::Underscore } else { Crd::Int(m.3 % m.0) }));
        let outer = Layout::new(shape, stride).unwrap();
        let layout = ComposedLayout::new(cute_algebra::Inner::Swizzle(swizzle), Tuple::leaf(offset), outer);
        check(&layout, &coord)?;
    }
}
