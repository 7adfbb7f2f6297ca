//! Tilings of tensors that are not static plain layouts: swizzled tensors, tensors of coordinates,
//! and tensors with run-time extents; and the errors of tilings.

mod common;

use common::Value;
use cute_algebra::{
    AnyLayout, CopyLayouts, CopySide, Crd, Dim, Error, Int, Layout, MmaLayouts, MmaOperand, Paired, Tile,
    TiledCopy, TiledMma, Tuple, Width, crd2idx, make_identity_layout, parse_layout, parse_layout_or_composed,
    parse_shape, size,
};

fn layout(text: &str) -> Layout<i64> {
    parse_layout(text).expect("a layout of this file").to_const().expect("a static layout")
}

/// `mma.m16n8k16`, 2 x 2 warps, N of 32 at once.
fn mma() -> TiledMma {
    let atom = MmaLayouts {
        shape: [16, 8, 16],
        thr_id: layout("32:1"),
        a: layout("((4,8),(2,2,2)):((32,1),(16,8,128))"),
        b: layout("((4,8),(2,2)):((16,1),(8,64))"),
        c: layout("((4,8),(2,2)):((32,1),(16,8))"),
    };
    TiledMma::new(atom, &layout("(2,2):(1,2)"), &[Tile::Int(32), Tile::Int(32)]).expect("a tiled MMA")
}

/// 32 x 4 threads of eight values.
fn copy() -> TiledCopy {
    let atom = CopyLayouts::of_thread(8).expect("an atom");
    TiledCopy::of_thread_values(atom, &layout("(32,4):(4,1)"), &layout("(1,8):(8,1)")).expect("a tiled copy")
}

/// The value of every coordinate of a part, including its offset.
fn values<I: Int>((part, offset): &(AnyLayout<I>, Tuple<I>), known: impl Fn(&I) -> i64) -> Vec<Tuple<i64>> {
    let count = known(&size(part).expect("a size"));
    let at = |i| {
        let own = crd2idx(&Tuple::leaf(Crd::Int(I::from_i64(i))), part).expect("a value");
        cute_algebra::add_values(own.view(), offset.view()).expect("a sum").map(&known)
    };
    (0..count).map(at).collect()
}

/// Every kind of partition of a tensor of 64 x 64.
fn parts<I: Int>(tensor: &AnyLayout<I>, thread: i64) -> Vec<(AnyLayout<I>, Tuple<I>)> {
    let thread = I::from_i64(thread);
    let mma_parts = MmaOperand::ALL.map(|which| mma().partition(which, tensor, &thread));
    let copy_parts = CopySide::ALL.map(|side| copy().partition(side, tensor, &thread));
    mma_parts.into_iter().chain(copy_parts).map(|part| part.expect("a part")).collect()
}

#[test]
fn swizzled_tensors_are_partitioned_behind_their_swizzle() {
    let plain = AnyLayout::Plain(layout("(64,64):(64,1)"));
    let swizzled = parse_layout_or_composed("S<3,3,3> o 0 o (64,64):(64,1)").expect("a layout");
    let swizzled = swizzled.to_const().expect("a static layout");
    let swizzle = swizzled.as_composed().and_then(|l| l.swizzle()).expect("a swizzle");
    for thread in [0, 1, 33, 97, 127] {
        for (plain, swizzled) in parts(&plain, thread).iter().zip(parts(&swizzled, thread)) {
            let moved = |value: Tuple<i64>| value.map(|offset| swizzle.apply(offset).expect("an offset"));
            let expected: Vec<_> = values(plain, |i| *i).into_iter().map(moved).collect();
            assert_eq!(values(&swizzled, |i| *i), expected, "thread {thread}: {}", swizzled.0);
        }
    }
}

#[test]
fn coordinates_are_partitioned_as_their_elements() {
    let coordinates =
        AnyLayout::Plain(make_identity_layout(&Tuple::from_leaves([64, 64])).expect("a layout"));
    let elements = AnyLayout::Plain(layout("(64,64):(1,64)"));
    for thread in [0, 1, 33, 97, 127] {
        for (coordinates, elements) in parts(&coordinates, thread).iter().zip(parts(&elements, thread)) {
            let index = |crd: Tuple<i64>| match crd.leaves() {
                [m, n] => Tuple::leaf(m + 64 * n),
                _ => crd,
            };
            let found: Vec<_> = values(coordinates, |i| *i).into_iter().map(index).collect();
            assert_eq!(found, values(&elements, |i| *i), "thread {thread}: {}", coordinates.0);
        }
    }
}

