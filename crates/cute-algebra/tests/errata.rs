//! The numbers of docs/errata.md, one test per row: the result of each operation where published
//! descriptions disagree. The last test checks that the table matches this file and the vectors and
//! lit files that it names.

use std::{collections::BTreeSet, fmt::Display, path::Path};

use cute_algebra::*;

fn layout(text: &str) -> Layout<Dim> {
    parse_layout(text).expect("a layout of this file")
}

fn swizzled(text: &str) -> ComposedLayout<Dim> {
    parse_composed(text).expect("a composed layout of this file")
}

fn tiler(text: &str) -> Tiler<Dim> {
    parse_tiler(text).expect("a tiler of this file")
}

fn ints(text: &str) -> Tuple<Dim> {
    parse_int_tuple(text).expect("an int_tuple of this file")
}

fn coord(text: &str) -> Coord<Dim> {
    parse_coord(text).expect("a coordinate of this file")
}

/// Asserts the result of an operation as text.
fn is<T: Display>(made: Result<T, impl Display>, text: &str) {
    assert_eq!(made.map_or_else(|e| format!("error: {e}"), |t| t.to_string()), text);
}

/// Asserts that an operation fails with these words in the message.
fn fails<T>(made: Result<T, impl Display>, words: &str) {
    let text = made.err().expect("an error").to_string();
    assert!(text.contains(words), "{text}");
}

/// `op(layout, tiler)`.
macro_rules! tiled {
    ($op:ident, $a:literal, $t:literal) => {
        $op(&layout($a), &tiler($t))
    };
}

/// `op(tuple, tuple)`.
macro_rules! tuples {
    ($op:ident, $a:literal, $b:literal) => {
        $op(ints($a).view(), ints($b).view())
    };
}

fn at(c: &str, l: &str) -> Result<Tuple<Dim>, Error> {
    crd2idx(&coord(c), &layout(l))
}

// Coordinates, sizes and construction.

#[test]
fn integer_coordinates() {
    is(at("5", "(4,8):(8,1)"), "9");
    is(idx2crd(&ints("59"), &ints("(3,4,5)")), "(2,3,4)");
    is(idx2crd(&ints("60"), &ints("(3,4,5)")), "(0,0,5)");
}

#[test]
fn coordinates_past_the_end() {
    is(at("32", "(4,8):(8,1)"), "8");
    fails(Domain::Strict.coordinate(&coord("32"), ints("(4,8)").view()), "index 32 is outside [0, 32)");
}

#[test]
fn open_coordinates_count_zero() {
    is(crd2idx_in_shape(&coord("(2,(1,_))"), &ints("(3,(2,4))")), "5");
}

#[test]
fn row_major_placements() {
    // (laneid, warpid, m) of element (3,13) of (16,16), which a row-major description numbers 16 *
    // 3 + 13 = 61.
    is(at("61", "(2,4,2,8):(1@2,1@0,1@1,4@0)"), "(14,1,1)");
}

#[test]
fn replicas() {
    // One logical element, four places 32 lanes apart: a domain mode that the logical coordinate
    // does not fix.
    let fragment = "((((32,4),4),(32,4)),1,1):((((262144,4),8388608),(0,1)),0,0)";
    is(at("(((0,3),0),0,0)", fragment), "25165824");
    assert_eq!(25165824, 3 * 32 * 262144);
    is(at("((0,(31,0)),0,0)", fragment), "0");
}

#[test]
fn cosize_spans() {
    is(cosize(&layout("8:2")), "15");
    is(cosize(&layout("(4,3):(1,0)")), "4");
    is(cosize(&layout("4:-1")), "4");
}

#[test]
fn integer_divisors_fold() {
    is(tuples!(ceil_div, "(4,5,6)", "40"), "(1,1,3)");
    is(tuples!(ceil_div, "(128,128)", "(40,64)"), "(4,2)");
    is(tuples!(shape_div, "(4,5,6)", "40"), "(1,1,3)");
    fails(tuples!(shape_div, "128", "40"), "40");
}

#[test]
fn default_strides() {
    is(make_layout(&ints("(4,2)")), "(4,2):(1,4)");
    is(make_layout(&ints("(4,1,2)")), "(4,1,2):(1,0,4)");
    is(make_ordered_layout(&ints("(2,3,4)"), &ints("(2,0,1)")), "(2,3,4):(12,1,3)");
}

#[test]
fn shapes_and_strides_are_congruent() {
    assert!(congruent(ints("(4,8)").view(), ints("(1,4)").view()));
    assert!(weakly_congruent(ints("4").view(), ints("(1,4)").view()));
    assert!(parse_layout("4:(1,4)").is_err());
}

#[test]
fn identity_layouts() {
    is(make_identity_layout(&ints("(4,2)")), "(4,2):(1@0,1@1)");
}

#[test]
fn nested_bases() {
    is(make_identity_layout(&ints("(2,(3,4))")), "(2,(3,4)):(1@0,(1@0@1,1@1@1))");
    is(at("(1,(2,3))", "(2,(3,4)):(1@0,(1@0@1,1@1@1))"), "(1,(2,3))");
}

#[test]
fn ratios() {
    is(parse_stride("2/2@0"), "1@0");
    is(parse_stride("1/2@0"), "1/2@0");
    fails(composition(&layout("8:1"), &Tiler::Layout(layout("4:1/2@0"))), "1/2@0");
}

#[test]
fn group_takes_a_range() {
    is(group(&layout("(4,5,6):(1,4,20)"), 0, 2), "((4,5),6):((1,4),20)");
}

#[test]
fn compact_and_contiguous() {
    assert_eq!(is_compact(&layout("(2,4):(4,1)")), Some(true));
    assert_eq!(is_compact(&layout("(2,4):(0,1)")), Some(false));
    assert_eq!(is_contiguous(&layout("(2,4):(0,1)")), Some(true));
    assert_eq!(is_contiguous(&layout("(2,4):(8,1)")), Some(false));
}

