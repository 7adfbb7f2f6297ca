//! Random mixtures of static and dynamic leaves: what the strict policy accepts is right for all
//! run-time values of which the assumptions hold. Each result is compared with the defining
//! equation of its operation, evaluated by brute force.

mod common;

use common::{
    Watched,
    generate::{Code, codes, fitting, injective, layouts_up_to, pairs},
    oracle::{at, distinct, image, law_on, size, sorted},
    watching,
};
use cute_algebra::{
    Crd, Dim, Domain, Error, Int, Layout, Paired, Stride, Tile, Tiler, Tuple, Width, complement,
    complement_in_cosize, composition, cosize, crd2idx, flat_divide, get_hier_coord, left_inverse,
    local_partition, local_tile, logical_divide, logical_product, max_common_layout, outer_partition,
    right_inverse, slice_and_offset, tile_to_shape, tiled_divide, tiled_product, zipped_divide,
    zipped_product,
};
use proptest::prelude::*;

type Leaf = Paired<Watched>;

/// How many mixtures each law tries, in CI and in full.
const MIXTURES: [u32; 2] = [1_000, 100_000];

fn leaf(value: i64, code: &mut Code) -> Leaf {
    match code.take(2) {
        0 => Paired::fixed(value),
        _ => {
            let divisors: Vec<_> = [1, 2, 4].into_iter().filter(|d| value % d == 0).collect();
            let div = divisors[code.take(divisors.len())];
            Paired::dynamic(Width::I64, div, Watched::new(value, &[]))
        }
    }
}

/// The layout with some of its leaves known at run time only. A mode of one element and a stride of
/// 0 stay static: the algebra tells them apart.
fn mixed(layout: &Layout<i64>, code: &mut Code) -> Layout<Leaf> {
    layout.map(|value| if *value == 0 { Paired::fixed(0) } else { leaf(*value, code) })
}

fn value(leaf: &Leaf) -> i64 {
    leaf.as_static().or(leaf.payload().map(|p| p.value)).expect("a value")
}

fn broken(leaf: &Leaf) -> bool {
    leaf.payload().is_some_and(|p| p.broken)
}

fn dims(layout: &Layout<Leaf>) -> Layout<Dim> {
    layout.map(Int::dim)
}

fn tiler(layout: &Layout<Leaf>) -> Tiler<Leaf> {
    Tiler::Layout(layout.clone())
}

/// The numbers of a result; `None` if it is an error or depends on a violated assumption.
fn numbers(made: impl FnOnce() -> Result<Layout<Leaf>, Error>) -> Option<Layout<i64>> {
    let (made, elsewhere) = watching(made);
    let made = made.ok().filter(|_| !elsewhere)?;
    let fine = made.flat().all(|(s, d)| !broken(s) && !broken(d.scale()));
    fine.then(|| made.map(value))
}

/// A layout, another one, and what decides which leaves are dynamic.
fn two() -> impl Strategy<Value = ((Layout<i64>, Layout<i64>), Code)> {
    let fits = fitting(layouts_up_to(64));
    let any = pairs(layouts_up_to(64));
    (prop_oneof![fits, any], codes())
}

#[test]
fn compositions() {
    law_on(MIXTURES, 8, two(), |((a, b), mut code)| {
        let (x, y) = (mixed(&a, &mut code), mixed(&b, &mut code));
        if Domain::Strict.composition(&dims(&x), &Tiler::Layout(dims(&y))).is_err() {
            return Ok(false);
        }
        let Some(c) = numbers(|| composition(&x, &tiler(&y))) else { return Ok(false) };
        let through: Vec<i64> = image(&b).into_iter().map(|i| at(&a, i)).collect();
        prop_assert_eq!(image(&c), through, "{} o {} is {}", dims(&x), dims(&y), c);
        prop_assert!(
            image(&b).into_iter().all(|i| (0..size(&a)).contains(&i)),
            "{} o {}",
            dims(&x),
            dims(&y)
        );
        Ok(true)
    });
}

/// The strides that one stride of the left operand is given at run time: more than the extents
/// below can ask for.
const STRIDES: std::ops::RangeInclusive<i64> = -96..=640;

