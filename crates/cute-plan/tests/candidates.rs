//! Laws of the candidates for tiles.

mod common;

use std::collections::{HashMap, HashSet};

use cute_algebra::{LayoutLike, Tuple, cosize, parse_layout_or_composed, product_each};
use cute_arch::smem::SmemSwizzle;
use cute_plan::{Kind, LayoutCandidate, TileSpec, tiles};
use fastrand::Rng;

use common::{offsets, tile};

/// Tiles of one to three modes, some of them nested.
fn random_tile(rng: &mut Rng) -> TileSpec {
    let extent = |rng: &mut Rng, most: u32| {
        if rng.u8(..3) == 0 { rng.i64(1..=1 << most) } else { 1 << rng.u32(..=most) }
    };
    let modes = match rng.u8(..4) {
        0 => vec![Tuple::leaf(extent(rng, 7))],
        1 => vec![Tuple::from_leaves([extent(rng, 2), extent(rng, 3)]), Tuple::leaf(extent(rng, 5))],
        2 => vec![Tuple::leaf(extent(rng, 4)), Tuple::leaf(extent(rng, 4)), Tuple::leaf(rng.i64(1..=4))],
        _ => vec![Tuple::leaf(extent(rng, 6)), Tuple::leaf(extent(rng, 6))],
    };
    let bits = [4, 6, 8, 16, 32, 64][rng.usize(..6)];
    TileSpec { shape: Tuple::from_modes(modes), bits, most: None, vector: 1 << rng.u32(..=2) }
}

#[test]
fn candidates_are_injective_and_as_their_record_says() {
    let mut rng = Rng::with_seed(1);
    for _ in 0..30 {
        let tile = random_tile(&mut rng);
        for c in tiles(&tile) {
            let offsets = offsets(&c.layout);
            let distinct: HashSet<i64> = offsets.iter().copied().collect();
            assert_eq!(distinct.len(), offsets.len(), "{} is not injective", c.text);
            let elements = cosize(c.layout.outer()).expect("a small layout");
            assert!(
                offsets.iter().all(|offset| (0..elements).contains(offset)),
                "{} leaves its memory",
                c.text
            );
            assert_eq!(c.bytes, (elements * tile.bits + 7) / 8, "{}", c.text);
            let sizes = |shape: &Tuple<i64>| product_each(shape.view()).expect("a small shape");
            assert_eq!(sizes(c.layout.outer().shape()), sizes(&tile.shape), "{} for {}", c.text, tile.shape);
            assert_eq!(parse_layout_or_composed(&c.text).expect("a layout"), c.layout.to_dim());
            assert!(!c.reason.is_empty());
            let from_base = common::offsets(&c.base().to_any());
            let placed: Vec<i64> = from_base.into_iter().map(|offset| c.form().place(offset)).collect();
            assert_eq!(placed, offsets, "{}", c.text);
            for mode in &c.basis {
                let leaf = c.layout.outer().view().get(mode.path.indices()).expect("a leaf");
                let (extent, stride) = leaf.as_leaf().expect("a leaf");
                assert_eq!((*extent, stride.as_static()), (mode.extent, Some(mode.stride)));
                assert!(mode.extent > 1 || mode.stride == 0, "{}", c.text);
            }
        }
    }
}

/// Equal keys if and only if equal functions.
#[test]
fn the_identity_is_that_of_the_function() {
    let mut rng = Rng::with_seed(2);
    for _ in 0..50 {
        // Candidates for tiles of the same extents, however these are nested, are comparable.
        let tile = random_tile(&mut rng);
        let flat =
            TileSpec { shape: product_each(tile.shape.view()).expect("a small shape"), ..tile.clone() };
        let mut by_key: HashMap<String, (Vec<i64>, String)> = HashMap::new();
        let mut by_function: HashMap<Vec<i64>, (String, String)> = HashMap::new();
        for c in tiles(&tile).into_iter().chain(tiles(&flat)) {
            let offsets = offsets(&c.layout);
            let other = by_key.entry(c.identity.clone()).or_insert_with(|| (offsets.clone(), c.text.clone()));
            assert_eq!(other.0, offsets, "{} and {} share a key", c.text, other.1);
            let other = by_function.entry(offsets).or_insert_with(|| (c.identity.clone(), c.text.clone()));
            assert_eq!(other.0, c.identity, "{} and {} are one function", c.text, other.1);
        }
    }
}