#[test]
fn equal_functions_and_images() {
    assert_eq!(equivalent(&layout("(4,2):(1,4)"), &layout("8:1")), Ok(Some(true)));
    assert_eq!(equivalent(&layout("(4,3):(1,0)"), &layout("4:1")), Ok(Some(false)));
    assert_eq!(same_image(&layout("(4,3):(1,0)"), &layout("4:1")), Ok(Some(true)));
}

// Simplification.

#[test]
fn coalesce_merges_where_the_rule_holds() {
    is(coalesce(&layout("(2,4):(4,1)")), "(2,4):(4,1)");
    is(coalesce(&layout("(2,4):(8,1)")), "(2,4):(8,1)");
    is(coalesce(&layout("(4,2):(1,4)")), "8:1");
    is(coalesce(&layout("(2,(1,6)):(1,(6,2))")), "12:1");
    is(coalesce(&layout("(4,3):(0,0)")), "12:0");
}

#[test]
fn filter_zeros_keeps_the_mode() {
    is(filter_zeros(&layout("(4,3):(1,0)")), "(4,1):(1,0)");
    is(filter_zeros(&layout("(4,(3,2)):(1,(0,4))")), "(4,(1,2)):(1,(0,4))");
}

#[test]
fn filter_drops_and_shrinks() {
    is(filter(&layout("(4,3):(1,0)")), "4:1");
    is(filter(&filter(&layout("(4,3):(1,0)")).unwrap()), "4:1");
    is(size(&layout("(4,3):(1,0)")), "12");
    assert_eq!(same_image(&layout("(4,3):(1,0)"), &layout("4:1")), Ok(Some(true)));
}

// Composition, complement and inverses.

#[test]
fn composition_order() {
    is(tiled!(composition, "8:2", "4:1"), "4:2");
    is(tiled!(composition, "4:1", "8:2"), "8:2");
}

#[test]
fn composition_domain() {
    is(tiled!(composition, "4:1", "16:1"), "16:1");
    is(tiled!(composition, "(4,2):(2,1)", "16:1"), "(4,4):(2,1)");
    fails(Domain::Strict.composition(&layout("4:1"), &tiler("16:1")), "reaches 15");
    assert!(Domain::Strict.composition(&layout("8:2"), &tiler("4:1")).is_ok());
}

#[test]
fn composition_shape() {
    is(tiled!(composition, "(4,2):(1,4)", "(2,2):(1,2)"), "(2,2):(1,2)");
    is(tiled!(composition, "(10,2):(16,4)", "(5,4):(1,5)"), "(5,(2,2)):(16,(80,4))");
    assert_eq!(compatible(ints("(5,4)").view(), ints("(5,(2,2))").view()), Ok(Some(true)));
}

#[test]
fn composition_divisibility() {
    is(tiled!(composition, "(10,4):(4,1)", "10:6"), "(2,5):(24,1)");
    assert!(Domain::Strict.composition(&layout("(10,4):(4,1)"), &tiler("10:6")).is_err());
    fails(tiled!(composition, "(4,2):(1,8)", "2:6"), "6");
}

#[test]
fn composition_distributes() {
    is(tiled!(composition, "(8,8,2):(8,1,64)", "(16,2):(1,2)"), "((8,2),2):((8,1),16)");
    // (16,2):(1,2) is 18 at (14,1), where (8,8,2):(8,1,64) has 18; the result has 64.
    is(at("16", "(8,8,2):(8,1,64)"), "2");
    is(at("(14,1)", "((8,2),2):((8,1),16)"), "65");
    assert!(Domain::Strict.composition(&layout("(8,8,2):(8,1,64)"), &tiler("(16,2):(1,2)")).is_err());
}

#[test]
fn composition_by_mode_drops_modes() {
    is(tiled!(composition, "((2,8),4):((1,2),16)", "[16]"), "(16):(1)");
    is(tiled!(logical_divide, "((2,8),4):((1,2),16)", "[16]"), "((16,1),4):((1,0),16)");
}

#[test]
fn complement_fills_the_cotarget() {
    let of = |l, m: &str| complement(&layout(l), ints(m).view());
    is(of("4:32", "256"), "(32,2):(1,128)");
    is(of("4:32", "128"), "32:1");
    is(complement_in_cosize(&layout("4:32")), "32:1");
    is(of("128:1", "512"), "4:128");
    is(of("32:1", "128"), "4:32");
}

#[test]
fn complement_rounds_up_and_filters() {
    let of = |l, m: &str| complement(&layout(l), ints(m).view());
    is(of("4:1", "10"), "3:4");
    is(of("(4,3):(1,0)", "24"), "6:4");
    is(of("(2,2,2):(1,3,11)", "16"), "1:0");
    fails(of("(4,4):(1,2)", "24"), "2");
}

#[test]
fn complement_without_cotarget() {
    is(complement_in_cosize(&layout("4:2")), "2:1");
    is(complement_of_bases(&layout("3:4@2")), "(1,1,4):(0,0,1@2)");
}

#[test]
fn left_inverse_is_a_quasi_inverse() {
    let inverse = left_inverse(&layout("8:2")).unwrap();
    assert_eq!(inverse.to_string(), "(2,8):(0,1)");
    for i in 0..8 {
        is(at(&(2 * i).to_string(), "(2,8):(0,1)"), &i.to_string());
    }
}

// Divides, tiles and partitions.