/// A layout of a few small modes.
fn small(code: &mut Code, modes: usize, extents: &[i64], strides: usize) -> Layout<i64> {
    let mut modes = (0..modes).map(|_| (extents[code.take(extents.len())], 1 + code.take(strides) as i64));
    let (shape, stride): (Vec<_>, Vec<_>) = modes.by_ref().unzip();
    let stride = stride.into_iter().map(Stride::int);
    Layout::new(Tuple::from_leaves(shape), Tuple::from_leaves(stride)).expect("a layout")
}

#[test]
fn compositions_that_no_stride_makes_right_are_refused_and_no_others() {
    let refused = std::cell::Cell::new(0);
    law_on(MIXTURES, 8, codes(), |mut code| {
        let (of_a, of_b) = (2 + code.take(2), 1 + code.take(3));
        let a = small(&mut code, of_a, &[2, 3, 4, 6, 12], 8);
        let b = small(&mut code, of_b, &[1, 2, 3, 6], 9);
        if image(&b).into_iter().any(|i| i >= size(&a)) {
            return Ok(false);
        }
        let strides = of_a;
        let (chosen, div) = (code.take(strides), [1, 2, 4][code.take(3)]);
        let given = |v: i64| {
            let mut strides = 0..;
            let stride = |d: &Stride<i64>| match d.is(0) {
                false if strides.next() == Some(chosen) => {
                    Paired::dynamic(Width::I64, div, Watched::new(v, &[]))
                }
                _ => Paired::fixed(*d.scale()),
            };
            let given = a.stride().leaves().iter().map(stride).map(Stride::int);
            let shape = a.shape().leaves().iter().map(|n| Paired::fixed(*n));
            let (shape, stride) = (Tuple::from_leaves(shape), Tuple::from_leaves(given));
            Layout::<Leaf>::new(shape, stride).expect("a layout")
        };
        let y: Layout<Leaf> = b.map(|n| Paired::fixed(*n));
        let is_accepted = |b: &Layout<Leaf>| {
            Domain::Strict.composition(&dims(&given(div)), &Tiler::Layout(dims(b))).is_ok()
        };
        // The steps of one mode are another law's; this one is about their sums.
        if !y.modes().all(|mode| is_accepted(&mode.to_owned())) {
            return Ok(false);
        }
        let accepted = is_accepted(&y);
        let right = STRIDES.filter(|v| v % div == 0).any(|v| {
            let x = given(v);
            let Some(c) = numbers(|| composition(&x, &tiler(&y))) else { return false };
            let own = x.map(value);
            image(&c) == image(&b).into_iter().map(|i| at(&own, i)).collect::<Vec<_>>()
        });
        prop_assert_eq!(accepted, right, "{} o {}", dims(&given(div)), b);
        refused.set(refused.get() + usize::from(!accepted));
        Ok(true)
    });
    assert!(refused.get() > 10, "only {} were refused", refused.get());
}

#[test]
fn divides() {
    law_on(MIXTURES, 8, two(), |((a, t), mut code)| {
        let (x, y) = (mixed(&a, &mut code), mixed(&t, &mut code));
        if Domain::Strict.divide(&dims(&x), &Tiler::Layout(dims(&y))).is_err() {
            return Ok(false);
        }
        let ops = [logical_divide, zipped_divide, tiled_divide, flat_divide];
        let op = ops[code.take(4)];
        let Some(d) = numbers(|| op(&x, &tiler(&y))) else { return Ok(false) };
        prop_assert_eq!(sorted(image(&d)), sorted(image(&a)), "{} by {} is {}", dims(&x), dims(&y), d);
        let tile = Layout::from_modes(d.modes().take(1).map(|m| m.to_owned()));
        if size(&tile) == size(&t) {
            let through: Vec<i64> = image(&t).into_iter().map(|i| at(&a, i)).collect();
            prop_assert_eq!(image(&tile), through, "{} by {} is {}", dims(&x), dims(&y), d);
        }
        Ok(true)
    });
}

#[test]
fn divides_by_mode() {
    law_on(MIXTURES, 8, (layouts_up_to(64), codes()), |(a, mut code)| {
        let a = if a.shape().is_leaf() { Layout::from_modes([a]) } else { a };
        let x = mixed(&a, &mut code);
        let divisors = |n: i64| (1..=n).filter(|d| n % d == 0).collect::<Vec<_>>();
        let mut tile = |mode: &Layout<i64>| {
            let all = divisors(size(mode));
            leaf(all[code.take(all.len())], &mut code)
        };
        let tiles: Vec<_> = a.modes().map(|m| Tile::Int(tile(&m.to_owned()))).collect();
        let by = Tiler::Tile(Tile::Modes(tiles));
        if Domain::Strict.divide(&dims(&x), &by.map(&mut Int::dim)).is_err() {
            return Ok(false);
        }
        let Some(d) = numbers(|| zipped_divide(&x, &by)) else { return Ok(false) };
        prop_assert_eq!(sorted(image(&d)), sorted(image(&a)), "{} by {:?} is {}", dims(&x), by, d);
        Ok(true)
    });
}

