//! Divides by layouts whose strides name modes of the target.

use cute_algebra::{
    Domain, Layout, Tiler, Tuple, crd2idx, idx2crd, logical_divide, parse_layout, parse_tiler, size,
    zipped_divide,
};

fn tiler(text: &str) -> Tiler<i64> {
    parse_tiler(text).expect("a tiler").to_const().expect("a static tiler")
}

fn layout(text: &str) -> Layout<i64> {
    parse_layout(text).expect("a layout").to_const().expect("a static layout")
}

/// `(a,b):(1@0,1@1)` tiles as the shape `(a,b)` does.
#[test]
fn unit_bases_tile_as_a_shape() {
    for target in ["(12,8):(1,12)", "(12,8):(8,1)", "((2,6),(4,2)):((1,40),(2,8))"] {
        for (a, b) in [(1, 1), (2, 4), (6, 2), (12, 8), (4, 1)] {
            let by_bases = logical_divide(&layout(target), &tiler(&format!("({a},{b}):(1@0,1@1)")));
            let by_shape = zipped_divide(&layout(target), &tiler(&format!("({a},{b})")));
            let (by_bases, by_shape) = (by_bases.expect("divides"), by_shape.expect("divides"));
            assert_eq!(size(&by_bases), size(&by_shape), "{target} by ({a},{b})");
            for i in 0..size(&by_bases).expect("small") {
                let at = |l: &Layout<i64>| {
                    let coord = idx2crd(&Tuple::leaf(i), l.shape()).expect("in range");
                    crd2idx(&coord.to_coord(), l).expect("in range")
                };
                assert_eq!(at(&by_bases), at(&by_shape), "{target} by ({a},{b}) at {i}");
            }
        }
    }
}

/// Under strict, the tiles and the rest reach each element once.
#[test]
fn strict_divides_reach_each_element_once() {
    let target = layout("(12,8):(1,12)");
    for (text, holds) in [
        ("2:6@0", true),
        ("(2,2):(6@0,4@1)", true),
        ("(2,3):(6@0,1@0)", true),
        ("5:1@0", false),
        ("2:1@2", false),
    ] {
        let verdict = Domain::Strict.divide(&target, &tiler(text));
        assert_eq!(verdict.is_ok(), holds, "{text}: {verdict:?}");
        if holds {
            let divided = logical_divide(&target, &tiler(text)).expect("divides");
            let mut reached: Vec<i64> = (0..96)
                .map(|i| {
                    let coord = idx2crd(&Tuple::leaf(i), divided.shape()).expect("in range");
                    *crd2idx(&coord.to_coord(), &divided).expect("in range").as_leaf().expect("an integer")
                })
                .collect();
            reached.sort_unstable();
            assert_eq!(reached, (0..96).collect::<Vec<_>>(), "{text}");
        }
    }
}