#[test]
fn run_time_extents_strides_and_threads_give_the_same_parts() {
    type Leaf = Paired<Value<i64>>;
    let leaf = |value: i64, div| Leaf::new(Dim::dynamic(Width::I32, div), Value(value));
    let known = |leaf: &Leaf| leaf.as_static().unwrap_or_else(|| leaf.payload().expect("a value").0);
    let dynamic = |n: &i64| if *n == 1 { Leaf::fixed(1) } else { leaf(*n, 8) };
    for text in ["(64,64):(64,1)", "(128,32):(1,128)", "(96,64,3):(64,1,6144)"] {
        let fixed = AnyLayout::Plain(layout(text));
        let tensor = fixed.map(dynamic);
        for thread in [0i64, 5, 70, 127] {
            let index = leaf(thread, 1);
            for which in MmaOperand::ALL {
                let found = mma().partition(which, &tensor, &index).expect("a part");
                let expected = mma().partition(which, &fixed, &thread).expect("a part");
                assert_eq!(
                    values(&found, known),
                    values(&expected, |i| *i),
                    "{which} of {text}: {}",
                    found.0
                );
            }
            for side in CopySide::ALL {
                let found = copy().partition(side, &tensor, &index).expect("a part");
                let expected = copy().partition(side, &fixed, &thread).expect("a part");
                assert_eq!(values(&found, known), values(&expected, |i| *i), "{side} of {text}: {}", found.0);
            }
        }
    }
    let shape = mma().partition_shape(MmaOperand::C, &parse_shape("(?{div=32},?{div=32})").expect("a shape"));
    assert_eq!(shape.expect("a shape").to_string(), "((2,2),?,(2,?))");
}

#[test]
fn mistakes_name_values_and_rules() {
    let fails = |made: Result<TiledMma, Error>, words: &str| {
        let error = made.expect_err("an error").to_string();
        assert!(error.contains(words), "{error}");
    };
    let atom = mma().atom().clone();
    let one = layout("1:0");
    fails(
        TiledMma::new(atom.clone(), &layout("(1,1,1,2)"), &[]),
        "the layout of the atoms: rank 4, expected at most 3",
    );
    fails(
        TiledMma::new(atom.clone(), &one, &vec![Tile::Int(16); 4]),
        "the permutation: rank 4, expected at most 3",
    );
    fails(TiledMma::new(atom.clone(), &one, &[Tile::Int(16), Tile::Int(0)]), "extent 0 is not positive");
    let open = Tile::Modes(vec![Tile::Int(2), Tile::Underscore]);
    fails(TiledMma::new(atom.clone(), &one, &[open]), "mode (0,1) of the tile is `_`");
    fails(TiledMma::new(atom.clone(), &layout("4611686018427387904:1"), &[]), "does not fit 64 bits");
    let fewer = MmaLayouts { b: layout("(16,8):(1,16)"), ..atom.clone() };
    fails(
        TiledMma::new(fewer, &one, &[]),
        "the layout of B: mode 0 of (16,8):(1,16) counts 16 threads, but the atom has 32",
    );
    let flat = MmaLayouts { c: layout("32:1"), ..atom.clone() };
    fails(
        TiledMma::new(flat, &one, &[]),
        "the layout of C: 32:1 must have exactly two modes (thread, value)",
    );
    let empty = MmaLayouts { shape: [16, 0, 16], ..atom };
    fails(TiledMma::new(empty, &one, &[]), "mode 1 of the shape: extent 0 is not positive");

    let copies =
        |tv: &str, tiler| TiledCopy::new(CopyLayouts::of_thread(8).expect("an atom"), layout(tv), tiler);
    let fails = |made: Result<TiledCopy, Error>, words: &str| {
        let error = made.expect_err("an error").to_string();
        assert!(error.contains(words), "{error}");
    };
    fails(
        copies("(32,4):(4,1)", Tile::Int(128)),
        "values of a thread of a tiled copy: 4 is not a multiple of the atom's 8",
    );
    fails(copies("32:4", Tile::Int(128)), "32:4 must have exactly two modes (thread, value)");
    fails(copies("(32,8):(8,1)", Tile::Underscore), "the tile is `_`");
    let dynamic = parse_layout("(?,2):(1,8)").expect("a layout");
    let error = copy().retile(&dynamic).expect_err("an error").to_string();
    assert_eq!(error, "retile: the size ? of mode 0 is dynamic, but a static value is required");
}