#[test]
fn divides_round_up() {
    is(tiled!(logical_divide, "128:1", "40:1"), "(40,4):(1,40)");
    is(tiled!(logical_divide, "(128,128):(1,128)", "(40,64)"), "((40,4),(64,2)):((1,40),(128,8192))");
    is(tiled!(tiled_divide, "(128,128):(1,128)", "(40,64)"), "((40,64),4,2):((1,128),40,8192)");
    fails(Domain::Strict.divide(&layout("128:1"), &tiler("40:1")), "tiles of 40:1 in 128 elements cover 160");
}

#[test]
fn divide_formula() {
    is(tiled!(logical_divide, "128:1", "32:1"), "(32,4):(1,32)");
    is(tiled!(logical_divide, "128:2", "32:1"), "(32,4):(2,64)");
    // The complement of A o T, which some write, is another layout.
    is(complement(&layout("32:2"), ints("128").view()), "(2,2):(1,64)");
}

#[test]
fn divides_coalesce_the_target() {
    is(tiled!(logical_divide, "(6,4):(1,6)", "8:1"), "(8,3):(1,8)");
    is(tiled!(logical_divide, "(3,8):(1,3)", "2:1"), "(2,12):(1,2)");
    let dynamic = tiled!(logical_divide, "(?,?):(?,?)", "(3,4):(1,3)");
    is(dynamic, "(((?,?),(?,?)),(?,?)):(((?,?),(?{div=3},?)),(?{div=12},?))");
}

#[test]
fn divides_can_cover_too_much() {
    is(tiled!(logical_divide, "(3,4):(4,1)", "2:1"), "(2,(2,4)):(4,(8,1))");
    assert!(Domain::Strict.divide(&layout("(3,4):(4,1)"), &tiler("2:1")).is_err());
    is(tiled!(logical_divide, "20:1", "4:2"), "(4,(2,3)):(2,(1,8))");
    fails(Domain::Strict.divide(&layout("20:1"), &tiler("4:2")), "24");
}

#[test]
fn layout_tilers_take_the_whole_domain() {
    is(tiled!(tiled_divide, "(128,128):(1,128)", "(64,64):(1,64)"), "((64,64),4):((1,64),4096)");
    is(tiled!(logical_divide, "(128,128):(1,128)", "(32,16):(1,32)"), "((32,16),32):((1,32),512)");
}

#[test]
fn shape_tilers_go_by_mode() {
    for t in ["(64,64)", "[64:1;64:1]"] {
        let divided = tiled_divide(&layout("(128,128):(1,128)"), &tiler(t));
        is(divided, "((64,64),2,2):((1,128),64,8192)");
    }
    is(tiled!(logical_divide, "(128,128):(1,128)", "(32,16)"), "((32,4),(16,8)):((1,32),(128,2048))");
    is(tiled!(tiled_divide, "(128,128):(1,128)", "(32,16)"), "((32,16),4,8):((1,128),32,2048)");
    is(tiled!(logical_divide, "(128,128):(1,128)", "[32:1;16:32]"), "((32,4),(16,32)):((1,32),(4096,128))");
}

#[test]
fn untouched_modes_go_last() {
    let a = layout("(128,128,5):(1,128,16384)");
    is(zipped_divide(&a, &tiler("(64,64)")), "((64,64),(2,2,5)):((1,128),(64,8192,16384))");
    is(flat_divide(&a, &tiler("(64,64)")), "(64,64,2,2,5):(1,128,64,8192,16384)");
}

#[test]
fn rank_of_the_tiler() {
    fails(tiled!(logical_divide, "16:1", "[2;2]"), "rank 2, expected at most 1");
    is(tiled!(logical_divide, "16:1", "(2,2):(1,4)"), "((2,2),(2,2)):((1,4),(2,8))");
}

#[test]
fn underscore_splits_a_pair() {
    is(tiled!(zipped_divide, "((4,8),16):((1,4),32)", "[_;4]"), "((4,4),(8,4)):((1,32),(4,128))");
    fails(tiled!(zipped_divide, "(32,16):(1,32)", "[_;4]"), "a pair for `_` to split");
}

#[test]
fn tile_text() {
    is(tiled!(logical_divide, "(8,8):(1,8)", "[4:1;1]"), "((4,2),(1,8)):((1,4),(0,8))");
    is(tiled!(logical_divide, "(8,8):(1,8)", "[4:1;1:1]"), "((4,2),(1,8)):((1,4),(8,8))");
    // Composition gives an integer the stride 1 even so.
    is(tiled!(composition, "(8,8):(1,8)", "[4:1;1]"), "(4,1):(1,8)");
}

#[test]
fn arguments_of_local_tile() {
    let projected = local_tile_projected(
        &layout("(128,64):(1,128)"),
        &tiler("(32,48,16)"),
        &coord("(1,7,_)"),
        &coord("(1,_,1)"),
    );
    is(projected.map(|(tile, offset)| format!("{tile} at {offset}")), "(32,16,4):(1,128,2048) at 32");
    let part = local_partition(&layout("(6,8):(1,6)"), &layout("(3,2):(2,1)"), &Dim::fixed(5));
    is(part.map(|(part, offset)| format!("{part} at {offset}")), "(2,4):(3,12) at 8");
}

#[test]
fn stencil_windows() {
    let cut = |l, w, t: &str, d: &str| {
        stencil_divide(&layout(l), &coord(w), Some(&ints(t)), Some(&ints(d))).map(|d| d.to_string())
    };
    // out = 1 + (32 - ((3-1)*2 + 1)) / 2 = 14.
    is(cut("32:1", "3", "2", "2"), "(3,14):(2,2)");
    is(cut("(16,32):(1,16)", "(3,5)", "(1,2)", "1"), "((3,14),(5,14)):((1,1),(16,32))");
    fails(cut("4:1", "3", "1", "2"), "spans 5 elements, but the mode has 4");
    fails(cut("4:1", "0", "1", "1"), "window 0 is not positive");
}