#[test]
fn candidates_are_ordered_and_distinct() {
    let mut rng = Rng::with_seed(3);
    for _ in 0..30 {
        let tile = random_tile(&mut rng);
        let all = tiles(&tile);
        let key = |c: &LayoutCandidate| (c.bytes, c.text.matches(',').count(), c.text.clone());
        assert!(all.windows(2).all(|w| key(&w[0]) < key(&w[1])));
        let keys: HashSet<&str> = all.iter().map(|c| &*c.identity).collect();
        assert_eq!(keys.len(), all.len());
        assert_eq!(all, tiles(&tile));
        let least = all.iter().map(|c| cosize(c.layout.outer()).expect("a small layout")).min();
        let within = TileSpec { most: least, ..tile.clone() };
        let left: Vec<LayoutCandidate> = tiles(&within);
        assert!(left.iter().all(|c| all.contains(c) && Some(cosize(c.layout.outer()).unwrap()) == least));
        assert!(!left.is_empty() && tiles(&TileSpec { most: Some(0), ..tile }).is_empty());
    }
}

/// A vector along the contiguous mode stays in order and aligned.
#[test]
fn vectors_stay_whole() {
    for (shape, bits, vector) in
        [("(128,64)", 16, 8), ("(8,64)", 8, 16), ("(16,24)", 32, 4), ("(64,4,3)", 16, 4)]
    {
        for c in tiles(&tile(shape, bits, vector)) {
            let offsets = offsets(&c.layout);
            let before = offsets_of_base(&c);
            for (first, at) in before.iter().zip(&offsets).filter(|(first, _)| *first % vector == 0) {
                assert_eq!(at % vector, 0, "{}", c.text);
                let next = before.iter().zip(&offsets).filter(|(b, _)| (*first..first + vector).contains(b));
                assert!(next.into_iter().all(|(b, o)| o - at == b - first), "{}", c.text);
            }
        }
    }
}

fn offsets_of_base(c: &LayoutCandidate) -> Vec<i64> {
    offsets(&c.base().to_any())
}

fn texts(tile: &TileSpec) -> Vec<String> {
    tiles(tile).into_iter().map(|c| c.text).collect()
}

#[test]
fn the_atoms_of_tensor_cores_are_candidates() {
    let all = tiles(&tile("(128,64,4)", 16, 8));
    assert!((100..1000).contains(&all.len()), "{} candidates", all.len());
    // The same function may be written with fewer modes.
    let has = |text: &str, swizzle: SmemSwizzle, contiguous: usize| {
        let wanted =
            parse_layout_or_composed(text).expect("a layout").map(|n| n.as_static().expect("a number"));
        let places = offsets(&wanted);
        let found = all.iter().find(|c| offsets(&c.layout) == places).map(|c| c.kind);
        assert_eq!(found, Some(Kind::Atom { swizzle, contiguous }), "{text}");
    };
    // As CUTLASS tiles them for the operands of wgmma, with stages outside.
    has("S<3,3,3> o 0 o ((8,16),(64,1),(1,4)):((64,512),(1,0),(0,8192))", SmemSwizzle::B128, 1);
    has("S<2,3,3> o 0 o ((8,16),(32,2),(1,4)):((32,256),(1,4096),(0,8192))", SmemSwizzle::B64, 1);
    has("S<3,3,3> o 0 o ((64,2),(8,8),(1,4)):((1,512),(64,1024),(0,8192))", SmemSwizzle::B128, 0);
    has("S<3,3,3> o 0 o ((64,2),(8,8),(1,4)):((1,4096),(64,512),(0,8192))", SmemSwizzle::B128, 0);
    has("((8,16),(8,8),(1,4)):((8,64),(1,1024),(0,8192))", SmemSwizzle::Interleave, 1);
    let stages = |c: &&LayoutCandidate| matches!(c.kind, Kind::Atom { .. });
    assert!(all.iter().filter(stages).all(|c| c.basis.last().is_some_and(|mode| mode.stride == 8192)));
}

