//! The numbers of docs/errata.md on placements, one test per row.
//! `crates/cute-algebra/tests/errata.rs` has the others, and checks that the table names them all.

use std::fmt::Display;

use cute_algebra::Axis;
use cute_placement::{Axes, Placement, PlacementError, Point, placement};

/// Asserts the result of an operation as text.
fn is<T: Display>(made: Result<T, impl Display>, text: &str) {
    assert_eq!(made.map_or_else(|e| format!("error: {e}"), |t| t.to_string()), text);
}

/// Asserts that an operation fails with these words in the message.
fn fails<T>(made: Result<T, impl Display>, words: &str) {
    let text = made.err().expect("an error").to_string();
    assert!(text.contains(words), "{text}");
}

fn placed(text: &str) -> Placement {
    text.parse().expect("a placement of this file")
}

fn maybe(made: Result<Option<Placement>, PlacementError>) -> String {
    made.expect("an answer").map_or("none".to_string(), |p| p.to_string())
}

const REGISTERS: &str = "S[(8,2,4,2) : (4@laneid,1@warpid,1@laneid,1)] + R[2 : 4@warpid] + 5@warpid";

#[test]
fn copies_of_an_element() {
    let p = placed("S[8 : 4@laneid] + R[(4,2) : (1@laneid,4@warpid)]");
    is(p.base(&[1], &[8]), "4@laneid + 0@warpid");
    let places: Vec<_> = p.placements(&[1], &[8]).expect("places").iter().map(Point::to_string).collect();
    let lanes = (4..8).flat_map(|lane| [0, 4].map(|warp| format!("{lane}@laneid + {warp}@warpid")));
    assert_eq!(places, lanes.collect::<Vec<_>>());
}

#[test]
fn copies_behind_a_swizzle() {
    let p = placed("Swizzle(M=3, B=3, S=3) o S[(8,64) : (64,1)] + R[2 : 512]");
    let places: Vec<_> = p.placements_at(70).expect("places").iter().map(Point::to_string).collect();
    assert_eq!(places, ["78@m", "590@m"]);
}

#[test]
fn indices_and_coordinates() {
    let p = placed(REGISTERS);
    is(p.base_at(147), "37@laneid + 1@m + 5@warpid");
    is(p.base_at(-1), "-1@laneid + 1@m + 6@warpid");
    fails(p.base(&[0, 16], &[8, 16]), "coordinate 1 is 16, outside [0, 16)");
    fails(p.base(&[1, 1], &[4, 4]), "shape (4, 4) has 16 elements");
}

#[test]
fn shards_replicas_and_offsets() {
    let refused = |text: &str, words: &str| fails(text.parse::<Placement>(), words);
    refused("S[(8,4) : (4@laneid,)]", "1 strides, expected 2");
    refused("S[8] + S[4]", "one shard");
    refused("S[(8,0) : (1,1)]", "extent 0 is not positive");
    is(
        "S[8] + R[2 : 8] + R[3 : 16] + 1 + 2".parse::<Placement>(),
        "S[(8) : (1@m)] + R[(2, 3) : (8@m, 16@m)] + 3@m",
    );
}

#[test]
fn spans_are_factors() {
    is(placed("S[(4,8) : (-8,1)]").span_along(Axis::M), "-16");
    const MEMORY: &[(&str, placement::Kind)] =
        &[("TLane", placement::Kind::Memory), ("TCol", placement::Kind::Memory)];
    let axes = Axes { scopes: &[], kinds: MEMORY, fusions: &[], splits: &[] };
    is(placed("S[(128,256) : (1@TLane,1@TCol)]").span(&axes), "383");
}

#[test]
fn slices_have_room() {
    let p = placed("S[(6,4,2) : (8,6,16)]");
    assert_eq!(maybe(p.slice(&[48], &[(39, 41)], None)), "none");
    is(p.base_at(39).and_then(|a| p.base_at(40)?.minus(&a)), "-26@m");
    assert_eq!(maybe(p.slice(&[48], &[(40, 42)], None)), "S[(1, 2) : (6@m, 16@m)] + 40@m");
    for window in [(6, 12), (3, 3), (-1, 2)] {
        fails(
            placed("S[(8,8)]").slice(&[8, 8], &[window, (0, 8)], None),
            "0 <= begin < end <= 8 is required",
        );
    }
}

#[test]
fn widths_of_elements() {
    is(
        placed("S[(8,4,4) : (4@laneid,1@laneid,1)]").pack(2, Axis::M),
        "S[(8, 4, 2) : (4@laneid, 1@laneid, 1@m)]",
    );
    is(
        placed("S[(8,16) : (16,1)] + R[2 : 256] + 32").unpack(4, Axis::M),
        "S[(8, 16, 4) : (64@m, 4@m, 1@m)] + R[(2) : (1024@m)] + 128@m",
    );
    fails(
        placed("S[(8,16) : (18,1)]").pack(4, Axis::M),
        "stride of shard iter 0 is 18, which is not a multiple of 4",
    );
}

#[test]
fn permutations_have_all() {
    fails(placed("S[(8,4)]").permute_dims(&[0, 0]), "(0, 0) is not a permutation of 0..2");
}

#[test]
fn tiles_divide() {
    fails(placed("S[8]").tile_to(&[12], &[8], None), "dimension 0 is 12, which is not a multiple of 8");
}

#[test]
fn outer_copies_are_found() {
    let (tile, outer) = (placed("S[8]"), placed("S[2] + R[3 : 1]"));
    let tiled = tile.tile(&outer, &[2], &[8], None).expect("tiles");
    assert_eq!(tiled.to_string(), "S[(16) : (1@m)] + R[(3) : (1@m)]");
    assert_eq!(maybe(tile.is_tile_inner(&tiled, &[16], &[8], None)), "S[(2) : (1@m)] + R[(3) : (1@m)]");
}