#[test]
fn outer_logical_divides() {
    is(tiled!(outer_logical_divide, "(4,8,16):(128,16,1)", "(2,4)"), "(4,(2,4),(4,4)):(128,(16,32),(1,4))");
}

#[test]
fn outer_zipped_divides() {
    is(tiled!(outer_zipped_divide, "(8,16):(16,1)", "(2,4)"), "((4,4),(4,2)):((4,32),(1,16))");
}

#[test]
fn outer_tiled_divides() {
    is(tiled!(outer_tiled_divide, "(8,16):(16,1)", "(2,4)"), "(4,4,(4,2)):(32,4,(1,16))");
}

#[test]
fn outer_flat_divides() {
    is(tiled!(outer_flat_divide, "(8,16):(16,1)", "(2,4)"), "(4,4,2,4):(32,4,16,1)");
}

#[test]
fn outer_divides_reverse() {
    let (a, t) = (layout("(8,16):(16,1)"), tiler("(2,4)"));
    let inside = zipped_divide(&reverse(&a).unwrap(), &reverse_tiler(&t)).and_then(|d| reverse(&d));
    assert_eq!(inside.map(|d| d.to_string()), outer_zipped_divide(&a, &t).map(|d| d.to_string()));
}

/// partition_C of (128,128):(128,1): 16 x 16 threads of one value each, M and N permuted by
/// (16,4):(4,1). 16 x 16 threads of an atom of one element.
fn fma(permutation: &str) -> TiledMma {
    let constant = |text| layout(text).to_const().expect("a static layout");
    let one = constant("(1,1):(0,0)");
    let atom = MmaLayouts { shape: [1; 3], thr_id: Layout::unit(), a: one.clone(), b: one.clone(), c: one };
    let Ok(Tile::Modes(modes)) = parse_tile(permutation) else { panic!("{permutation} is not a tile") };
    let modes: Vec<_> = modes.iter().map(|m| m.map(&mut |d: &Dim| d.as_static().expect("static"))).collect();
    TiledMma::new(atom, &constant("(16,16,1):(16,1,0)"), &modes).expect("a tiled MMA")
}

fn partition_c() -> ThrFrg<Layout<Dim>> {
    let mma = fma("[(16,4):(4,1);(16,4):(4,1);_]");
    mma.steps(MmaOperand::C, &layout("(128,128):(128,1)")).expect("the steps")
}

#[test]
fn partition_c_permutes() {
    is(complement(&layout("(16,4):(4,1)"), ints("128").view()), "2:64");
    is(tiled!(composition, "128:128", "((16,4),2):((4,1),64)"), "((16,4),2):((512,128),8192)");
    assert_eq!(partition_c().permuted.to_string(), "(((16,4),2),((16,4),2)):(((512,128),8192),((4,1),64))");
}

#[test]
fn partition_c_takes_atoms() {
    let steps = partition_c();
    let atoms = "((1,1),((16,4,2),(16,4,2))):((0,0),((512,128,8192),(4,1,64)))";
    assert_eq!(steps.atoms.to_string(), atoms);
    assert_eq!(steps.values.to_string(), atoms, "the scalar atom's (1,1):(0,0) changes nothing");
    let literal = zipped_divide(&steps.permuted, &tiler("[1:1;1:1]"));
    is(literal, "((1,1),((16,4,2),(16,4,2))):((8192,64),((512,128,8192),(4,1,64)))");
}

#[test]
fn partition_c_of_a_thread() {
    let threads = partition_c().threads;
    assert_eq!(threads.to_string(), "((1,(16,16)),(1,((4,2),(4,2)))):((0,(512,4)),(0,((128,8192),(1,64))))");
    // Thread (0,0), element ((3,1),(3,1)): row 67, column 67.
    is(crd2idx(&coord("((0,(0,0)),(0,((3,1),(3,1))))"), &threads), &(67 * 128 + 67).to_string());

    let (mma, c) = (fma("[(16,4):(4,1);(16,4):(4,1)]"), layout("(128,128):(128,1)"));
    let mut owners = vec![0; 128 * 128];
    for thread in 0..256 {
        let (part, at) = mma.partition(MmaOperand::C, &c, &Dim::fixed(thread)).expect("a partition");
        assert_eq!(part.to_string(), "(1,(4,2),(4,2)):(0,(128,8192),(1,64))");
        let begin = at.as_leaf().and_then(Dim::as_static).expect("an offset");
        if let Some((_, offset)) =
            [(0, 0), (1, 4), (16, 512), (17, 516), (255, 7740)].iter().find(|t| t.0 == thread)
        {
            assert_eq!(begin, *offset, "thread {thread}");
        }
        for value in 0..64 {
            let offset = crd2idx(&Tuple::leaf(Crd::Int(Dim::fixed(value))), &part).expect("an offset");
            owners[(begin + offset.as_leaf().and_then(Dim::as_static).expect("static")) as usize] += 1;
        }
    }
    assert!(owners.iter().all(|n| *n == 1), "each of the 16384 elements has one owner");
}

#[test]
fn threads_along_n_and_k_leave_the_tile() {
    let constant = |text| layout(text).to_const().expect("a static layout");
    let atom = fma("[_]").atom().clone();
    let tile = |text| Tile::Layout(constant(text));
    let mma = TiledMma::new(atom, &constant("(8,4,2):(1,8,32)"), &[tile("(8,4):(4,1)"), tile("(4,4):(4,1)")])
        .expect("a tiled MMA");
    is(mma.layout_tv(MmaOperand::C), "((8,8),(1,(4,4))):((4,128),(0,(1,32)))");
    is(cosize(&mma.layout_tv(MmaOperand::C).expect("a layout")), "1024");
    is(mma.layout_tv(MmaOperand::B), "((8,8),(1,(4,1))):((0,4),(0,(1,0)))");
    is(mma.layout_tv(MmaOperand::A), "((8,4,2),(1,(4,1))):((4,0,32),(0,(1,0)))");
}

