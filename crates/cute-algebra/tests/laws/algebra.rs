//! The equation of each operation, on every input that the strict policy accepts; and that it rejects no other.

use cute_algebra::{
    ComposedLayout, Crd, Domain, Inner, Layout, Tiler, Tuple, blocked_product, complement, composition,
    crd2idx, filter, flat_divide, left_inverse, logical_divide, logical_product, raked_product,
    right_inverse, tiled_divide, zipped_divide,
};
use proptest::prelude::*;

use crate::common::{
    generate::{compact, fitting, injective, injective_up_to, layouts, layouts_up_to, pairs, swizzles},
    oracle::{at, distinct, image, law, size, sorted, swizzled},
};

#[test]
fn composition_reads_a_through_b() {
    law(pairs(layouts()), |(a, b)| {
        let tiler = Tiler::Layout(b.clone());
        let Ok(c) = composition(&a, &tiler) else { return Ok(false) };
        let verdict = Domain::Strict.composition(&a, &tiler);
        let inside = image(&b).into_iter().all(|i| i < size(&a));
        let through: Vec<i64> = image(&b).into_iter().map(|i| at(&a, i)).collect();
        let holds = inside && image(&c) == through;
        prop_assert_eq!(verdict.is_ok(), holds, "{} o {} = {}: {:?}", a, b, c, verdict);
        prop_assert!(Domain::Extend.composition(&a, &tiler).is_ok());
        Ok(holds)
    });
}

#[test]
fn composition_reads_a_swizzled_a_through_b() {
    law((pairs(compact()), swizzles(), 0i64..64), |((a, b), swizzle, offset)| {
        let swizzled_a = ComposedLayout::new(Inner::Swizzle(swizzle), Tuple::leaf(offset), a.clone());
        let tiler = Tiler::Layout(b.clone());
        let Ok(c) = composition(&swizzled_a, &tiler) else { return Ok(false) };
        let inside = image(&b).into_iter().all(|i| i < size(&a));
        let through = image(&b).into_iter().map(|i| swizzled(swizzle, offset + at(&a, i)));
        let mut found = (0..size(&b)).map(|i| crd2idx(&Tuple::leaf(Crd::Int(i)), &c).unwrap().leaves()[0]);
        let holds = inside && through.zip(&mut found).all(|(x, y)| x == y);
        let verdict = Domain::Strict.composition(&swizzled_a, &tiler);
        prop_assert_eq!(verdict.is_ok(), holds, "{} o {} = {}: {:?}", swizzled_a, b, c, verdict);
        Ok(holds)
    });
}

#[test]
fn complement_is_disjoint_and_ordered_and_with_a_fills_the_cotarget() {
    law((injective(), 1i64..400, 0i64..4), |(a, any, times)| {
        let period = a.flat().map(|(s, d)| s * d.as_static().unwrap()).max().unwrap_or(1);
        let cotarget = if times == 0 { any } else { period * times };
        let cotarget = Tuple::leaf(cotarget);
        let Ok(c) = complement(&a, cotarget.view()) else { return Ok(false) };
        let (mine, rest) = (image(&filter(&a).unwrap()), image(&c));
        prop_assert!(rest.windows(2).all(|pair| pair[0] < pair[1]), "{} is not ordered", c);
        let sums = sorted(mine.iter().flat_map(|x| rest.iter().map(move |y| x + y)).collect());
        prop_assert!(sums.windows(2).all(|pair| pair[0] < pair[1]), "{} and {} overlap", a, c);
        let cotarget = cotarget.leaves()[0];
        let fills = (0..cotarget).all(|i| sums.binary_search(&i).is_ok());
        let verdict = Domain::Strict.complement(&a, Tuple::leaf(cotarget).view());
        prop_assert_eq!(verdict.is_ok(), fills, "{} and {} in {}: {:?}", a, c, cotarget, verdict);
        let most = cotarget.max(period) + period;
        prop_assert!((sums.len() as i64) < most, "{} is too large for {}", c, cotarget);
        Ok(fills)
    });
}

#[test]
fn a_of_right_inverse_is_the_identity() {
    law(prop_oneof![compact(), injective(), layouts()], |a| {
        let r = right_inverse(&a).unwrap();
        let there: Vec<i64> = image(&r).into_iter().map(|i| at(&a, i)).collect();
        prop_assert!(there.iter().enumerate().all(|(i, v)| i as i64 == *v), "{} of {} is {:?}", a, r, there);
        prop_assert!(image(&r).into_iter().all(|i| i < size(&a)));
        // The whole of a bijection.
        let bijection = sorted(image(&a)) == (0..size(&a)).collect::<Vec<_>>();
        prop_assert!(!bijection || size(&r) == size(&a), "{} has the right inverse {}", a, r);
        Ok(size(&r) > 1)
    });
}

