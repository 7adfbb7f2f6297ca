//! Stencils, outer divides, images and relations against their definitions.

use std::collections::BTreeSet;

use cute_algebra::{
    Layout, Relation, crd2idx, is_compact, is_contiguous, outer_flat_divide, outer_logical_divide,
    outer_tiled_divide, outer_zipped_divide, parse_coord, parse_int_tuple, parse_layout, parse_shape,
    parse_tiler, relate, size, stencil_divide,
};
use proptest::prelude::*;

fn values(layout: &Layout<i64>) -> Vec<i64> {
    let at = |i| crd2idx(&cute_algebra::Tuple::leaf(cute_algebra::Crd::Int(i)), layout).unwrap();
    (0..size(layout).unwrap()).map(|i| *at(i).as_leaf().unwrap()).collect()
}

fn layout() -> impl Strategy<Value = Layout<i64>> {
    prop::collection::vec((1i64..5, -9i64..9), 1..4).prop_map(|modes| {
        let text: Vec<_> = modes.iter().map(|(s, _)| s.to_string()).collect();
        let strides: Vec<_> = modes.iter().map(|(_, d)| d.to_string()).collect();
        parse_layout(&format!("({}):({})", text.join(","), strides.join(","))).unwrap().to_const().unwrap()
    })
}

/// Compact layouts, and near misses of them.
fn nearly_compact() -> impl Strategy<Value = Layout<i64>> {
    (prop::collection::vec(1i64..5, 1..4), 0usize..8, -1i64..3).prop_map(|(extents, rotate, off)| {
        let mut next = 1;
        let mut modes: Vec<(i64, i64)> = Vec::new();
        for s in extents {
            modes.push((s, next));
            next *= s;
        }
        let n = modes.len();
        modes[rotate % n].1 += off.max(0) * i64::from(rotate > 3);
        modes.rotate_left(rotate % n);
        let shape: Vec<_> = modes.iter().map(|(s, _)| s.to_string()).collect();
        let stride: Vec<_> = modes.iter().map(|(_, d)| d.to_string()).collect();
        parse_layout(&format!("({}):({})", shape.join(","), stride.join(","))).unwrap().to_const().unwrap()
    })
}