// Products.

#[test]
fn products_scale_the_tiler() {
    is(tiled!(logical_product, "128:1", "4:32"), "(128,4):(1,4096)");
    is(tiled!(logical_product, "128:1", "4:1"), "(128,4):(1,128)");
}

#[test]
fn product_formula() {
    // complement(A, size(A) * cosize(B)) o B, with cosize(4:32) = 97.
    is(complement(&layout("128:1"), ints("12416").view()), "97:128");
    is(tiled!(composition, "97:128", "4:32"), "4:4096");
    is(tiled!(composition, "4:128", "4:32"), "4:4096");
}

#[test]
fn products_lead_with_the_block() {
    is(tiled!(logical_product, "(2,5):(5,1)", "[3:1;4:1]"), "((2,3),(5,4)):((5,1),(1,5))");
    is(tiled!(zipped_product, "(2,5):(5,1)", "[3:1;4:1]"), "((2,5),(3,4)):((5,1),(1,5))");
    is(tiled!(tiled_product, "(2,5):(5,1)", "[3:1;4:1]"), "((2,5),3,4):((5,1),1,5)");
    is(tiled!(flat_product, "(2,5):(5,1)", "[3:1;4:1]"), "(2,5,3,4):(5,1,1,5)");
}

#[test]
fn blocked_and_raked_products() {
    let (block, tiler) = (layout("(2,5):(5,1)"), layout("(3,4):(1,3)"));
    is(blocked_product(&block, &tiler), "((2,3),(5,4)):((5,10),(1,30))");
    is(raked_product(&block, &tiler), "((3,2),(4,5)):((10,5),(30,1))");
    is(blocked_product(&layout("8:1"), &tiler), "((8,3),(1,4)):((1,8),(0,24))");
}

// Swizzles.

fn swizzle(text: &str, offset: i64) -> i64 {
    parse_swizzle(text).expect("a swizzle").apply(&offset).expect("an offset")
}

#[test]
fn swizzle_bits() {
    let of = |offset| swizzle("S<3,4,3>", offset);
    assert_eq!([0x18, 0x20, 0x40].map(of), [0x18, 0x20, 0x40]);
    assert!((0..0x40).step_by(8).all(|x| of(x) == x));
    let rows: Vec<_> = (0..8).map(|row| of(row * 0x80)).collect();
    assert_eq!(rows, [0x0, 0x90, 0x120, 0x1b0, 0x240, 0x2d0, 0x360, 0x3f0]);
}

#[test]
fn swizzles_are_involutions() {
    for text in ["S<3,4,3>", "S<2,4,3>", "S<3,4,-3>"] {
        assert!((0..1024).all(|x| swizzle(text, swizzle(text, x)) == x), "{text}");
    }
    // Source bits [S, S+B) overlap the target, so that the swizzle is not its own inverse: 0x18
    // goes to 0x28, then to 0x78.
    let overlapping = |x: i64| x ^ ((x >> 3 & 7) << 4);
    assert_eq!([overlapping(0x18), overlapping(overlapping(0x18))], [0x28, 0x78]);
    assert_eq!((0..1024).filter(|x| overlapping(overlapping(*x)) == *x).count(), 256);
    assert_eq!((0..1024).filter(|x| overlapping(*x) == swizzle("S<3,4,3>", *x)).count(), 128);
}

#[test]
fn swizzle_shift_covers_the_bits() {
    fails(parse_swizzle("S<3,4,2>"), "3");
    assert_eq!(swizzle("S<3,4,-3>", 0x70), 0x3f0);
}

#[test]
fn swizzle_units() {
    is(recast_layout(&swizzled("S<3,4,3> o 0 o 128:1"), 16, 8), "S<3,3,3> o 0 o 64:1");
    let tile = swizzled("S<3,3,3> o 0 o (8,64):(64,1)");
    for (i, j, address) in [(1, 0, 72), (1, 8, 64), (3, 21, 205), (7, 63, 455)] {
        is(crd2idx(&coord(&format!("({i},{j})")), &tile), &address.to_string());
        // addr = 64 i + 8 (q xor i) + r of j = 8 q + r.
        assert_eq!(address, 64 * i + 8 * ((j / 8) ^ i) + j % 8);
    }
}

#[test]
fn swizzles_keep_the_cosize() {
    is(cosize(&swizzled("S<3,4,3> o 0 o (8,64):(64,1)")), "512");
    is(size(&swizzled("S<3,4,3> o 0 o (8,64):(64,1)")), "512");
}

#[test]
fn identity_swizzles() {
    is(parse_swizzle("S<0,0,0>"), "S<0,4,3>");
    is(parse_composed("S<0,4,3> o 0 o 8:1"), "S<0,4,3> o 0 o 8:1");
    is(parse_layout_or_composed("8:1"), "8:1");
}

#[test]
fn slices_of_swizzled_layouts() {
    let of = |c| slice(&coord(c), &swizzled("S<3,4,3> o 0 o ((4,8),(2,4)):((64,2),(256,16))"));
    is(of("(_,0)"), "(((2,2),8)):(((64,144),2))");
    is(of("(_,_)"), "S<3,4,3> o 0 o ((4,8),(2,4)):((64,2),(256,16))");
    // 11 and 24 lie below bit 7, the first that the swizzle reads.
    is(slice(&coord("(_,11)"), &swizzled("S<3,4,3> o 0 o (2,13):(13,1)")), "(2):(13)");
    // 256 lies above the fields, however often it is taken.
    let of = swizzled("S<2,1,2> o 0 o (32,8,?):(8,1,256)");
    let tile = local_tile(&of, &tiler("[2:8]"), &coord("(?)")).expect("a tile");
    assert_eq!(tile.0.to_string(), "((2),(2,2,2),?):((64),(1,?{div=2},?{div=4}),256)");
}

