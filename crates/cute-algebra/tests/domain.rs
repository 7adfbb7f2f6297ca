//! The strict policy rejects exactly what leaves the domain or breaks the equation, and keeps the
//! rest.

mod common;

use std::path::Path;

use common::oracle::{at, distinct, image, sorted};

use cute_algebra::{
    Crd, Dim, Domain, Layout, Tile, Tiler, Tuple, complement, composition, flat_divide, left_inverse,
    logical_divide, logical_product, parse_coord, parse_layout, parse_layout_or_composed, parse_shape,
    parse_tiler, right_inverse, size, tiled_divide, zipped_divide,
};
use serde_json::Value as Json;

fn entries(file: &str) -> Vec<Json> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/cute").join(format!("{file}.json"));
    serde_json::from_str(&std::fs::read_to_string(path).expect("a vector file")).expect("a JSON list")
}

fn layout(entry: &Json, i: usize) -> Layout<i64> {
    parse_layout(entry["args"][i].as_str().unwrap()).unwrap().to_const().unwrap()
}

fn tiler(entry: &Json) -> Tiler<i64> {
    parse_tiler(entry["args"][1].as_str().unwrap()).unwrap().map(&mut |dim| dim.as_static().unwrap())
}

/// The result of an operation as text, or "error".
fn text<T: std::fmt::Display>(result: Result<T, cute_algebra::Error>) -> String {
    result.map_or("error".into(), |t| t.to_string())
}

/// Whether `b` leaves the domain of `a`, for strides that are not negative.
fn overshoots(a: &Layout<i64>, b: &Tile<i64>) -> bool {
    match b {
        Tile::Underscore => false,
        Tile::Int(n) => *n > size(a).unwrap(),
        Tile::Layout(b) => {
            let last = b.flat().map(|(s, d)| (s - 1) * d.as_static().unwrap()).sum::<i64>();
            last >= size(a).unwrap()
        }
        Tile::Modes(modes) => modes.iter().enumerate().any(|(i, tile)| overshoots(&a.mode(i).unwrap(), tile)),
    }
}

#[test]
fn compositions() {
    let (mut accepted, mut rejected) = (0, 0);
    for file in ["composition", "composition_edge"] {
        for entry in entries(file) {
            let (a, b) = (layout(&entry, 0), tiler(&entry));
            let verdict = Domain::Strict.composition(&a, &b);
            assert!(Domain::Extend.composition(&a, &b).is_ok());
            if entry["holds"].is_boolean() {
                assert_eq!(text(composition(&a, &b)), entry["result"], "{}", entry["args"]);
            }
            match entry["holds"].as_bool() {
                Some(true) if !overshoots(&a, &b.to_tile()) => {
                    assert!(verdict.is_ok(), "{}: {}", entry["args"], verdict.unwrap_err());
                    accepted += 1;
                }
                Some(_) => {
                    assert!(verdict.is_err(), "{}", entry["args"]);
                    rejected += 1;
                }
                None => {}
            }
        }
    }
    assert!(accepted > 200 && rejected > 40, "{accepted} {rejected}");
}

#[test]
fn divides() {
    let (mut accepted, mut rejected) = (0, 0);
    for file in ["logical_divide", "logical_divide_edge", "zipped_divide", "tiled_divide", "flat_divide"] {
        for entry in entries(file) {
            let (a, t) = (layout(&entry, 0), tiler(&entry));
            let Ok(divided) = logical_divide(&a, &t) else { continue };
            let verdict = Domain::Strict.divide(&a, &t);
            if entry["holds"].is_boolean() {
                let arranged = match file {
                    "zipped_divide" => zipped_divide(&a, &t),
                    "tiled_divide" => tiled_divide(&a, &t),
                    "flat_divide" => flat_divide(&a, &t),
                    _ => Ok(divided.clone()),
                };
                assert_eq!(text(arranged), entry["result"], "{}", entry["args"]);
                assert!(Domain::Extend.divide(&a, &t).is_ok());
            }
            if entry["holds"] == Json::Bool(false) {
                assert!(verdict.is_err(), "{}", entry["args"]);
            }
            if size(&divided).unwrap() > 1 << 16 {
                continue;
            }
            let (before, after) = (sorted(image(&a)), sorted(image(&divided)));
            if entry["holds"] == Json::Bool(false) || before.len() != after.len() {
                assert!(verdict.is_err(), "{}", entry["args"]);
                rejected += 1;
            } else if entry["holds"] == Json::Bool(true) && before == after {
                assert!(verdict.is_ok(), "{}: {}", entry["args"], verdict.unwrap_err());
                accepted += 1;
            } else if verdict.is_ok() {
                assert_eq!(before, after, "{}", entry["args"]);
            }
        }
    }
    assert!(accepted > 100 && rejected > 20, "{accepted} {rejected}");
}

