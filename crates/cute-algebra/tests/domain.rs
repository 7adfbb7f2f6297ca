//! The strict policy rejects exactly what leaves the domain or breaks the equation, and keeps the rest.

use std::path::Path;

use cute_algebra::{
    Crd, Domain, Layout, Tile, Tiler, Tuple, crd2idx, logical_divide, parse_layout, parse_tiler,
    right_inverse, size,
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

fn values(layout: &Layout<i64>) -> Vec<Tuple<i64>> {
    (0..size(layout).unwrap()).map(|i| crd2idx(&Tuple::leaf(Crd::Int(i)), layout).unwrap()).collect()
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
fn composition() {
    let (mut accepted, mut rejected) = (0, 0);
    for file in ["composition", "composition_edge"] {
        for entry in entries(file) {
            let (a, b) = (layout(&entry, 0), tiler(&entry));
            let verdict = Domain::Strict.composition(&a, &b);
            assert!(Domain::Extend.composition(&a, &b).is_ok());
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
fn divide() {
    let (mut accepted, mut rejected) = (0, 0);
    for file in ["logical_divide", "logical_divide_edge", "zipped_divide", "tiled_divide", "flat_divide"] {
        for entry in entries(file) {
            let (a, t) = (layout(&entry, 0), tiler(&entry));
            let Ok(divided) = logical_divide(&a, &t) else { continue };
            if size(&divided).unwrap() > 1024 {
                continue;
            }
            let verdict = Domain::Strict.divide(&a, &t);
            let (mut before, mut after) = (values(&a), values(&divided));
            before.sort_by_key(|v| *v.as_leaf().unwrap());
            after.sort_by_key(|v| *v.as_leaf().unwrap());
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

#[test]
fn complement_products_and_inverses() {
    for entry in entries("complement") {
        if entry["holds"] == Json::Bool(true) && entry["args"][1].is_string() {
            let (a, cotarget) = (layout(&entry, 0), layout(&entry, 1));
            let verdict = Domain::Strict.complement(&a, cotarget.shape().view());
            assert!(verdict.is_ok(), "{}: {}", entry["args"], verdict.unwrap_err());
        }
    }
    for entry in entries("logical_product") {
        let verdict = Domain::Strict.product(&layout(&entry, 0), &tiler(&entry));
        if let Some(holds) = entry["holds"].as_bool() {
            assert_eq!(verdict.is_ok(), holds, "{} {verdict:?}", entry["args"]);
        }
    }
    for entry in entries("left_inverse") {
        let a = layout(&entry, 0);
        if entry["result"].is_string() && size(&a).unwrap() <= 1024 {
            let mut all = values(&a);
            all.sort_by_key(|v| *v.as_leaf().unwrap());
            all.dedup();
            let injective = all.len() as i64 == size(&a).unwrap();
            let verdict = Domain::Strict.left_inverse(&a);
            assert_eq!(verdict.is_ok(), injective, "{} {verdict:?}", entry["args"]);
        }
    }
    for entry in entries("right_inverse") {
        let a = layout(&entry, 0);
        let inverse = right_inverse(&a).unwrap();
        if size(&inverse).unwrap() > 1024 {
            continue;
        }
        for (i, v) in values(&inverse).into_iter().enumerate() {
            assert_eq!(crd2idx(&v.to_coord(), &a).unwrap().as_leaf(), Some(&(i as i64)), "{}", entry["args"]);
        }
    }
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
}

#[test]
fn messages_give_numbers_and_the_way_out() {
    let a = parse_layout("(4,2):(2,1)").unwrap();
    let error = Domain::Strict.composition(&a, &parse_tiler("16:1").unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "composition: the right operand 16:1 reaches 15, the left operand of shape (4,2) has 8 elements; set cute.domain = \"extend\" to accept it as CuTe does"
    );
}
