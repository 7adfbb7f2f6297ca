//! No input panics: extreme extents and strides, mismatched profiles, any operation.

use cute_algebra::{
    Basis, Coord, Crd, Dim, Domain, Layout, Stride, Tile, Tiler, Tuple, Width, ceil_div, coalesce,
    complement, complement_in_cosize, composition, cosize, crd2crd, crd2idx, crd2idx_in_shape, dice,
    domain_distribute, downcast, equivalent, filter, flat_divide, flatten, get_flat_coord, group, idx2crd,
    left_inverse, local_partition, local_tile, logical_divide, logical_product, make_fragment_like,
    make_identity_layout, make_layout, make_layout_like, make_ordered_layout, max_alignment,
    max_common_layout, max_common_vector, nullspace, parse_layout, raked_product, recast_layout,
    right_inverse, select, shape_div, size, slice_and_offset, take, tile_to_shape, tiled_divide, upcast,
    zipped_divide,
};
use proptest::prelude::*;

fn extreme() -> impl Strategy<Value = i64> {
    prop_oneof![
        4 => -3i64..9,
        1 => Just(i64::MAX),
        1 => Just(i64::MIN),
        1 => Just(1 << 62),
        1 => Just(i64::MAX - 1),
        1 => any::<i64>(),
    ]
}

fn leaf() -> impl Strategy<Value = Dim> {
    prop_oneof![
        3 => extreme().prop_map(Dim::fixed),
        1 => (any::<bool>(), extreme()).prop_map(|(wide, div)| Dim::dynamic(if wide { Width::I64 } else { Width::I32 }, div)),
    ]
}

fn tree<T: std::fmt::Debug + Clone + 'static>(
    leaf: impl Strategy<Value = T> + 'static,
) -> impl Strategy<Value = Tuple<T>> {
    let leaf = leaf.prop_map(Tuple::leaf).boxed();
    leaf.prop_recursive(3, 6, 3, |inner| prop::collection::vec(inner, 0..4).prop_map(Tuple::from_modes))
}

fn layouts() -> impl Strategy<Value = Layout<Dim>> {
    tree((
        leaf(),
        leaf(),
        prop::collection::vec(0usize..3, 0..2),
        prop_oneof![9 => Just(1i64), 1 => 1i64..4],
        any::<bool>(),
    ))
    .prop_filter_map("well formed", |t| {
        let with_bases = t.leaves().iter().all(|l| l.4);
        let shape = t.map(|l| l.0);
        let stride = t.map(|l| {
            Stride::ratio(l.1, l.3, Basis::new(if with_bases { &l.2 } else { &[] }).unwrap()).unwrap()
        });
        Layout::new(shape, stride).ok()
    })
}

fn coords() -> impl Strategy<Value = Coord<Dim>> {
    tree(prop_oneof![leaf().prop_map(Crd::Int), Just(Crd::Underscore)])
}

fn tilers() -> impl Strategy<Value = Tiler<Dim>> {
    let element =
        prop_oneof![layouts().prop_map(Tile::Layout), leaf().prop_map(Tile::Int), Just(Tile::Underscore)]
            .boxed();
    prop_oneof![
        layouts().prop_map(Tiler::Layout),
        tree(leaf()).prop_map(Tiler::Shape),
        element
            .prop_recursive(2, 4, 3, |e| prop::collection::vec(e, 0..3).prop_map(Tile::Modes))
            .prop_map(Tiler::Tile),
    ]
}

/// Every operation; results are dropped, only panics count.
fn run_all(a: &Layout<Dim>, b: &Layout<Dim>, t: &Tiler<Dim>, shape: &Tuple<Dim>, coord: &Coord<Dim>, n: i64) {
    let _ = (
        size(a),
        cosize(a),
        coalesce(a),
        filter(a),
        flatten(a),
        group(a, 0, 1),
        take(a, 0, 1),
        select(a, &[1, 0]),
    );
    let _ =
        (composition(a, t), logical_divide(a, t), zipped_divide(a, t), tiled_divide(a, t), flat_divide(a, t));
    let _ = (
        complement(a, shape.view()),
        complement_in_cosize(a),
        left_inverse(a),
        right_inverse(a),
        nullspace(a),
    );
    let _ = (logical_product(a, t), raked_product(a, b), tile_to_shape(a, shape.view(), None));
    let _ = (crd2idx(coord, a), crd2idx_in_shape(coord, shape), slice_and_offset(coord, a), dice(coord, a));
    let _ =
        (idx2crd(shape, a.shape()), crd2crd(shape, a.shape(), b.shape()), get_flat_coord(a, &Dim::fixed(n)));
    let _ = (local_tile(a, t, coord), local_partition(a, b, &Dim::fixed(n)));
    let _ = (make_layout(shape), make_identity_layout(shape), make_layout_like(a), make_fragment_like(a));
    let _ = (make_ordered_layout(a.shape(), shape), ceil_div(a.shape().view(), shape.view()));
    let _ = (shape_div(a.shape().view(), shape.view()), domain_distribute(shape, n), max_alignment(a));
    let _ = (max_common_layout(a, b), max_common_vector(a, b), equivalent(a, b));
    let _ = (upcast(a, n), downcast(a, n), recast_layout(a, n, 8), recast_layout(a, 8, n));
    let strict = Domain::Strict;
    let _ = (strict.composition(a, t), strict.divide(a, t), strict.product(a, t), strict.left_inverse(a));
    let _ = (
        strict.complement(a, shape.view()),
        strict.coordinate(coord, a.shape().view()),
        strict.local_tile(a, t, coord, None),
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn no_operation_panics(a in layouts(), b in layouts(), t in tilers(), shape in tree(leaf()), coord in coords(), n in extreme()) {
        run_all(&a, &b, &t, &shape, &coord, n);
        if let (Some(a), Some(b), Some(shape)) = (a.to_const(), b.to_const(), shape.to_const()) {
            let _ = (composition(&a, &Tiler::Layout(b.clone())), crd2idx(&shape.to_coord(), &a), cosize(&b));
        }
    }
}

#[test]
fn wide_bases_are_added_in_linear_time() {
    let a = parse_layout("(2,2,2):(1@65535@65535,1@65534@65535,1@65535@65534)").unwrap();
    assert_eq!(crd2idx(&Tuple::leaf(Crd::Int(Dim::fixed(7))), &a).unwrap().rank(), 65536);
}

#[test]
fn the_smallest_integer_is_reduced_as_any_other() {
    let half = Stride::ratio(i64::MIN, 2, Basis::NONE).unwrap();
    assert_eq!(half, Stride::int(i64::MIN / 2));
    assert_eq!(Stride::ratio(i64::MIN, 3, Basis::NONE).unwrap().den(), 3);
}

#[test]
fn what_an_operand_reaches_may_need_more_than_64_bits() {
    let layout = |text| parse_layout(text).unwrap();
    let far = layout("(3,3):(4611686018427387904,4611686018427387904)");
    let error = Domain::Strict.composition(&layout("4:1"), &Tiler::Layout(far)).unwrap_err().to_string();
    assert!(error.contains("reaches 18446744073709551616, but the left operand of shape 4"), "{error}");
}