#[test]
fn products() {
    law_on(MIXTURES, 8, (injective(), fitting(layouts_up_to(24)), codes()), |(a, (_, t), mut code)| {
        let a = if size(&a) > 24 { Layout::from_modes([a.mode(0).expect("a mode")]) } else { a };
        let (x, y) = (mixed(&a, &mut code), mixed(&t, &mut code));
        if Domain::Strict.product(&dims(&x), &Tiler::Layout(dims(&y))).is_err() {
            return Ok(false);
        }
        let ops = [logical_product, zipped_product, tiled_product];
        let op = ops[code.take(3)];
        let Some(p) = numbers(|| op(&x, &tiler(&y))) else { return Ok(false) };
        prop_assert_eq!(size(&p), size(&a) * size(&t));
        let values = image(&p);
        prop_assert_eq!(
            &values[..size(&a) as usize],
            &image(&a)[..],
            "{} by {} is {}",
            dims(&x),
            dims(&y),
            p
        );
        if distinct(&image(&a)) && distinct(&image(&t)) {
            prop_assert!(distinct(&values), "{} by {} is {}", dims(&x), dims(&y), p);
        }
        let copies: Vec<_> = values.chunks(size(&a) as usize).collect();
        let at_tiler = image(&t);
        for (i, one) in at_tiler.iter().enumerate() {
            let first = at_tiler.iter().position(|other| other == one).expect("itself");
            prop_assert_eq!(copies[i], copies[first], "{} by {} is {}", dims(&x), dims(&y), p);
        }
        Ok(true)
    });
}

#[test]
fn blocks_repeated_to_a_shape() {
    law_on(MIXTURES, 8, (injective(), codes()), |(a, mut code)| {
        let a = if a.shape().is_leaf() { Layout::from_modes([a]) } else { a };
        let wanted: Vec<i64> = a.modes().map(|m| size(&m.to_owned()) * (1 + code.take(3) as i64)).collect();
        let x = mixed(&a, &mut code);
        let shape = Tuple::from_leaves(wanted.iter().map(|n| leaf(*n, &mut code)));
        let strict = Domain::Strict.tile_to_shape(&dims(&x), shape.map(Int::dim).view(), None);
        if strict.is_err() || wanted.iter().product::<i64>() > 4096 {
            return Ok(false);
        }
        let Some(p) = numbers(|| tile_to_shape(&x, shape.view(), None)) else { return Ok(false) };
        prop_assert_eq!(size(&p), wanted.iter().product::<i64>());
        let values = sorted(image(&p));
        prop_assert!(image(&a).iter().all(|v| values.binary_search(v).is_ok()));
        prop_assert!(distinct(&values), "{} to {} is {}", dims(&x), shape.map(Int::dim), p);
        Ok(true)
    });
}

#[test]
fn complements() {
    law_on(MIXTURES, 8, (injective(), 1i64..5, codes()), |(a, times, mut code)| {
        let x = mixed(&a, &mut code);
        let cotarget = cosize(&a).unwrap() * times;
        let m = leaf(cotarget, &mut code);
        let whole = code.take(4) == 0;
        let target = Tuple::leaf(m.clone());
        let strict = match whole {
            true => Domain::Strict.complement_in_cosize(&dims(&x)),
            false => Domain::Strict.complement(&dims(&x), target.map(Int::dim).view()),
        };
        if strict.is_err() {
            return Ok(false);
        }
        let made = || if whole { complement_in_cosize(&x) } else { complement(&x, target.view()) };
        let Some(c) = numbers(made) else { return Ok(false) };
        let sums: Vec<i64> =
            image(&c).into_iter().flat_map(|c| image(&a).into_iter().map(move |v| c + v)).collect();
        let filled = sorted(sums);
        let needed = if whole { cosize(&a).unwrap() } else { cotarget };
        prop_assert!(
            (0..needed).all(|n| filled.binary_search(&n).is_ok()),
            "{} in {} is {}",
            dims(&x),
            needed,
            c
        );
        if distinct(&image(&a)) {
            prop_assert!(distinct(&filled), "{} in {} is {}", dims(&x), needed, c);
        }
        Ok(true)
    });
}

