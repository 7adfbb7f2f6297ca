//! The assumptions that operations make about run-time integers are sufficient: where they hold, so
//! does the equation.

mod common;

use common::{
    Watched,
    generate::injective,
    oracle::{at, image, law, law_on, size, sorted},
    watching,
};
use cute_algebra::{
    Assumption, Dim, Int, Layout, Paired, Stride, Tiler, Tuple, Width, complement, composition, left_inverse,
    logical_divide, logical_product,
};
use proptest::{collection::vec, prelude::*};

type Leaf = Paired<Watched>;

/// The layout with every integer known at run time only.
fn dynamic(layout: &Layout<i64>) -> Layout<Leaf> {
    layout.map(|n| Paired::dynamic(Width::I64, 1, Watched::new(*n, &[])))
}

/// The numbers of a layout, and whether an assumption about them is violated.
fn numbers(layout: &Layout<Leaf>) -> (Layout<i64>, bool) {
    let mut broken = false;
    let numbers = layout.map(|leaf| match (leaf.as_static(), leaf.payload()) {
        (Some(n), _) => n,
        (None, payload) => {
            broken |= payload.is_none_or(|p| p.broken);
            payload.map_or(0, |p| p.value)
        }
    });
    (numbers, broken)
}

fn layouts(rank: usize) -> impl Strategy<Value = Layout<i64>> {
    vec((1..9i64, 1..17i64), 1..=rank).prop_map(|modes| {
        let leaf = |(s, d): (i64, i64)| Layout::scalar(s, cute_algebra::Stride::int(d)).expect("a mode");
        Layout::from_modes(modes.into_iter().map(leaf))
    })
}

#[test]
fn compositions() {
    law_on([2_500, 10_000], 6, (layouts(3), 1..9i64, 0..25i64), |(a, extent, stride)| {
        let b = Layout::scalar(extent, cute_algebra::Stride::int(stride)).expect("a mode");
        let made = composition(&dynamic(&a), &Tiler::Layout(dynamic(&b))).expect("a composition");
        let (c, broken) = numbers(&made);
        let right = size(&c) == extent && (0..extent).all(|i| at(&c, i) == at(&a, i * stride));
        prop_assert!(broken || right, "{a} o {b} is made {c}");
        Ok(!broken)
    });
}

#[test]
fn divides() {
    law((layouts(2), 1..4i64), |(a, tile)| {
        let tiler = Layout::scalar(tile, cute_algebra::Stride::int(1)).expect("a mode");
        let made = logical_divide(&dynamic(&a), &Tiler::Layout(dynamic(&tiler))).expect("a divide");
        let (d, broken) = numbers(&made);
        let right = sorted(image(&d)) == sorted(image(&a));
        prop_assert!(broken || right, "{a} by {tile} is made {d}");
        Ok(!broken)
    });
}

fn scalar(extent: i64, stride: i64) -> Layout<i64> {
    Layout::scalar(extent, Stride::int(stride)).expect("a mode")
}

/// The layout with dynamic extents.
fn dynamic_extents(layout: &Layout<i64>) -> Layout<Leaf> {
    let (shape, stride) = layout.clone().into_parts();
    let shape = shape.map(|n| Paired::dynamic(Width::I64, 1, Watched::new(*n, &[])));
    Layout::new(shape, stride.map(|d| d.map(|n| Leaf::from_i64(*n)))).expect("a layout")
}

/// Whether no two sums of a value of `a` and one of `b` are equal, and all below `n` are there.
fn cover(a: &Layout<i64>, b: &Layout<i64>, n: i64) -> bool {
    let sums = sorted(image(a).into_iter().flat_map(|x| image(b).into_iter().map(move |y| x + y)).collect());
    sums.is_sorted_by(|x, y| x < y) && (0..n).all(|x| sums.binary_search(&x).is_ok())
}

fn is_positive(layout: &Layout<i64>) -> bool {
    layout.shape().leaves().iter().all(|n| *n > 0)
}