/// `(2,2,2):(1,3,11)` leaves gaps that are rounded down, so that its 8 values and a complement of
/// one reach 16 together. Twice these 8 values are 16, but not those of `16:1`.
#[test]
fn tiles_that_repeat_elements_do_not_rearrange() {
    let strict =
        |a: &str, t: &str| Domain::Strict.divide(&parse_layout(a).unwrap(), &parse_tiler(t).unwrap());
    let error = strict("16:1", "(2,2,2,2):(0,1,3,11)").unwrap_err().to_string();
    assert!(error.contains("2 elements with stride 0"), "{error}");
    assert!(strict("(16,3):(3,1)", "[(2,2,2,2):(1,0,3,11)]").is_err());
    assert!(strict("16:1", "(2,1,2,4):(1,0,8,2)").is_ok());
}

/// The copies at `(3,0)` and `(0,1)` of `(4,2):(2,6)` must be the same, because both have the value
/// 6, but the complement `(3,..):(1,6)` of `2:3` takes them to 8 and 12. With a third mode, there
/// are too many coordinates to try.
#[test]
fn copies_of_equal_value_are_the_same_in_large_tilers_too() {
    let strict = |b: &str| Domain::Strict.product(&parse_layout("2:3").unwrap(), &parse_tiler(b).unwrap());
    assert!(strict("(4,2):(2,6)").is_err());
    let error = strict("(4,2,20000):(2,6,12)").unwrap_err().to_string();
    assert!(error.contains("too many coordinates to find those of equal value"), "{error}");
    assert!(strict("(3,2,20000):(1,3,6)").is_ok());
}

#[test]
fn complement_products_and_inverses() {
    for entry in entries("complement") {
        if entry["holds"] == Json::Bool(true) && entry["args"][1].is_string() {
            let (a, cotarget) = (layout(&entry, 0), layout(&entry, 1));
            let verdict = Domain::Strict.complement(&a, cotarget.shape().view());
            assert_eq!(text(complement(&a, cotarget.shape().view())), entry["result"], "{}", entry["args"]);
            assert!(verdict.is_ok(), "{}: {}", entry["args"], verdict.unwrap_err());
        }
    }
    for entry in entries("logical_product") {
        let verdict = Domain::Strict.product(&layout(&entry, 0), &tiler(&entry));
        if let Some(holds) = entry["holds"].as_bool() {
            assert_eq!(verdict.is_ok(), holds, "{} {verdict:?}", entry["args"]);
            let product = logical_product(&layout(&entry, 0), &tiler(&entry));
            assert_eq!(text(product), entry["result"], "{}", entry["args"]);
        }
    }
    for entry in entries("left_inverse") {
        let a = layout(&entry, 0);
        if entry["result"].is_string() && size(&a).unwrap() <= 1024 {
            let injective = distinct(&image(&a));
            let verdict = Domain::Strict.left_inverse(&a);
            assert_eq!(text(left_inverse(&a)), entry["result"], "{}", entry["args"]);
            assert_eq!(verdict.is_ok(), injective, "{} {verdict:?}", entry["args"]);
        }
    }
    for entry in entries("right_inverse") {
        let a = layout(&entry, 0);
        let inverse = right_inverse(&a).unwrap();
        if size(&inverse).unwrap() > 1024 {
            continue;
        }
        for (i, v) in image(&inverse).into_iter().enumerate() {
            assert_eq!(at(&a, v), i as i64, "{}", entry["args"]);
        }
    }
}

