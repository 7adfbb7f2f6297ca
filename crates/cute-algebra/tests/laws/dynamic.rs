//! Run-time results equal static ones: any leaves become dynamic, and the values stay the same.
//!
//! A dynamic composition assumes what a static one checks: that extents divide. It does so leaf by
//! leaf of the left operand, because it cannot see which leaves form one mode. So right operands
//! are made of parts of those leaves.

use cute_algebra::{
    Coord, Crd, Layout, Paired, Tiler, Tuple, Width, coalesce, complement, composition, cosize, crd2idx,
    filter, idx2crd, logical_divide, right_inverse, size, slice_and_offset,
};
use proptest::prelude::*;

use crate::common::{
    Value,
    generate::{Code, codes, fitting, injective, layouts},
    oracle::{self, at, image, law},
};

type Leaf = Paired<Value<i64>>;

/// `value` as a leaf, dynamic half of the time, with a width and a divisor that are true.
fn leaf(value: i64, code: &mut Code) -> Leaf {
    match code.take(2) {
        0 => Paired::fixed(value),
        _ => {
            let width = if code.take(2) == 0 { Width::I32 } else { Width::I64 };
            let divisors = [1, 2, 4, 8].into_iter().filter(|d| value % d == 0).collect::<Vec<_>>();
            Paired::dynamic(width, divisors[code.take(divisors.len())], Value(value))
        }
    }
}

fn dynamic(layout: &Layout<i64>, code: &mut Code) -> Layout<Leaf> {
    layout.map(|value| leaf(*value, code))
}

/// Like the function above, but with static strides. An extent of 1 stays static too, so that its
/// stride, which has no effect, is recognized as such.
fn dynamic_extents(layout: &Layout<i64>, code: &mut Code) -> Layout<Leaf> {
    let (shape, stride) = layout.clone().into_parts();
    let stride = stride.map(|d| d.map(|value| Paired::fixed(*value)));
    let extent = |value: &i64| if *value == 1 { Paired::fixed(1) } else { leaf(*value, code) };
    Layout::new(shape.map(extent), stride).expect("a layout")
}

fn known(leaf: &Leaf) -> i64 {
    leaf.materialize(Width::I64).0
}

/// The layout with its run-time values.
fn computed(layout: &Layout<Leaf>) -> Layout<i64> {
    layout.map(known)
}

fn int(value: &Tuple<Leaf>) -> i64 {
    known(value.as_leaf().expect("an integer"))
}

#[test]
fn coalesce_and_filter_at_run_time() {
    law((layouts(), codes()), |(a, mut code)| {
        let b = dynamic(&a, &mut code);
        prop_assert_eq!(image(&computed(&coalesce(&b).unwrap())), image(&a), "{}", b);
        let values = |l: &Layout<i64>| image(l).into_iter().collect::<std::collections::BTreeSet<_>>();
        prop_assert_eq!(values(&computed(&filter(&b).unwrap())), values(&a), "{}", b);
        Ok(!b.is_static())
    });
}

#[test]
fn sizes_at_run_time() {
    law((layouts(), codes()), |(a, mut code)| {
        let b = dynamic(&a, &mut code);
        prop_assert_eq!(known(&size(&b).unwrap()), oracle::size(&a));
        prop_assert_eq!(known(&cosize(&b).unwrap()), cosize(&a).unwrap());
        Ok(!b.is_static())
    });
}

#[test]
fn coordinates_at_run_time() {
    law((layouts(), 0i64..200, codes()), |(a, i, mut code)| {
        let i = i % oracle::size(&a);
        let (b, index) = (dynamic(&a, &mut code), leaf(i, &mut code));
        prop_assert_eq!(
            int(&crd2idx(&Tuple::leaf(Crd::Int(index.clone())), &b).unwrap()),
            at(&a, i),
            "{}",
            b
        );
        let crd = idx2crd(&Tuple::leaf(index), b.shape()).unwrap();
        let expected = idx2crd(&Tuple::leaf(i), a.shape()).unwrap();
        prop_assert_eq!(crd.map(known), expected);
        prop_assert_eq!(int(&crd2idx(&crd.to_coord(), &b).unwrap()), at(&a, i), "{}", b);
        Ok(!b.is_static())
    });
}