#[test]
fn degenerate_tiles_have_their_one_layout() {
    assert_eq!(texts(&tile("1", 8, 1)), ["1:0"]);
    assert_eq!(texts(&tile("(1,1)", 8, 1)), ["(1,1):(0,0)"]);
    assert_eq!(texts(&TileSpec { shape: Tuple::from_modes([]), bits: 16, most: None, vector: 1 }), ["():()"]);
    // A vector is whole, so nothing can move.
    assert_eq!(texts(&tile("8", 16, 8)), ["8:1"]);
    let rows = tiles(&tile("(1,8)", 4, 2));
    assert!(rows.iter().all(|c| c.basis[0].stride == 0), "modes of one element have no stride");
    assert_eq!(rows[0].bytes, 4, "elements of 4 bits");
    let six = tiles(&tile("(3,3)", 6, 1));
    assert_eq!(six[0].bytes, 7, "54 bits");
    // Gaps are whole bytes: 4, 8 and so on of 6 bits.
    let gaps = six.iter().filter_map(|c| match c.kind {
        Kind::Padded { elements, .. } => Some(elements),
        _ => None,
    });
    assert!(gaps.into_iter().all(|elements| elements % 4 == 0));
}

#[test]
fn nested_modes_stay_nested() {
    let all = texts(&tile("((4,2),8)", 32, 1));
    assert!(
        all.contains(&"((4,2),8):((1,4),8)".to_string()) && all.contains(&"((4,2),8):((8,32),1)".to_string())
    );
}

#[test]
fn many_modes_keep_the_last_in_place() {
    let all = tiles(&tile("(2,2,2,2,2,2)", 32, 1));
    let compact: Vec<&LayoutCandidate> = all.iter().filter(|c| c.kind == Kind::Compact).collect();
    assert_eq!(compact.len(), 24);
    assert!(compact.iter().all(|c| [c.basis[4].stride, c.basis[5].stride] == [16, 32]));
}

/// Small tiles have the most candidates: every swizzle, and of two modes every padding behind them.
#[test]
fn small_tiles_have_thousands_at_most() {
    for (shape, most) in [("(8,64)", 2000), ("(4,8,16)", 2000), ("(2,4,8,8)", 6000), ("((2,4),(8,8))", 10000)]
    {
        let count = tiles(&tile(shape, 8, 1)).len();
        assert!(count < most, "{count} for {shape}");
    }
}

/// Numbers that cannot be layouts give no candidates, and large ones give few, at once.
#[test]
fn huge_tiles_end() {
    for shape in ["(4611686018427387904,4)", "9223372036854775807", "(3037000500,3037000500,3)"] {
        assert_eq!(tiles(&tile(shape, 16, 1)), [], "{shape}");
    }
    for extents in [[0, 4], [-1, 4]] {
        assert_eq!(
            tiles(&TileSpec { shape: Tuple::from_leaves(extents), bits: 8, most: None, vector: 1 }),
            []
        );
    }
    for (bits, vector) in [(0, 1), (-8, 1), (8, 0), (i64::MAX, 1)] {
        assert_eq!(tiles(&tile("(4,4)", bits, vector)), [], "{bits} {vector}");
    }
    for shape in ["(1048576,1048576)", "(3000000,7000000)", "1000000000000"] {
        let count = tiles(&tile(shape, 16, 1)).len();
        assert!((1..2000).contains(&count), "{count} for {shape}");
    }
    assert!(
        !tiles(&tile("(64,64)", 16, i64::MAX)).is_empty(),
        "no vector of this length fits, but layouts do"
    );
}