#[test]
fn slices_with_dynamic_extents_stay_composed() {
    let of = swizzled("S<3,0,3> o 50 o (?,8):(8,1)");
    let (part, offset) = slice_and_offset(&coord("(_,5)"), &of).expect("a slice");
    assert_eq!((part.to_string(), offset.to_string()), ("S<3,0,3> o 55 o (?):(8)".into(), "0".into()));
    // 50 + 5 + 2 * 8 carries into the bits that the swizzle reads.
    is(crd2idx(&coord("2"), &part), "71");
    is(crd2idx(&coord("(2,5)"), &swizzled("S<3,0,3> o 50 o (4,8):(8,1)")), "71");
    is(crd2idx(&coord("2"), &swizzled("S<3,0,3> o 55 o (4):(8)")), "71");
}

#[test]
fn slices_without_open_modes_are_one_element() {
    let of = |c: &str, l: &str| {
        let (part, offset) = slice_and_offset(&coord(c), &swizzled(l)).expect("a slice");
        (part.to_string(), offset.to_string())
    };
    assert_eq!(of("(1,8)", "S<3,4,3> o 0 o (8,64):(64,1)"), ("():()".into(), "72".into()));
    let behind = of("(1,(3,4))", "S<3,4,3> o 50 o (8,(8,8)):(64,(1,8))");
    assert_eq!(behind, ("S<3,4,3> o 149 o ():()".into(), "0".into()));
}

#[test]
fn recast_divides_dynamic_strides() {
    is(upcast(&layout("?:?"), 4), "?:?");
    is(recast_layout(&layout("?:?"), 32, 8), "?:?");
    is(recast_layout(&layout("?:?{div=8}"), 32, 8), "?:?{div=2}");
    fails(recast_layout(&layout("?:?"), 8, 32), "no mode of ?:? has the static stride 1");
    is(recast_layout(&layout("(?,?):(1,?)"), 8, 32), "(?{div=4},?):(1,?{div=4})");
}

#[test]
fn offsets_have_the_bits_that_they_need() {
    let at = |c: &str, l: &str| crd2idx(&coord(c), &layout(l));
    is(at("(?,?)", "(536870913,4):(4,1)"), "?{i64}");
    is(at("(?,?)", "(536870912,4):(4,1)"), "?");
    is(at("(?,?)", "(?,4):(4,1)"), "?");
    // An index of 32 bits does not reach the whole mode.
    is(at("?", "4294967296:1"), "?");
    is(at("?", "(65536,65536):(1,65536)"), "?");
    is(at("?", "4294967296:2"), "?{i64 div=2}");
    // A mode of one element, and strides that are never multiplied.
    is(at("(?,?)", "(536870912,1):(4,2147483647)"), "?");
    is(at("(?,?)", "(8,1):(1,2147483648)"), "?{i64}");
    is(at("(?,0)", "(8,4):(1,2147483648)"), "?");
    is(at("?{i64 div=2147483648}", "?:1"), "?{i64 div=2147483648}");
    is(at("(?,?)", "(8,?):(1,?{i64 div=2147483648})"), "?{i64}");
    // Down to -2^31, and below.
    is(at("?", "536870913:-4"), "?{div=4}");
    is(at("(?,?)", "(536870913,2):(-4,-1)"), "?{i64}");
    is(slice_and_offset(&coord("(?,_)"), &layout("(536870913,4):(4,1)")).map(|s| s.1), "?{i64 div=4}");
    is(crd2idx_in_shape(&coord("(?,?)"), &ints("(65536,65536)")), "?{i64}");
    is(crd2idx_in_shape(&coord("(?,?)"), &ints("(65536,32768)")), "?");
    let strict = |c: &str, l: &str| Domain::Strict.offset(&coord(c), &layout(l));
    fails(strict("(?,?)", "(536870913,4):(4,1)"), "reaches 2147483648, which 32 bits do not hold");
    assert!(strict("(?{i64},?)", "(536870913,1):(4,2147483648)").is_ok());
    assert!(strict("(?,?)", "(8,?):(1,?{i64 div=2147483648})").is_ok());
}

#[test]
fn recast_of_a_low_base() {
    is(recast_layout(&swizzled("S<3,0,3> o 0 o 64:1"), 16, 8), "S<2,0,3> o 0 o 32:1");
}

// Differences between the public CuTe IR and CuTe C++.

#[test]
fn dynamic_inverses_and_products() {
    is(right_inverse(&layout("(?,4):(4,1)")), "(4,?):(?,1)");
    is(tiled!(logical_product, "?:1", "4:1"), "(?,4):(1,?)");
    is(complement(&layout("4:1"), ints("?").view()), "?:4");
}

#[test]
fn products_of_bases() {
    let (block, tiler) = (layout("(4,3):(1@0,1@1)"), layout("(2,5):(1,2)"));
    is(product_of_bases(&block, &tiler, Arrangement::Pair), "((4,3),(2,5)):((1@0,1@1),(3@1,6@1))");
    let gaps = product_of_bases(&layout("(4,3):(2@0,1@1)"), &tiler, Arrangement::Pair);
    is(gaps, "((4,3),(2,5)):((2@0,1@1),(1@0,3@1))");
    is(product_of_bases(&layout("4:1@0"), &layout("3:1"), Arrangement::Pair), "(4,3):(1@0,4@0)");
    // In the order of the codomain, where @0@0 comes before @1.
    let nested = product_of_bases(&layout("(2,4):(1@1,2@0@0)"), &layout("(2,3):(1,2)"), Arrangement::Pair);
    is(nested, "((2,4),(2,3)):((1@1,2@0@0),(1@0@0,2@1))");
}

