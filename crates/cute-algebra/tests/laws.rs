//! The laws of the algebra over random layouts.

mod common;

use std::collections::BTreeSet;

use cute_algebra::{
    AnyLayout, Coord, Crd, Dim, Domain, Int, Layout, Paired, Stride, Tiler, Tuple, Width, coalesce,
    complement, composition, cosize, crd2idx, equivalent, filter, idx2crd, left_inverse, logical_divide,
    logical_product, parse_coord, parse_int_tuple, parse_layout, parse_layout_or_composed, parse_stride,
    parse_tile, right_inverse, size,
};
use proptest::prelude::*;

use common::Value;

fn at(layout: &Layout<i64>, i: i64) -> i64 {
    *crd2idx(&Tuple::leaf(Crd::Int(i)), layout).unwrap().as_leaf().unwrap()
}

fn image(layout: &Layout<i64>) -> Vec<i64> {
    (0..size(layout).unwrap()).map(|i| at(layout, i)).collect()
}

fn tree<T: std::fmt::Debug + Clone + 'static>(
    leaf: impl Strategy<Value = T> + 'static,
) -> impl Strategy<Value = Tuple<T>> {
    let leaf = leaf.prop_map(Tuple::leaf).boxed();
    leaf.prop_recursive(3, 5, 3, |inner| prop::collection::vec(inner, 0..4).prop_map(Tuple::from_modes))
}

/// Layouts with few elements and arbitrary strides.
fn layouts() -> impl Strategy<Value = Layout<i64>> {
    tree((prop_oneof![1i64..5, Just(8)], prop_oneof![0i64..17, Just(24), Just(32)]))
        .prop_map(|t| Layout::new(t.map(|p| p.0), t.map(|p| Stride::int(p.1))).unwrap())
        .prop_filter("few elements", |l| size(l).unwrap() <= 256)
}

/// Compact layouts in any order of modes.
fn compact() -> impl Strategy<Value = Layout<i64>> {
    prop::collection::vec((prop_oneof![1i64..5, Just(8)], any::<u32>()), 1..5).prop_map(|modes| {
        let mut order: Vec<usize> = (0..modes.len()).collect();
        order.sort_by_key(|&i| modes[i].1);
        let (mut strides, mut next) = (vec![0; modes.len()], 1);
        for i in order {
            strides[i] = next;
            next *= modes[i].0;
        }
        let shape = Tuple::from_leaves(modes.iter().map(|m| m.0));
        Layout::new(shape, Tuple::from_leaves(strides.into_iter().map(Stride::int))).unwrap()
    })
}

fn dims() -> impl Strategy<Value = Dim> {
    prop_oneof![
        (1i64..100).prop_map(Dim::fixed),
        (any::<bool>(), 1i64..65)
            .prop_map(|(wide, div)| Dim::dynamic(if wide { Width::I64 } else { Width::I32 }, div)),
    ]
}