proptest! {
    #[test]
    fn images_as_enumerated(layout in prop_oneof![layout(), nearly_compact()]) {
        let values = values(&layout);
        let image: BTreeSet<_> = values.iter().copied().collect();
        let (least, most) = (*image.first().unwrap(), *image.last().unwrap());
        let contiguous = most - least + 1 == image.len() as i64;
        let compact = contiguous && least == 0 && image.len() == values.len();
        prop_assert_eq!(is_contiguous(&layout), Some(contiguous), "{}", layout);
        prop_assert_eq!(is_compact(&layout), Some(compact), "{}", layout);
    }

    /// Element k of window n is element n * step + k * dilation of the mode, and one window more
    /// would not fit.
    #[test]
    fn windows_as_enumerated(s in 1i64..40, d in 1i64..9, w in 1i64..6, t in 1i64..6, l in 1i64..4) {
        let mode = parse_layout(&format!("{s}:{d}")).unwrap().to_const().unwrap();
        let int = |n: i64| cute_algebra::Tuple::leaf(n);
        let window = cute_algebra::Tuple::leaf(cute_algebra::Crd::Int(w));
        let span = (w - 1) * l + 1;
        let divided = stencil_divide(&mode, &window, Some(&int(t)), Some(&int(l)));
        prop_assert_eq!(divided.is_ok(), span <= s);
        if let Ok(divided) = divided {
            let found = values(&divided);
            let windows = (0..).take_while(|n| n * t + span <= s);
            let expected: Vec<_> = windows.flat_map(|n| (0..w).map(move |k| (n * t + k * l) * d)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}

#[test]
fn stencils_name_what_is_wrong() {
    let layout = parse_layout("(16,(4,3)):(1,(16,1))").unwrap();
    let error = |window, step| {
        let step = parse_int_tuple(step).unwrap();
        stencil_divide(&layout, &parse_coord(window).unwrap(), Some(&step), None).unwrap_err().to_string()
    };
    assert_eq!(
        error("17", "1"),
        "stencil_divide: all modes: (16,(4,3)):(1,(16,1)) is not one extent and one stride, even coalesced"
    );
    assert_eq!(
        error("(17,_)", "1"),
        "stencil_divide: mode 0: a window of 17 with dilation 1 spans 17 elements, but the mode has 16"
    );
    assert_eq!(error("(_,(0,_))", "1"), "stencil_divide: mode (1,0): window 0 is not positive");
    assert_eq!(error("(3,_)", "(0,1)"), "stencil_divide: mode 0: step 0 is not positive");
    assert_eq!(error("(3,_)", "(1,2,3)"), "the step: rank 3, expected exactly 2");
    assert_eq!(error("(3,_,3)", "1"), "the window: rank 3, expected at most 2");
}

#[test]
fn dynamic_windows() {
    let layout = parse_layout("(?{div=8},32):(32,1)").unwrap();
    let d = stencil_divide(&layout, &parse_coord("(_,3)").unwrap(), None, None).unwrap();
    assert_eq!(d.to_string(), "(?{div=8},(3,30)):(32,(1,1))");
    let d = stencil_divide(&layout, &parse_coord("(3)").unwrap(), None, None).unwrap();
    assert_eq!(d.to_string(), "((3,?),32):((32,32),1)");
}

#[test]
fn outer_divides_tile_the_last_modes() {
    let layout = parse_layout("(3,8,16):(128,16,1)").unwrap();
    let tiler = parse_tiler("[2:1;4:1]").unwrap();
    let logical = outer_logical_divide(&layout, &tiler).unwrap();
    assert_eq!(logical.to_string(), "(3,(2,4),(4,4)):(128,(16,32),(1,4))");
    let zipped = outer_zipped_divide(&layout, &tiler).unwrap();
    assert_eq!(zipped.to_string(), "((4,4,3),(4,2)):((4,32,128),(1,16))");
    let tiled = outer_tiled_divide(&layout, &tiler).unwrap();
    assert_eq!(tiled.to_string(), "(3,4,4,(4,2)):(128,32,4,(1,16))");
    let flat = outer_flat_divide(&layout, &tiler).unwrap();
    assert_eq!(flat.to_string(), "(3,4,4,2,4):(128,32,4,16,1)");
}

#[test]
fn images_of_dynamic_layouts() {
    let of = |text| {
        let layout = parse_layout(text).unwrap();
        (is_compact(&layout), is_contiguous(&layout))
    };
    assert_eq!(of("(?,8):(8,1)"), (Some(true), Some(true)));
    assert_eq!(of("(?,8):(9,1)"), (None, None));
    assert_eq!(of("(?,8):(1,16)"), (None, None));
    assert_eq!(of("(?,8):(1,1)"), (None, Some(true)));
    assert_eq!(of("(8,8):(1,?)"), (None, None));
    assert_eq!(of("(4,8):(1@0,1@1)"), (Some(false), Some(false)));
    assert_eq!(of("(8192,8192):(8192,1)"), (Some(true), Some(true)));
    assert_eq!(of("1:7"), (Some(true), Some(true)));
}

#[test]
fn relations_name_the_first_mode_that_fails() {
    let why = |relation, a, b| {
        let (a, b) = (parse_shape(a).unwrap(), parse_shape(b).unwrap());
        format!("{:?}", relate(relation, a.view(), b.view()).unwrap().holds())
            + &match relate(relation, a.view(), b.view()).unwrap() {
                cute_algebra::Verdict::Holds => String::new(),
                cute_algebra::Verdict::Unknown(m) | cute_algebra::Verdict::Fails(m) => format!(" {m}"),
            }
    };
    use Relation as R;
    assert_eq!(
        why(R::Congruent, "(4,(2,2))", "(4,(2,(2)))"),
        "Some(false) mode (1,1): 2 is an integer, unlike (2)"
    );
    assert_eq!(
        why(R::WeaklyCongruent, "(4,(2,2))", "(4,2)"),
        "Some(false) mode 1: (2,2) is a tuple, unlike 2"
    );
    assert_eq!(
        why(R::Compatible, "(4,8)", "(4,8,1)"),
        "Some(false) all modes: (4,8) has another rank than (4,8,1)"
    );
    assert_eq!(why(R::Compatible, "(4,?)", "(4,8)"), "None mode 1: ? is not the size of 8");
    assert_eq!(
        why(R::WeaklyCompatible, "(4,8)", "((2,2),?{div=8})"),
        "None mode 1: 8 does not divide the size of ?{div=8}"
    );
    assert_eq!(why(R::WeaklyCompatible, "(4,8)", "((2,6),24)"), "Some(true)");
}