#[test]
fn inverses() {
    law_on(MIXTURES, 8, (prop_oneof![injective(), layouts_up_to(100)], codes()), |(a, mut code)| {
        let x = mixed(&a, &mut code);
        let mut tried = false;
        if let Some(r) = numbers(|| right_inverse(&x)) {
            let strict = Domain::Strict.right_inverse(&dims(&x));
            prop_assert!(strict.is_ok());
            let back = image(&r).into_iter().enumerate().all(|(i, v)| at(&a, v) == i as i64);
            prop_assert!(back, "{} has {}", dims(&x), r);
            tried = true;
        }
        if Domain::Strict.left_inverse(&dims(&x)).is_ok()
            && let Some(l) = numbers(|| left_inverse(&x))
        {
            let there = image(&a).into_iter().enumerate().all(|(i, v)| at(&l, v) == i as i64);
            prop_assert!(there, "{} has {}", dims(&x), l);
            tried = true;
        }
        Ok(tried)
    });
}

#[test]
fn common_runs() {
    law_on(MIXTURES, 8, (injective(), codes(), codes()), |(a, mut code, mut other)| {
        let b = if other.take(2) == 0 { a.clone() } else { Layout::identity(size(&a)).expect("an identity") };
        let (x, y) = (mixed(&a, &mut code), mixed(&b, &mut other));
        if Domain::Strict.max_common(&dims(&x), &dims(&y)).is_err() {
            return Ok(false);
        }
        let Some(run) = numbers(|| max_common_layout(&x, &y)) else { return Ok(false) };
        for (i, place) in image(&run).into_iter().enumerate() {
            prop_assert_eq!(
                (at(&a, place), at(&b, place)),
                (i as i64, i as i64),
                "{} {}",
                dims(&x),
                dims(&y)
            );
        }
        Ok(true)
    });
}

#[test]
fn coordinates() {
    law_on(MIXTURES, 8, (injective(), 0i64..64, codes()), |(a, i, mut code)| {
        let (x, index) = (mixed(&a, &mut code), leaf(i, &mut code));
        let coord = Tuple::leaf(Crd::Int(index.clone()));
        let strict = Domain::Strict.coordinate(&coord.map(|c| c.map(Int::dim)), dims(&x).shape().view());
        let mut tried = false;
        if strict.is_ok() {
            let (found, elsewhere) = watching(|| crd2idx(&coord, &x));
            let found = found.unwrap();
            let found = found.as_leaf().expect("an integer");
            if !broken(found) && !elsewhere {
                prop_assert!((0..size(&a)).contains(&i), "{} at {}", dims(&x), i);
                prop_assert_eq!(value(found), at(&a, i), "{} at {}", dims(&x), i);
                tried = true;
            }
            let (sliced, elsewhere) = watching(|| slice_and_offset(&coord, &x));
            let (_, offset) = sliced.unwrap();
            let offset = offset.as_leaf().expect("an integer");
            prop_assert!(broken(offset) || elsewhere || value(offset) == at(&a, i));
        }
        let of_value = at(&a, i % size(&a));
        let wanted = leaf(of_value, &mut code);
        let strict = Domain::Strict.coord_of_value(&dims(&x), &wanted.dim(), "get_hier_coord");
        if strict.is_ok() && wanted.is_static() && x.is_static() {
            let found = get_hier_coord(&x, &wanted).unwrap().map(value);
            let leaves = found.leaves().iter().zip(a.flat());
            prop_assert_eq!(leaves.map(|(c, (_, d))| c * d.as_static().unwrap()).sum::<i64>(), of_value);
        }
        Ok(tried)
    });
}

/// A layout of two modes, and a tile of each.
fn tiled() -> impl Strategy<Value = (Layout<i64>, [i64; 2], Code)> {
    (fitting(layouts_up_to(64)), (1i64..9, 1i64..9), codes())
        .prop_map(|((a, b), (m, n), code)| (Layout::from_modes([a, b]), [m, n], code))
}

