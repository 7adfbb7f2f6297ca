//! The equation of each operation holds on every input that the strict policy accepts, and the
//! policy accepts every input for which it holds.

use std::collections::BTreeSet;

use cute_algebra::{
    AnyLayout, ComposedLayout, Crd, Domain, Inner, Layout, Tiler, Tuple, blocked_product, complement,
    composition, crd2idx, filter, flat_divide, get_1d_coord, left_inverse, local_tile, logical_divide,
    logical_product, max_common_layout, max_common_vector, raked_product, right_inverse, same_image,
    tile_to_shape, tiled_divide, zipped_divide,
};
use proptest::prelude::*;

use crate::common::{
    generate::{
        codes, compact, fitting, injective, injective_up_to, layout_of, layouts, layouts_up_to, pairs,
        swizzles,
    },
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
            // Rejected: an element is repeated or missing, or the tile is not the one that the
            // tiler describes.
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
        // The copies are the same where B is, and do not overlap elsewhere.
        let places_of_b: BTreeSet<(i64, i64)> = image(&b).into_iter().zip(places).collect();
        let values: BTreeSet<i64> = image(&b).into_iter().collect();
        let once: Vec<i64> =
            places_of_b.iter().flat_map(|(_, place)| block.iter().map(move |x| x + place)).collect();
        let fine = places_of_b.len() == values.len() && distinct(&once);
        prop_assert!(fine || !accepted, "{} by {} is {}", a, b, p);
        if distinct(&image(&b)) {
            prop_assert_eq!(accepted, fine, "{} by {} is {}", a, b, p);
        }
        // An integer and a tuple of one mode are not paired.
        if accepted && (a.rank().max(b.rank()) > 1 || a.is_leaf() == b.is_leaf()) {
            // The same elements, in other modes.
            for same in [blocked_product(&a, &b), raked_product(&a, &b)] {
                prop_assert_eq!(sorted(image(&same.unwrap())), sorted(all.clone()));
            }
        }
        Ok(accepted)
    });
}

#[test]
fn a_shape_is_tiled_by_copies_that_do_not_overlap() {
    let repeats = prop::collection::vec(1i64..4, 1..4);
    law((injective_up_to(24), repeats), |(block, repeats)| {
        let rank = block.rank().max(repeats.len());
        let own = block.modes().map(|mode| mode.shape().leaves().iter().product());
        let own: Vec<i64> = own.chain(std::iter::repeat(1)).take(rank).collect();
        let times = repeats.iter().copied().chain(std::iter::repeat(1));
        let target = Tuple::from_leaves(own.iter().zip(times).map(|(own, times)| own * times));
        let Ok(tiled) = tile_to_shape(&block, target.view(), None) else { return Ok(false) };
        let accepted = Domain::Strict.tile_to_shape(&block, target.view(), None).is_ok();
        prop_assert_eq!(accepted, distinct(&image(&tiled)), "{} to {} is {}", block, target, tiled);
        Ok(accepted)
    });
}

#[test]
fn an_accepted_tile_has_the_elements_at_its_coordinates() {
    law((layouts_up_to(60), 1i64..9, 0i64..60), |(a, tile, at_tile)| {
        let at_tile = at_tile % ((size(&a) + tile - 1) / tile);
        let tiler = Tiler::Tile(cute_algebra::Tile::Int(tile));
        let coord = Tuple::leaf(Crd::Int(at_tile));
        let Ok((part, offset)) = local_tile(&a, &tiler, &coord) else { return Ok(false) };
        let accepted = Domain::Strict.local_tile(&a, &tiler, &coord, None).is_ok();
        let elements: Vec<i64> = (0..tile).map(|i| at(&a, at_tile * tile + i)).collect();
        let offset = *offset.as_leaf().unwrap();
        let found: Vec<i64> = image(&part).into_iter().map(|x| x + offset).collect();
        if accepted {
            // The last tile may be partial: elements past the end belong to no thread.
            let inside = (size(&a) - at_tile * tile).clamp(0, tile) as usize;
            prop_assert_eq!(&found[..inside], &elements[..inside], "{} by {} at {}", a, tile, at_tile);
        }
        Ok(accepted)
    });
}

#[test]
fn an_accepted_coordinate_has_the_value() {
    law((prop_oneof![compact(), injective()], 0usize..1000, 0i64..8), |(a, i, past)| {
        let values = image(&a);
        let index = values[i % values.len()] + i64::from(past == 7);
        let coord = get_1d_coord(&a, &index).unwrap();
        let accepted = Domain::Strict.coord_of_value(&a, &index, "get_1d_coord").is_ok();
        if accepted {
            prop_assert!(coord < size(&a) && at(&a, coord) == index, "{} of {} is {}", index, a, coord);
        } else {
            prop_assert!(at(&a, coord) != index, "{} of {} is {}", index, a, coord);
        }
        Ok(accepted)
    });
}

#[test]
fn images_are_the_same_if_their_values_are() {
    let pairs =
        (layouts_up_to(60), codes(), layouts_up_to(60), any::<bool>()).prop_map(|(a, mut code, b, same)| {
            // The leaves in another order have the same image.
            let leaves: Vec<_> = a.flat().map(|(s, d)| (*s, d.as_static().unwrap())).collect();
            let turned = leaves.iter().copied().rev().collect::<Vec<_>>();
            (a, if same { layout_of(&turned, &mut code) } else { b })
        });
    law(pairs, |(a, b)| {
        let values = |l: &Layout<i64>| image(l).into_iter().collect::<BTreeSet<_>>();
        prop_assert_eq!(same_image(&a, &b).unwrap(), Some(values(&a) == values(&b)), "{} and {}", a, b);
        Ok(true)
    });
}

#[test]
fn a_common_run_lies_in_both() {
    let pairs = (injective_up_to(60), injective_up_to(60), any::<bool>())
        .prop_map(|(a, b, same)| if same { (a.clone(), a) } else { (a, b) });
    law(pairs, |(a, b)| {
        let Ok(run) = max_common_layout(&a, &b) else { return Ok(false) };
        let accepted = Domain::Strict.max_common(&a, &b).is_ok();
        if accepted {
            for (i, at_run) in image(&run).into_iter().enumerate() {
                prop_assert!(at_run < size(&a) && at_run < size(&b), "{} of {} and {}", run, a, b);
                prop_assert_eq!((at(&a, at_run), at(&b, at_run)), (i as i64, i as i64));
            }
            prop_assert_eq!(max_common_vector(&a, &b).unwrap(), size(&run));
        }
        Ok(accepted)
    });
}

#[test]
fn inverses_behind_a_swizzle_invert() {
    law((prop_oneof![compact(), injective()], swizzles()), |(l, swizzle)| {
        let a = AnyLayout::from(ComposedLayout::swizzled(swizzle, l.clone()));
        let value = |layout: &AnyLayout<i64>, i: i64| {
            *crd2idx(&Tuple::leaf(Crd::Int(i)), layout).unwrap().as_leaf().unwrap()
        };
        let mut about = false;
        if let (Ok(r), Ok(())) = (right_inverse(&a), Domain::Strict.right_inverse(&a)) {
            for i in 0..cute_algebra::size(&r).unwrap() {
                prop_assert_eq!(value(&a, value(&r, i)), i, "{} of {}", r, a);
            }
            about = true;
        }
        if let (Ok(q), Ok(())) = (left_inverse(&a), Domain::Strict.left_inverse(&a)) {
            for i in 0..size(&l) {
                prop_assert_eq!(value(&q, value(&a, i)), i, "{} of {}", q, a);
            }
            about = true;
        }
        Ok(about)
    });
}