#[test]
fn equal_strides_are_taken_in_the_order_of_the_sort() {
    is(right_inverse(&layout("(4,16,8):(8,8,1)")), "(8,16):(64,4)");
    is(left_inverse(&layout("(2,4,2):(2,2,1)")), "(2,2):(8,1)");
    let l = layout("(4,16,8):(8,8,1)");
    is(max_common_vector(&l, &l), "128");
}

#[test]
fn the_left_inverse_of_a_broadcast() {
    is(left_inverse(&layout("4:0")), "4:0");
    is(left_inverse(&layout("(3,7):(0,0)")), "21:0");
}

#[test]
fn left_inverses_of_bases_keep_gaps() {
    let l = layout("((2,2,2),(2,2,2)):((1@0,2@1,6@0),(1@1,2@0,6@1))");
    is(left_inverse_of_bases(&l), "((2,3,2),(2,3,2)):((1,16,4),(8,2,32))");
}

#[test]
fn inverses_move_swizzles() {
    let any = |text| parse_layout_or_composed(text).expect("a layout of this file");
    is(right_inverse(&any("S<2,1,2> o 0 o (11,2):(1,11)")), "S<2,1,2> o 0 o 22:1");
    is(right_inverse(&any("S<3,3,3> o 0 o (8,64):(64,1)")), "S<3,0,-6> o 0 o (64,8):(8,1)");
    is(left_inverse(&any("S<1,0,1> o 0 o (2,4):(4,1)")), "S<1,1,1> o 0 o (4,2):(2,1)");
    fails(right_inverse(&any("S<1,0,1> o 0 o (3,4):(4,1)")), "are not the fields of a swizzle");
    fails(left_inverse(&any("S<1,0,1> o 4 o 8:1")), "would have to subtract its offset first");
    is(max_alignment(&any("S<1,4,3> o 0 o (4,4):(1,4)")), "16");
    is(max_alignment(&any("S<1,4,3> o 8 o (64,4):(1,64)")), "8");
    is(max_common_layout(&any("S<3,3,3> o 0 o (64,8):(1,64)"), &any("(64,8):(1,64)")), "8:1");
    is(max_common_layout(&any("S<1,0,1> o 0 o (64,8):(1,64)"), &any("(64,8):(1,64)")), "1:1");
}

#[test]
fn identity_swizzles_take_any_factor() {
    let identity = swizzled("S<0,4,3> o 0 o (12,2):(1,12)");
    is(upcast(&identity, 6), "S<0,4,3> o 0 o (2,2):(1,2)");
    is(downcast(&identity, 3), "S<0,4,3> o 0 o (36,2):(1,36)");
    is(recast_layout(&AnyLayout::from(identity), 6, 8), "(16,2):(1,16)");
}

#[test]
fn scalars_lead_tuples_in_a_pair() {
    let products = |b: &str, t: &str| {
        let (b, t) = (layout(b), layout(t));
        (blocked_product(&b, &t), raked_product(&b, &t))
    };
    let (blocked, raked) = products("3:1", "2:1");
    is(blocked, "((3,2)):((1,3))");
    is(raked, "((2,3)):((3,1))");
    let (blocked, raked) = products("(3):(1)", "(2):(1)");
    is(blocked, "((3,2)):((1,3))");
    is(raked, "((2,3)):((3,1))");
    let (blocked, raked) = products("3:1", "(2):(1)");
    is(blocked, "((3,(2))):((1,(3)))");
    fails(raked, "the tiler is a tuple of one mode, but the block is not a tuple");
    let (blocked, raked) = products("(3):(1)", "2:1");
    fails(blocked, "the block is a tuple of one mode, but the tiler is not a tuple");
    is(raked, "((2,(3))):((3,(1)))");
    // With a stride of 0, and with an extent that is not static.
    let (blocked, raked) = products("8:0", "(3):(1)");
    is(blocked, "((8,(3))):((0,(1)))");
    fails(raked, "the tiler is a tuple");
    let (blocked, raked) = products("(3):(1)", "?:1");
    fails(blocked, "the block is a tuple");
    is(raked, "((?,(3))):((3,(1)))");
}

#[test]
fn repetitions_of_a_scalar_block_are_a_tuple() {
    let to = |b: &str, t: &str| tile_to_shape(&layout(b), ints(t).view(), None);
    is(to("4:1", "8"), "((4,(2))):((1,(4)))");
    is(to("4:1", "(8)"), "((4,(2))):((1,(4)))");
    is(to("(4):(1)", "8"), "((4,2)):((1,4))");
    is(to("4:2", "16"), "((4,((2,2)))):((2,((1,8))))");
    is(to("4:1", "(8,2)"), "((4,2),(1,2)):((1,4),(0,8))");
    let block = swizzled("S<1,0,1> o 0 o 4:1");
    is(tile_to_shape(&block, ints("8").view(), None), "S<1,0,1> o 0 o ((4,(2))):((1,(4)))");
    is(tile_to_shape(&layout("4:1"), ints("?").view(), Some(&ints("1"))), "((4,(?))):((1,(4)))");
}

#[test]
fn ceil_div_by_a_layout_is_the_shape_of_its_complement() {
    let by = |s: &str, t: &str| tiles_in(ints(s).view(), &tiler(t).to_tile());
    is(by("(?,?)", "(4,8):(1,4)"), "?");
    is(by("(16,32)", "(4,8):(1,4)"), "16");
    is(by("(16,20)", "3:1"), "120");
    is(by("((8,32))", "3:4"), "(4,16)");
    is(by("(16,20)", "[3:1;_]"), "(6,20)");
}