#[test]
fn left_inverse_of_a_is_the_identity() {
    law(prop_oneof![compact(), injective(), layouts()], |a| {
        let Ok(l) = left_inverse(&a) else { return Ok(false) };
        let back = image(&a).into_iter().map(|v| at(&l, v));
        let holds = back.enumerate().all(|(i, v)| i as i64 == v);
        let verdict = Domain::Strict.left_inverse(&a);
        prop_assert_eq!(verdict.is_ok(), holds, "{} has the left inverse {}: {:?}", a, l, verdict);
        prop_assert_eq!(holds, distinct(&image(&a)));
        Ok(holds)
    });
}

#[test]
fn a_divide_is_a_permutation_of_a() {
    law(pairs(layouts()), |(a, t)| {
        let tiler = Tiler::Layout(t.clone());
        let Ok(d) = logical_divide(&a, &tiler) else { return Ok(false) };
        let accepted = Domain::Strict.divide(&a, &tiler).is_ok();
        let through: Vec<i64> = image(&t).into_iter().map(|i| at(&a, i)).collect();
        if accepted {
            prop_assert_eq!(sorted(image(&d)), sorted(image(&a)), "{} by {} is {}", a, t, d);
            prop_assert_eq!(image(&d.mode(0).unwrap()), through, "{} by {} is {}", a, t, d);
            for same in [zipped_divide(&a, &tiler), tiled_divide(&a, &tiler), flat_divide(&a, &tiler)] {
                prop_assert_eq!(image(&same.unwrap()), image(&d));
            }
        } else {
            // Rejected: something is there twice, or not there, or the tile is not what the tiler says.
            let values = sorted(image(&a));
            let same = sorted(image(&d)) == values && image(&d.mode(0).unwrap()) == through;
            prop_assert!(!same || !distinct(&values), "{} by {} is {}", a, t, d);
        }
        Ok(accepted)
    });
}

fn by_mode(layout: &Layout<i64>, tiles: &[Layout<i64>]) -> Vec<i64> {
    let mut values = vec![0];
    for (mode, tile) in layout.modes().zip(tiles) {
        let part: Vec<i64> = image(tile).into_iter().map(|i| at(&mode.to_owned(), i)).collect();
        values = part.iter().flat_map(|p| values.iter().map(move |v| v + p)).collect();
    }
    values
}

#[test]
fn a_divide_by_mode_has_the_tiles_of_the_modes() {
    let small = || prop_oneof![3 => fitting(layouts_up_to(24)), 1 => pairs(layouts_up_to(24))];
    law((small(), small()), |((a, s), (b, t))| {
        let whole = Layout::from_modes([a, b]);
        let tiler = Tiler::Tile(cute_algebra::Tile::Modes(
            [&s, &t].map(|l| cute_algebra::Tile::Layout(l.clone())).into(),
        ));
        let Ok(d) = zipped_divide(&whole, &tiler) else { return Ok(false) };
        let accepted = Domain::Strict.divide(&whole, &tiler).is_ok();
        if accepted {
            prop_assert_eq!(sorted(image(&d)), sorted(image(&whole)), "{} by {} is {}", whole, tiler, d);
            prop_assert_eq!(image(&d.mode(0).unwrap()), by_mode(&whole, &[s, t]));
        }
        Ok(accepted)
    });
}

#[test]
fn a_product_has_the_tile_of_a_at_every_b() {
    let tilers = prop_oneof![3 => injective_up_to(40), 1 => layouts_up_to(40)];
    law((injective_up_to(40), tilers), |(a, b)| {
        let tiler = Tiler::Layout(b.clone());
        let Ok(p) = logical_product(&a, &tiler) else { return Ok(false) };
        let (block, places, all) = (image(&a), image(&p.mode(1).unwrap()), image(&p));
        prop_assert_eq!(all.len(), block.len() * image(&b).len());
        let sums: Vec<i64> = places.iter().flat_map(|y| block.iter().map(move |x| x + y)).collect();
        prop_assert_eq!(&sums, &all, "{} by {} is {}", a, b, p);
        let accepted = Domain::Strict.product(&a, &tiler).is_ok();
        let fine = distinct(&all) || !distinct(&image(&b));
        prop_assert_eq!(accepted, fine, "{} by {} is {}", a, b, p);
        if accepted {
            // The same elements, in other modes.
            for same in [blocked_product(&a, &b), raked_product(&a, &b)] {
                prop_assert_eq!(sorted(image(&same.unwrap())), sorted(all.clone()));
            }
        }
        Ok(accepted)
    });
}