#[test]
fn complements() {
    law((1..9i64, -4..17i64, 1..5i64), |(extent, stride, times)| {
        let (a, cotarget) = (scalar(extent, stride), (extent * stride.abs() * times).max(1));
        let m = Tuple::leaf(Paired::dynamic(Width::I64, 1, Watched::new(cotarget, &[])));
        let made = complement(&dynamic(&a), m.view()).expect("a complement");
        let (c, broken) = numbers(&made);
        prop_assert!(broken || is_positive(&c) && cover(&a, &c, cotarget), "{a} has the complement {c}");
        Ok(!broken)
    });
}

#[test]
fn complements_of_dynamic_extents() {
    law((injective(), 1..5i64), |(a, times)| {
        let period = a.flat().map(|(s, d)| s * d.as_static().unwrap_or(1)).max().unwrap_or(1);
        let cotarget = (period * times).max(1);
        let m = Tuple::leaf(Paired::dynamic(Width::I64, 1, Watched::new(cotarget, &[])));
        let (made, broken) = watching(|| complement(&dynamic_extents(&a), m.view()));
        let Ok(made) = made else { return Ok(false) };
        let (c, told) = numbers(&made);
        prop_assert!(broken || told || cover(&a, &c, cotarget), "{a} has the complement {c} in {cotarget}");
        Ok(!broken && !told)
    });
}

#[test]
fn divides_by_strided_tiles() {
    law_on([2_500, 10_000], 12, (layouts(2), 1..5i64, -2..9i64), |(a, tile, stride)| {
        let tiler = dynamic(&scalar(tile, stride));
        let (d, broken) = numbers(&logical_divide(&dynamic(&a), &Tiler::Layout(tiler)).expect("a divide"));
        let right = sorted(image(&d)) == sorted(image(&a));
        prop_assert!(broken || is_positive(&d) && right, "{a} by {tile}:{stride} is made {d}");
        Ok(!broken)
    });
}

#[test]
fn products() {
    law((1..5i64, -2..5i64, vec((1..5i64, -4..9i64), 1..=2)), |(extent, stride, modes)| {
        let a = scalar(extent, stride);
        let b = Layout::from_modes(modes.into_iter().map(|(s, d)| scalar(s, d)));
        // A stride that is always 0 is static.
        let tiler = b.map(|n| {
            if *n == 0 { Leaf::from_i64(0) } else { Paired::dynamic(Width::I64, 1, Watched::new(*n, &[])) }
        });
        let (made, broken) =
            watching(|| logical_product(&dynamic(&a), &Tiler::Layout(tiler)).expect("a product"));
        let (p, told) = numbers(&made);
        if broken || told {
            return Ok(false);
        }
        prop_assert!(is_positive(&p), "{a} by {b} is made {p}");
        let places = image(&p.mode(1).expect("the copies"));
        let values = image(&b);
        for (v, x) in values.iter().zip(&places) {
            for (w, y) in values.iter().zip(&places) {
                prop_assert!(v != w || x == y, "{a} by {b} is made {p}");
                let shared = image(&a).iter().any(|i| image(&a).contains(&(x + i - y)));
                prop_assert!(v == w || !shared, "copies of {a} by {b} overlap in {p}");
            }
        }
        Ok(true)
    });
}

#[test]
fn left_inverses() {
    law(injective(), |a| {
        let (made, broken) = watching(|| left_inverse(&dynamic_extents(&a)));
        let Ok(made) = made else { return Ok(false) };
        let (q, told) = numbers(&made);
        let right = image(&a).into_iter().enumerate().all(|(i, x)| at(&q, x) == i as i64);
        prop_assert!(broken || told || right, "{a} has the left inverse {q}");
        Ok(!broken && !told)
    });
}

#[test]
fn what_is_known_is_not_asked() {
    let rows: Leaf = Paired::dynamic(Width::I64, 8, Watched::new(7, &[]));
    let divided = rows.clone().assuming(Assumption::Divides, &rows, &Leaf::from_i64(8));
    assert!(divided.payload().is_some_and(|p| !p.broken));
    let asked = rows.clone().assuming(Assumption::Divides, &rows, &Leaf::from_i64(16));
    assert!(asked.payload().is_some_and(|p| p.broken));
    assert_eq!(asked.dim(), Dim::dynamic(Width::I64, 8));
}
