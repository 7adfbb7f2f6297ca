//! Layouts as functions: simplifying a layout keeps the function, and all ways to evaluate it
//! agree.

use std::collections::BTreeSet;

use cute_algebra::{
    AnyLayout, ComposedLayout, Coord, Crd, Inner, Layout, Tuple, coalesce, cosize, crd2idx, crd2idx_in_shape,
    equivalent, filter, idx2crd, slice_and_offset,
};
use proptest::prelude::*;

use crate::common::{
    generate::{codes, layout_of, layouts, swizzles},
    oracle::{at, image, law, size, sorted, swizzled},
};

fn int(value: &Tuple<i64>) -> i64 {
    *value.as_leaf().expect("an integer")
}

fn value(layout: &AnyLayout<i64>, coord: &Coord<i64>) -> i64 {
    int(&crd2idx(coord, layout).unwrap())
}

#[test]
fn coalesce_keeps_the_function_and_is_idempotent() {
    law(layouts(), |a| {
        let c = coalesce(&a).unwrap();
        prop_assert_eq!(image(&a), image(&c));
        prop_assert!(c.depth() <= 1 && (c.is_leaf() || c.flat().all(|(s, _)| *s > 1)), "{} is {}", a, c);
        // No two neighbours are one mode.
        let leaves: Vec<_> = c.flat().collect();
        prop_assert!(leaves.windows(2).all(|p| Some(p[1].1) != p[0].1.mul(p[0].0).ok().as_ref()), "{}", c);
        prop_assert_eq!(coalesce(&c).unwrap(), c);
        Ok(true)
    });
}

#[test]
fn filter_keeps_the_image_and_no_zeros() {
    law(layouts(), |a| {
        let f = filter(&a).unwrap();
        let values = |l| image(l).into_iter().collect::<BTreeSet<_>>();
        prop_assert_eq!(values(&a), values(&f));
        prop_assert!(size(&f) == 1 || f.flat().all(|(s, d)| *s > 1 && !d.is(0)), "{} is {}", a, f);
        prop_assert_eq!(filter(&f).unwrap(), f);
        Ok(true)
    });
}

#[test]
fn cosize_is_one_past_the_largest_value() {
    law(layouts(), |a| {
        prop_assert_eq!(cosize(&a).unwrap(), image(&a).into_iter().max().unwrap_or(0) + 1);
        Ok(true)
    });
}

#[test]
fn crd2idx_is_the_sum_of_coordinates_times_strides() {
    law((layouts(), 0i64..200), |(a, i)| {
        let i = i % (2 * size(&a)); // past the end, the last mode goes on
        prop_assert_eq!(int(&crd2idx(&Tuple::leaf(Crd::Int(i)), &a).unwrap()), at(&a, i));
        let crd = idx2crd(&Tuple::leaf(i), a.shape()).unwrap();
        prop_assert_eq!(int(&crd2idx(&crd.to_coord(), &a).unwrap()), at(&a, i));
        Ok(true)
    });
}

#[test]
fn idx2crd_and_crd2idx_are_inverse() {
    law((layouts(), 0i64..200), |(a, i)| {
        let i = i % size(&a);
        let crd = idx2crd(&Tuple::leaf(i), a.shape()).unwrap();
        prop_assert!(crd.congruent(a.shape()));
        prop_assert!(crd.leaves().iter().zip(a.shape().leaves()).all(|(c, s)| (0..*s).contains(c)));
        prop_assert_eq!(crd2idx_in_shape(&crd.to_coord(), a.shape()).unwrap(), i);
        Ok(true)
    });
}

#[test]
fn a_swizzle_is_an_involution_and_a_bijection() {
    law((swizzles(), 0i64..1 << 20), |(s, x)| {
        let y = s.apply(&x).unwrap();
        prop_assert_eq!(y, swizzled(s, x));
        prop_assert_eq!(s.apply(&y).unwrap(), x);
        // It permutes every block of its period, which starts anywhere that is a multiple of it.
        let period = 1i64 << (64 - (s.source_mask() | s.target_mask()).leading_zeros());
        let block = x / period * period;
        let all: Vec<i64> = (block..block + period.min(64)).map(|x| s.apply(&x).unwrap()).collect();
        prop_assert!(all.iter().all(|y| (block..block + period).contains(y)));
        prop_assert!(sorted(all).windows(2).all(|p| p[0] < p[1]));
        Ok(true)
    });
}