#[test]
fn slices_at_run_time() {
    law((layouts(), 0i64..200, any::<u8>(), codes()), |(a, i, fixed, mut code)| {
        let whole = idx2crd(&Tuple::leaf(i % oracle::size(&a)), a.shape()).unwrap();
        let mut bits = (0..).map(|k| fixed >> k & 1 == 1);
        let coord = whole.map(|c| if bits.next() == Some(true) { Crd::Int(*c) } else { Crd::Underscore });
        let (b, given): (_, Coord<Leaf>) =
            (dynamic(&a, &mut code), coord.map(|c| c.map(|c| leaf(*c, &mut code))));
        let (slice, offset) = slice_and_offset(&given, &b).unwrap();
        let (expected, at) = slice_and_offset(&coord, &a).unwrap();
        prop_assert_eq!((computed(&slice), int(&offset)), (expected, *at.as_leaf().unwrap()));
        Ok(!b.is_static())
    });
}

#[test]
fn composition_at_run_time() {
    law((fitting(layouts()), codes()), |((a, b), mut code)| {
        let x = dynamic(&a, &mut code);
        // The algebra divides by a stride of the right operand, so it is 0 only where that is
        // static.
        let y = b.map(|value| if *value == 0 { Paired::fixed(0) } else { leaf(*value, &mut code) });
        let Ok(c) = composition(&x, &Tiler::Layout(y.clone())) else { return Ok(false) };
        let through: Vec<i64> = image(&b).into_iter().map(|i| at(&a, i)).collect();
        prop_assert_eq!(
            image(&computed(&c)),
            through,
            "{} o {} is {:?}",
            x.to_dim(),
            y.to_dim(),
            computed(&c)
        );
        Ok(!c.is_static())
    });
}

#[test]
fn divide_at_run_time() {
    law((fitting(layouts()), codes()), |((a, t), mut code)| {
        let x = dynamic(&a, &mut code);
        let tiler = Tiler::Layout(t.map(|value| Paired::fixed(*value)));
        let Ok(d) = logical_divide(&x, &tiler) else { return Ok(false) };
        let computed = computed(&d);
        prop_assert_eq!(oracle::size(&computed), oracle::size(&a), "{} by {} is {}", x.to_dim(), t, computed);
        prop_assert_eq!(
            oracle::sorted(image(&computed)),
            oracle::sorted(image(&a)),
            "{} by {}",
            x.to_dim(),
            t
        );
        Ok(!d.is_static())
    });
}

#[test]
fn complement_at_run_time() {
    law((injective(), 1i64..5, codes()), |(a, times, mut code)| {
        let period = a.flat().map(|(s, d)| s * d.as_static().unwrap()).max().unwrap_or(1);
        let b = dynamic_extents(&a, &mut code);
        let cotarget = leaf(period * times, &mut code);
        let Ok(c) = complement(&b, Tuple::leaf(cotarget).view()) else { return Ok(false) };
        let expected = complement(&a, Tuple::leaf(period * times).view()).unwrap();
        prop_assert_eq!(image(&computed(&c)), image(&expected), "{} in {}", b.to_dim(), period * times);
        Ok(!c.is_static())
    });
}

#[test]
fn right_inverse_at_run_time() {
    law((injective(), codes()), |(a, mut code)| {
        let b = dynamic_extents(&a, &mut code);
        let r = computed(&right_inverse(&b).unwrap());
        prop_assert!(image(&r).into_iter().enumerate().all(|(i, at_i)| at(&a, at_i) == i as i64), "{}", b);
        Ok(!b.is_static())
    });
}