proptest! {
    #[test]
    fn coalesce_keeps_the_function(l in layouts()) {
        let c = coalesce(&l).unwrap();
        prop_assert!(c.depth() <= 1);
        prop_assert_eq!(image(&l), image(&c));
        prop_assert_eq!(equivalent(&l, &c).unwrap(), Some(true));
        prop_assert_eq!(coalesce(&c).unwrap(), c);
    }

    #[test]
    fn filter_keeps_the_image(l in layouts()) {
        let values = |l| image(l).into_iter().collect::<BTreeSet<_>>();
        prop_assert_eq!(values(&l), values(&filter(&l).unwrap()));
    }

    #[test]
    fn cosize_bounds_the_image(l in layouts()) {
        prop_assert_eq!(cosize(&l).unwrap(), image(&l).into_iter().max().unwrap_or(0) + 1);
    }

    #[test]
    fn strict_composition_is_reading_one_through_the_other(a in layouts(), b in layouts()) {
        let tiler = Tiler::Layout(b.clone());
        if let Ok(c) = composition(&a, &tiler) {
            let through: Vec<i64> = image(&b).into_iter().map(|i| at(&a, i)).collect();
            let inside = image(&b).into_iter().all(|i| i < size(&a).unwrap());
            let verdict = Domain::Strict.composition(&a, &tiler);
            prop_assert_eq!(verdict.is_ok(), inside && image(&c) == through, "{} o {} = {}: {:?}", a, b, c, verdict);
        }
    }

    #[test]
    fn complement_is_disjoint_ordered_and_fills(l in layouts(), cotarget in 1i64..300) {
        let filtered = filter(&l).unwrap();
        if let Ok(c) = complement(&filtered, Tuple::leaf(cotarget).view()) {
            let (a, c) = (image(&filtered), image(&c));
            prop_assert!(c.windows(2).all(|pair| pair[0] < pair[1]));
            let mut sums: Vec<i64> = a.iter().flat_map(|x| c.iter().map(move |y| x + y)).collect();
            let count = sums.len();
            sums.sort_unstable();
            sums.dedup();
            prop_assert_eq!(sums.len(), count, "{} and {:?} overlap", filtered, c);
        }
    }

    #[test]
    fn inverses_of_a_compact_layout_undo_it(l in compact()) {
        let (right, left) = (right_inverse(&l).unwrap(), left_inverse(&l).unwrap());
        for i in 0..size(&l).unwrap() {
            prop_assert_eq!(at(&l, at(&right, i)), i);
            prop_assert_eq!(at(&left, at(&l, i)), i);
        }
    }

    #[test]
    fn a_strict_divide_rearranges(l in compact(), t in layouts()) {
        let tiler = Tiler::Layout(t);
        if let Ok(d) = logical_divide(&l, &tiler) && Domain::Strict.divide(&l, &tiler).is_ok() {
            let (mut before, mut after) = (image(&l), image(&d));
            before.sort_unstable();
            after.sort_unstable();
            prop_assert_eq!(before, after);
        }
    }

    #[test]
    fn a_product_begins_with_its_block(block in compact(), t in layouts()) {
        if let Ok(p) = logical_product(&block, &Tiler::Layout(t.clone())) {
            prop_assert_eq!(p.mode(0).unwrap(), block.clone());
            prop_assert_eq!(size(&p).unwrap(), size(&block).unwrap() * size(&t).unwrap());
        }
    }

    #[test]
    fn coordinates_and_indices_are_inverse(l in layouts(), seed in 0i64..10_000) {
        let index = seed % size(&l).unwrap();
        let crd = idx2crd(&Tuple::leaf(index), l.shape()).unwrap();
        prop_assert_eq!(cute_algebra::crd2idx_in_shape(&crd.to_coord(), l.shape()).unwrap(), if l.shape().leaves().is_empty() { 0 } else { index });
    }

    #[test]
    fn text_round_trips(shape in tree(dims()), strides in prop::collection::vec((dims(), prop::collection::vec(0usize..4, 0..4)), 16)) {
        let mut strides = strides.into_iter().cycle();
        let stride = shape.map(|_| {
            let (scale, path) = strides.next().unwrap();
            Stride::scaled(scale, cute_algebra::Basis::new(&path).unwrap())
        });
        prop_assert_eq!(&parse_int_tuple(&shape.to_string()).unwrap(), &shape);
        prop_assert_eq!(&parse_stride(&stride.to_string()).unwrap(), &stride);
        let layout = Layout::new(shape, stride).unwrap();
        prop_assert_eq!(&parse_layout(&layout.to_string()).unwrap(), &layout);
        prop_assert_eq!(&parse_tile(&format!("[{layout};_;[4]]")).unwrap().to_string(), &format!("[{layout};_;[4]]"));
        let composed = format!("S<3,4,3> o ?{{div=8}} o {layout}");
        prop_assert_eq!(parse_layout_or_composed(&composed).unwrap().to_string(), composed);
    }

    #[test]
    fn no_text_panics(text in "[-0-9?_()\\[\\]:;,@/So<>{}=divi64 ]{0,40}") {
        let _ = parse_layout_or_composed(&text);
        let _ = parse_tile(&text);
        let _ = parse_stride(&text);
        let _: Option<Coord<Dim>> = parse_coord(&text).ok();
    }

    /// What is inferred is what is computed: the `Dim` half never depends on the payload, and known divisors are true.
    #[test]
    fn divisors_are_true(a in 1i64..64, b in 1i64..64, m in 1i64..17, n in 1i64..17) {
        let x = Paired::dynamic(Width::I32, a, Value(a * m));
        let y = Paired::dynamic(Width::I32, b, Value(b * n));
        let s = Paired::fixed(b);
        let results = [
            x.add(&y), x.sub(&y), x.mul(&y), x.div(&y), x.rem(&y), x.min(&y), x.max(&y), x.ceil_div(&y), x.xor(&y),
            x.add(&s), x.sub(&s), x.mul(&s), x.div(&s), x.rem(&s), x.min(&s), x.max(&s), x.ceil_div(&s), x.xor(&s),
            x.and(b), x.shift_left(3), x.shift_left(-3),
        ];
        for result in results {
            let result = result.unwrap();
            if let Some(value) = result.payload() {
                prop_assert_eq!(value.0 % result.dim().divisor(), 0, "{:?}", result);
            }
        }
    }
}

#[test]
fn an_error_in_text_names_the_column() {
    let error = |text| parse_layout(text).unwrap_err();
    assert_eq!(error("(4,8):(1,x)").to_string(), "column 9: expected an integer, `?` or `(`, found `x`");
    assert_eq!(error("(4,8):(1,4").column(), 10);
    assert_eq!(
        error("(4,8):(1,(4,5))").to_string(),
        "column 0: mode 1 of shape and stride: 8 and (4,5) are not congruent"
    );
    assert_eq!(error("?{div=0}").column(), 6);
    assert!(error(&"(".repeat(100)).to_string().contains("more than 64"));
    assert!(matches!(parse_layout_or_composed("8"), Ok(AnyLayout::Plain(_))));
    assert_eq!(parse_layout("( 4 , 8 )").unwrap().to_string(), "(4,8):(1,4)");
    assert_eq!(parse_stride("(0@1,2/4@0,-1@1@0)").unwrap().to_string(), "(0,1/2@0,-1@1@0)");
}