#[test]
fn a_scalar_is_its_own_mode() {
    is(size_at(&layout("4:1"), &[0]), "4");
    is(cosize_at(&layout("4:2"), &[0]), "7");
    is(get(&layout("4:1"), &[0]), "4:1");
    fails(get(&layout("4:1"), &[0, 0]), "does not exist");
    fails(get(&layout("(4,2):(1,4)"), &[0, 0]), "does not exist");
    is(composition(&layout("16:2"), &tiler("4:1@0")), "4:2");
}

#[test]
fn an_empty_layout_coalesces_to_one_element() {
    is(coalesce(&layout("():()")), "1:0");
}

#[test]
fn divisors_are_positive() {
    fails(tuples!(shape_div, "9223372036854775807", "-1"), "the divisor -1 is negative");
    fails(tuples!(ceil_div, "(4,7)", "(2,-2)"), "the divisor -2 is negative");
    is(tuples!(ceil_div, "9223372036854775807", "2"), "4611686018427387904");
}

#[test]
fn zeros_are_neutral() {
    is(tuples!(add_values, "(1,0)", "(1,(2,3))"), "(2,(2,3))");
    is(tuples!(tuple_sub, "(10,8)", "(3,2,5)"), "(7,6,5)");
}

#[test]
fn increments_stay_static() {
    is(increment_coord(&ints("(1,2)"), &ints("(4,?)")), "(2,2)");
    is(increment_coord(&ints("(1,?)"), &ints("(4,8)")), "(?,?)");
}

#[test]
fn divisibility_in_types() {
    is(Dim::dynamic(Width::I64, 8).mul(&Dim::fixed(3)), "?{i64 div=24}");
    is(Dim::dynamic(Width::I64, 8).add(&Dim::fixed(12)), "?{i64 div=4}");
}

#[test]
fn static_leaves_among_dynamic_ones_decide() {
    let strict = |a, b| Domain::Strict.composition(&layout(a), &tiler(b));
    fails(strict("(4,?):(1,5)", "4:3"), "stride 3 steps out of an extent of 4");
    fails(strict("(4,?):(1,5)", "(4,2):(1,2)"), "several modes reach 5 together, which must be below 4");
    assert!(strict("(4,?):(1,4)", "(4,2):(1,2)").is_ok()); // the second mode continues the first
    assert!(strict("(4,?):(1,?)", "(4,2):(1,2)").is_ok()); // and may do so here
    assert!(strict("(4,?):(1,5)", "4:2").is_ok());
    // Sums of modes carry out of a mode with a dynamic stride.
    fails(strict("(12,3):(?,4)", "(2,2):(6,8)"), "carry out of mode 0 (extent 12)");
    fails(strict("(4,2):(?,2)", "(1,2,2):(1,2,3)"), "which keeps the value only if 4 * ? = 2");
    fails(strict("(2,(12,6)):(2,(?,6))", "(6,(6,2)):(4,(2,6))"), "which keeps the value only if 12 * ? = 6");
    fails(strict("(4,2):(?{div=3},8)", "(2,2):(2,3)"), "4 * ?{div=3} = 8");
    assert!(strict("(12,3):(?,24)", "(2,2):(6,8)").is_ok()); // with ? = 2
    let extents = Tuple::leaf(Dim::fixed(24));
    fails(
        Domain::Strict.complement(&layout("(3,?):(1,4)"), extents.view()),
        "4 is assumed to be a multiple of 3",
    );
    fails(Domain::Strict.left_inverse(&layout("(4,?):(1,2)")), "several modes reach 3 together");
    fails(Domain::Strict.divide(&layout("?:1"), &tiler("(2,2):(1,0)")), "a mode of stride 0 has 2 elements");
}

#[test]
fn what_dynamic_leaves_decide_is_no_strict_error() {
    is(tiled!(composition, "(?,4):(1,?)", "8:1"), "(?,?):(1,?)");
    assert!(Domain::Strict.composition(&layout("(?,4):(1,?)"), &tiler("8:1")).is_ok());
    assert!(Domain::Strict.divide(&layout("?:1"), &tiler("40:1")).is_ok());
}

#[test]
fn dynamic_modes_stay_apart() {
    is(coalesce(&layout("(?,4):(1,?)")), "(?,4):(1,?)");
    is(coalesce(&layout("(4,?):(1,4)")), "(4,?):(1,4)");
    fails(complement(&layout("(4,4):(1,?)"), ints("256").view()), "?");
}

/// The last cells of the rows of every table whose last column is "checked by".
fn pins(page: &str) -> Vec<&str> {
    let mut pins = Vec::new();
    for table in page.split("\n\n") {
        let mut last_cells = table.lines().filter_map(|l| l.strip_suffix(" |")?.rsplit(" | ").next());
        if last_cells.next() == Some("checked by") {
            pins.extend(last_cells);
        }
    }
    pins
}

#[test]
fn references() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("a file");
    let page = read("docs/errata.md");
    let source = ["cute-algebra", "cute-placement"]
        .map(|name| read(&format!("crates/{name}/tests/errata.rs")))
        .concat();
    let names = source.split("#[test]\nfn ").skip(1).filter_map(|rest| rest.split('(').next());
    let tests: BTreeSet<&str> = names.filter(|name| *name != "references").collect();
    let mut named = BTreeSet::new();
    for cell in pins(&page) {
        let references: Vec<_> = cell.split('`').skip(1).step_by(2).collect();
        assert!(!references.is_empty(), "nothing checks a row: {cell}");
        for reference in references {
            if tests.contains(reference) {
                named.insert(reference);
                continue;
            }
            let vectors = format!("tests/vectors/cute/{reference}");
            let path = if reference.contains('/') { reference } else { &vectors };
            assert!(root.join(path).is_file(), "docs/errata.md names `{reference}`: no test, no file {path}");
        }
    }
    let unnamed: Vec<_> = tests.difference(&named).collect();
    assert!(unnamed.is_empty(), "docs/errata.md does not name {unnamed:?}");
}