/// Offset and slice together are the layout, at every coordinate of the open modes.
fn check_slice(
    layout: &AnyLayout<i64>,
    outer: &Layout<i64>,
    fixed: u8,
    at: i64,
) -> Result<(), TestCaseError> {
    let whole = idx2crd(&Tuple::leaf(at % size(outer)), outer.shape()).unwrap();
    let mut bits = (0..).map(|k| fixed >> k & 1 == 1);
    let coord = whole.map(|c| if bits.next() == Some(true) { Crd::Int(*c) } else { Crd::Underscore });
    let (slice, offset) = slice_and_offset(&coord, layout).unwrap();
    let open = coord.leaves().iter().zip(outer.shape().leaves()).filter(|(c, _)| c.as_int().is_none());
    let shape = Tuple::from_leaves(open.map(|(_, s)| *s));
    for i in 0..shape.leaves().iter().product() {
        let inside = idx2crd(&Tuple::leaf(i), &shape).unwrap();
        let mut inside = inside.leaves().iter();
        let here = coord.map(|c| Crd::Int(c.as_int().copied().unwrap_or_else(|| *inside.next().unwrap())));
        let after = int(&offset) + value(&slice, &Tuple::leaf(Crd::Int(i)));
        prop_assert_eq!(value(layout, &here), after, "{} sliced by {} is {}", layout, coord, slice);
    }
    Ok(())
}

/// Layouts whose modes are mostly fixed, so that there are few coordinates left to try.
fn cuts() -> impl Strategy<Value = (Layout<i64>, u8, i64)> {
    (layouts(), any::<u8>(), 0i64..200).prop_map(|(a, fixed, at)| {
        let open = |fixed: u8| -> i64 {
            let leaves = a.shape().leaves().iter().enumerate();
            leaves.filter(|(k, _)| fixed >> k & 1 == 0).map(|(_, s)| s).product()
        };
        let mut fixed = fixed;
        for k in 0..8 {
            if open(fixed) > 16 {
                fixed |= 1 << k;
            }
        }
        (a, fixed, at)
    })
}

#[test]
fn slice_and_offset_agree_with_evaluation() {
    law(cuts(), |(a, fixed, at)| {
        check_slice(&a.clone().into(), &a, fixed, at)?;
        Ok(true)
    });
}

#[test]
fn slice_and_offset_agree_with_evaluation_behind_a_swizzle() {
    law((cuts(), swizzles(), 0i64..64), |((a, fixed, at), swizzle, offset)| {
        let composed = ComposedLayout::new(Inner::Swizzle(swizzle), Tuple::leaf(offset), a.clone());
        check_slice(&composed.into(), &a, fixed, at)?;
        Ok(true)
    });
}

/// Two layouts, where the second is often the first written differently: the leaves of some modes
/// are split or grouped.
fn look_alikes() -> impl Strategy<Value = (Layout<i64>, Layout<i64>)> {
    (layouts(), layouts(), codes()).prop_map(|(a, other, mut code)| {
        if code.take(3) == 0 {
            return (a, other);
        }
        let mut leaves = Vec::new();
        for (extent, stride) in a.flat() {
            let (extent, stride) = (*extent, stride.as_static().unwrap());
            let first = (2..extent).find(|d| extent % d == 0 && code.take(2) == 0).unwrap_or(extent);
            leaves.extend([(first, stride), (extent / first, stride * first)]);
        }
        if code.take(4) == 3 {
            leaves[0].1 += 1;
        }
        let b = layout_of(&leaves, &mut code);
        (a, b)
    })
}

#[test]
fn equivalent_layouts_are_the_same_function_of_an_index() {
    law(look_alikes(), |(a, b)| {
        let same = image(&a) == image(&b);
        prop_assert_eq!(equivalent(&a, &b).unwrap(), Some(same), "{} and {}", a, b);
        Ok(same)
    });
}