#[test]
fn partitions() {
    law_on(MIXTURES, 16, tiled(), |(a, tile, mut code)| {
        let x = mixed(&a, &mut code);
        let tile = tile.map(|n| leaf(n, &mut code));
        let by = Tiler::Tile(Tile::Modes(tile.iter().cloned().map(Tile::Int).collect()));
        let by_dims = by.map(&mut Int::dim);
        let sizes: Vec<i64> = a.modes().map(|m| size(&m.to_owned())).collect();
        let tiles: Vec<i64> = tile.iter().map(value).collect();
        let local = code.take(2) == 0;
        let at_most = |i: usize| if local { (sizes[i] + tiles[i] - 1) / tiles[i] } else { tiles[i] };
        let picked = [0, 1].map(|i| code.take(at_most(i) as usize) as i64);
        let coord = Tuple::from_leaves(picked.map(|n| Crd::Int(leaf(n, &mut code))));
        let coord_dims = coord.map(|c| c.map(Int::dim));
        let strict = match local {
            true => Domain::Strict.local_tile(&dims(&x), &by_dims, &coord_dims, None),
            false => Domain::Strict.outer_partition(&dims(&x), &by_dims, &coord_dims),
        };
        if strict.is_err() {
            return Ok(false);
        }
        let (made, elsewhere) =
            watching(|| if local { local_tile(&x, &by, &coord) } else { outer_partition(&x, &by, &coord) });
        let Ok((part, offset)) = made else { return Ok(false) };
        let offset = offset.as_leaf().expect("an integer").clone();
        let Some(part) = numbers(|| Ok(part)).filter(|_| !elsewhere && !broken(&offset)) else {
            return Ok(false);
        };
        // Element (i,j) of tile (k,l) is element (i + k * tile, j + l * tile) of the layout, where
        // the last mode of each mode continues.
        let modes: Vec<_> = a.modes().map(|m| m.to_owned()).collect();
        let along = |i: usize| -> Vec<i64> {
            let place = |other: i64| match local {
                true => other + picked[i] * tiles[i],
                false => picked[i] + other * tiles[i],
            };
            let count = if local { tiles[i] } else { (sizes[i] + tiles[i] - 1) / tiles[i] };
            (0..count).map(|other| at(&modes[i], place(other))).collect()
        };
        let rows = along(0);
        let expected: Vec<i64> = along(1).into_iter().flat_map(|n| rows.iter().map(move |m| m + n)).collect();
        let found: Vec<i64> = image(&part).into_iter().map(|v| v + value(&offset)).collect();
        prop_assert_eq!(found, expected, "{} by {:?} at {:?} is {}", dims(&x), tiles, picked, part);
        Ok(true)
    });
}

#[test]
fn parts_of_threads() {
    law_on(MIXTURES, 16, (tiled(), 0i64..16), |((a, tile, mut code), thread)| {
        let (x, threads) = (
            mixed(&a, &mut code),
            Layout::<i64>::from_modes([
                Layout::identity(tile[0]).expect("a mode"),
                Layout::scalar(tile[1], cute_algebra::Stride::int(tile[0])).expect("a mode"),
            ]),
        );
        let thread = thread % (tile[0] * tile[1]);
        let (by, index) = (mixed(&threads, &mut code), leaf(thread, &mut code));
        let strict = Domain::Strict.local_partition(&dims(&x), &dims(&by), &index.dim(), None);
        if strict.is_err() {
            return Ok(false);
        }
        let (made, elsewhere) = watching(|| local_partition(&x, &by, &index));
        let Ok((part, offset)) = made else { return Ok(false) };
        let offset = offset.as_leaf().expect("an integer").clone();
        let Some(part) = numbers(|| Ok(part)).filter(|_| !elsewhere && !broken(&offset)) else {
            return Ok(false);
        };
        let picked = [thread % tile[0], thread / tile[0]];
        let modes: Vec<_> = a.modes().map(|m| m.to_owned()).collect();
        let along = |i: usize| -> Vec<i64> {
            let count = (size(&modes[i]) + tile[i] - 1) / tile[i];
            (0..count).map(|k| at(&modes[i], picked[i] + k * tile[i])).collect()
        };
        let rows = along(0);
        let expected: Vec<i64> = along(1).into_iter().flat_map(|n| rows.iter().map(move |m| m + n)).collect();
        let found: Vec<i64> = image(&part).into_iter().map(|v| v + value(&offset)).collect();
        prop_assert_eq!(found, expected, "{} by {:?}, thread {} is {}", dims(&x), tile, thread, part);
        Ok(true)
    });
}