#[test]
fn coordinates() {
    let inside = |shape: &str, index: i64| {
        let coord = Tuple::leaf(Crd::Int(index));
        let shape = parse_shape(shape).unwrap().to_const().unwrap();
        let size: i64 = shape.leaves().iter().product();
        assert_eq!(Domain::Strict.coordinate(&coord, shape.view()).is_ok(), (0..size).contains(&index));
        (0..size).contains(&index)
    };
    let mut accepted = 0;
    for entry in entries("idx2crd") {
        if let (Some(index), Some(shape)) = (entry["args"][0].as_str(), entry["args"][1].as_str())
            && let Ok(index) = index.parse()
        {
            accepted += usize::from(inside(shape, index));
            assert!(!inside(shape, -1) && !inside(shape, 1 << 40));
        }
    }
    for entry in entries("crd2idx") {
        let coord = parse_coord(entry["args"][0].as_str().unwrap()).unwrap();
        let layout = parse_layout(entry["args"][1].as_str().unwrap()).unwrap();
        let leaves = coord.leaves().iter().zip(layout.shape().leaves());
        let flat = coord.congruent(layout.shape());
        let fits = flat
            && leaves
                .map(|(c, s)| (c.as_int().and_then(|c| c.as_static()), s.as_static()))
                .all(|(c, s)| c < s);
        if fits {
            let verdict = Domain::Strict.coordinate(&coord, layout.shape().view());
            assert!(verdict.is_ok(), "{} {verdict:?}", entry["args"]);
            accepted += 1;
        }
    }
    assert!(accepted > 200, "{accepted}");
}

#[test]
fn large_extents_cost_nothing_and_dynamic_leaves_are_no_error() {
    let strict =
        |a: &str, t: &str| Domain::Strict.divide(&parse_layout(a).unwrap(), &parse_tiler(t).unwrap());
    assert!(strict("(8192,8192):(8192,1)", "(128,128):(1,128)").is_ok());
    assert!(strict("(1048576,1048576):(1048576,1)", "[128:1;64:1]").is_ok());
    assert!(strict("(?,8):(1,?)", "(40,8)").is_ok());
    assert!(strict("(?,8):(1,?)", "(40,3)").is_err());
    let a = parse_layout("(1048576,1048576):(1048577,1)").unwrap();
    assert!(Domain::Strict.composition(&a, &parse_tiler("2097152:1").unwrap()).is_ok());
    assert!(Domain::Strict.composition(&a, &parse_tiler("1048576:1048577").unwrap()).is_err());
    let swizzled = parse_layout_or_composed("S<3,4,3> o 0 o (1048576,1048576):(1048577,1)").unwrap();
    assert!(Domain::Strict.composition(&swizzled, &parse_tiler("2097152:1").unwrap()).is_ok());
    assert!(Domain::Strict.composition(&swizzled, &parse_tiler("1048576:1048577").unwrap()).is_err());
    let product = |b: &str| {
        Domain::Strict.product(&parse_layout("(8192,8192):(1,16384)").unwrap(), &parse_tiler(b).unwrap())
    };
    assert!(product("(1024,1024):(1,1024)").is_ok());
    assert!(product("(2,1024):(1024,1)").is_ok());
    let fills = |m| {
        Domain::Strict
            .complement(&parse_layout("(8192,8192):(1,16384)").unwrap(), Tuple::leaf(Dim::fixed(m)).view())
    };
    assert!(fills(1 << 40).is_ok());
}

#[test]
fn messages_give_numbers() {
    let a = parse_layout("(4,2):(2,1)").unwrap();
    let error = Domain::Strict.composition(&a, &parse_tiler("16:1").unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "composition: the right operand 16:1 reaches 15, but the left operand of shape (4,2) has only 8 elements"
    );
}

#[test]
fn a_result_that_breaks_the_equation_is_shown_at_a_coordinate() {
    let a = parse_layout("(12,9):(9,1)").unwrap();
    let error = Domain::Strict.composition(&a, &parse_tiler("12:9").unwrap()).unwrap_err().to_string();
    assert!(error.contains("the result is not a(b(c)): at 2 it is 1, not 55"), "{error}");
}

/// An empty tuple takes what is left of an integer, so that a layout which ends in one is not the
/// function of its leaves past its size. Compositions take it for that; strict refuses to go there.
#[test]
fn an_empty_tuple_takes_what_is_left_of_an_index() {
    let a = parse_layout("(4,()):(1,())").unwrap();
    assert_eq!(text(cute_algebra::crd2idx(&parse_coord("5").unwrap(), &a)), "1");
    let b = parse_tiler("8:1").unwrap();
    assert_eq!(text(composition(&a, &b)), "8:1");
    assert!(Domain::Strict.composition(&a, &b).is_err());
    assert!(Domain::Strict.composition(&a, &parse_tiler("4:1").unwrap()).is_ok());
}
