//! The laws of placements, on random placements: each operation is checked against its equation,
//! point by point.

use cute_algebra::{Axis, Coord, Crd, Tuple, crd2idx, parse_layout};
use cute_placement::{
    Placement, Point,
    placement::{Iter, StorageSwizzle},
};
use proptest::prelude::*;

const AXES: [&str; 3] = ["m", "laneid", "warpid"];
const EXTENTS: [i64; 8] = [1, 2, 3, 4, 2, 6, 8, 1];
const STRIDES: [i64; 12] = [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, -1, -4];

fn axis(name: &str) -> Axis {
    name.parse().expect("a name")
}

fn iters(axes: usize, most: usize, elements: i64) -> impl Strategy<Value = Vec<Iter>> {
    prop::collection::vec((0..EXTENTS.len(), 0..STRIDES.len(), 0..axes), 0..=most).prop_map(move |codes| {
        let mut size = 1;
        let small = codes.into_iter().map(|(e, s, a)| Iter::new(EXTENTS[e], STRIDES[s], axis(AXES[a])));
        small
            .filter(|iter| {
                let fits = size * iter.extent <= elements;
                size *= if fits { iter.extent } else { 1 };
                fits
            })
            .collect()
    })
}

fn offsets(axes: usize) -> impl Strategy<Value = Point> {
    prop::collection::vec((0..axes, -9..40i64), 0..3)
        .prop_map(|places| places.into_iter().map(|(a, n)| (axis(AXES[a]), n)).collect())
}

/// Placements along `axes` axes.
fn along(axes: usize) -> impl Strategy<Value = Placement> {
    (iters(axes, 4, 96), iters(axes, 2, 8), offsets(axes))
        .prop_map(|(shard, replica, offset)| Placement::new(shard, replica, offset).expect("a placement"))
}

fn placements() -> impl Strategy<Value = Placement> {
    along(AXES.len())
}

/// Placements with at least one iter.
fn nonempty() -> impl Strategy<Value = Placement> {
    placements().prop_filter("iters", |p| !p.shard().is_empty())
}

fn swizzles() -> impl Strategy<Value = StorageSwizzle> {
    (0..4i64, 0..4i64, 0..3i64, any::<bool>())
        .prop_map(|(m, b, more, inner)| StorageSwizzle::new(m, b, b + more, inner).expect("a swizzle"))
}

/// The extents of the shard in two groups.
fn shape(p: &Placement, cut: usize) -> Vec<i64> {
    let (head, tail) = p.shard().split_at(cut % (p.shard().len() + 1));
    [head, tail].map(|iters| iters.iter().map(|iter| iter.extent).product()).to_vec()
}

fn coords(shape: &[i64]) -> Vec<Vec<i64>> {
    shape.iter().fold(vec![vec![]], |coords, extent| {
        coords.iter().flat_map(|c| (0..*extent).map(|i| [c.as_slice(), &[i]].concat())).collect()
    })
}

/// The places of an element, sorted, without axes along which they are 0.
fn places(p: &Placement, coord: &[i64], shape: &[i64]) -> Vec<Point> {
    sorted(p.placements(coord, shape).expect("places"))
}

fn sorted(points: Vec<Point>) -> Vec<Point> {
    let mut points: Vec<_> = points.into_iter().map(Point::without_zeros).collect();
    points.sort();
    points
}

fn same_function(a: &Placement, b: &Placement) {
    assert_eq!(a.size(), b.size(), "{a} and {b}");
    for i in 0..a.size().expect("a size") {
        let at = |p: &Placement| sorted(p.placements_at(i).expect("places"));
        assert_eq!(at(a), at(b), "element {i} of {a} and {b}");
    }
}

fn canonical(p: &Placement) -> Placement {
    p.canonicalize(None).expect("nothing can fail")
}

fn sums(a: &[Point], b: &[Point]) -> Vec<Point> {
    sorted(a.iter().flat_map(|a| b.iter().map(move |b| a.plus(b).expect("a sum"))).collect())
}

/// The places of `outer` scaled by the span of `inner`; copies and offset are not scaled.
fn scaled(inner: &Placement, outer: &Placement, coord: &[i64], shape: &[i64]) -> Vec<Point> {
    let inner = canonical(inner);
    let plain = Placement::new(canonical(outer).shard().to_vec(), vec![], Point::default()).expect("a shard");
    let base = plain.base(coord, shape).expect("a base");
    let factor = |axis: Axis| match inner.shard().iter().any(|iter| iter.axis == axis) {
        true => inner.span_along(axis).expect("a span"),
        false => 1,
    };
    let moved: Point = base.iter().map(|(axis, n)| (axis, n * factor(axis))).collect();
    let copies = Placement::new(vec![], outer.replica().to_vec(), outer.offset().clone()).expect("copies");
    sums(&[moved], &copies.placements_at(0).expect("places"))
}

proptest! {
    #[test]
    fn text_round_trips(p in placements(), bare in swizzles(), m in along(1)) {
        for p in [p, Placement::bare_swizzle(bare).unwrap(), m.swizzled(bare).unwrap()] {
            prop_assert_eq!(&p.to_string().parse::<Placement>().unwrap(), &p);
            let dense = p.to_string().replace(' ', "").replace("@m", "");
            prop_assert_eq!(dense.parse::<Placement>().unwrap(), p);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in r#"[SR0-9a-z@\[\](),:+ ="-]{0,40}"#) {
        if let Ok(p) = text.parse::<Placement>() {
            prop_assert_eq!(p.to_string().parse::<Placement>().unwrap(), p);
        }
    }

    #[test]
    fn canonical_forms_do_the_same(p in placements()) {
        let form = canonical(&p);
        same_function(&p, &form);
        prop_assert_eq!(canonical(&form), form);
    }

    #[test]
    fn groups_do_the_same(p in nonempty(), cut in 0..5usize, other in 0..5usize) {
        let (a, b) = (shape(&p, cut), shape(&p, other));
        let (grouped, ends) = canonical(&p).group(&a).unwrap();
        same_function(&p, &grouped);
        for (extent, range) in a.iter().zip(ends.windows(2)) {
            let product: i64 = grouped.shard()[range[0]..range[1]].iter().map(|iter| iter.extent).product();
            prop_assert_eq!(product, *extent);
        }
        let (refined, ends) = p.group_many(&[a.clone(), b.clone()]).unwrap();
        same_function(&p, &refined);
        for (shape, ends) in [a, b].iter().zip(&ends) {
            let product = |range: &[usize]| refined.shard()[range[0]..range[1]].iter().map(|i| i.extent).product();
            prop_assert_eq!(shape, &ends.windows(2).map(product).collect::<Vec<i64>>());
        }
    }

    #[test]
    fn tiles_lie_within(inner in placements(), outer in placements(), cut in (0..5usize, 0..5usize)) {
        let (i, o) = (shape(&inner, cut.0), shape(&outer, cut.1));
        prop_assume!(!canonical(&inner).shard().is_empty() && !canonical(&outer).shard().is_empty());
        let tiled = inner.tile(&outer, &o, &i, None).unwrap();
        let whole: Vec<i64> = i.iter().zip(&o).map(|(i, o)| i * o).collect();
        for x in coords(&whole).into_iter().step_by(7) {
            let of = |f: fn(i64, i64) -> i64| x.iter().zip(&i).map(|(x, i)| f(*x, *i)).collect::<Vec<_>>();
            let (within, tile) = (of(|x, i| x % i), of(|x, i| x / i));
            let expected = sums(&inner.placements(&within, &i).unwrap(), &scaled(&inner, &outer, &tile, &o));
            prop_assert_eq!(places(&tiled, &x, &whole), expected, "{} at {:?}", tiled, x);
        }
        let found = inner.is_tile_inner(&tiled, &whole, &i, None).unwrap();
        let found = found.unwrap_or_else(|| panic!("{inner} tiles {tiled}"));
        prop_assert_eq!(inner.tile(&found, &o, &i, None).unwrap(), tiled.clone());
        if let Some(found) = outer.is_tile_outer(&tiled, &whole, &o, None).unwrap() {
            prop_assert_eq!(found.tile(&outer, &o, &i, None).unwrap(), tiled);
        }
    }

    #[test]
    fn swizzles_act_on_the_whole(inner in along(1), swizzle in swizzles(), outer in along(1)) {
        prop_assume!(!inner.shard().is_empty() && !outer.shard().is_empty());
        let (i, o) = ([inner.size().unwrap()], [outer.size().unwrap()]);
        let swizzled = inner.clone().swizzled(swizzle).unwrap();
        let plain = inner.tile(&outer, &o, &i, None).unwrap().swizzled(swizzle).unwrap();
        // A trivial tile disappears: the swizzle alone stands in front of the identity of any size.
        same_function(&swizzled.tile(&outer, &o, &i, None).unwrap(), &plain);
        for index in 0..i[0] {
            let each: Vec<_> = inner.placements_at(index).unwrap();
            let each = each.iter().map(|p| [(Axis::M, swizzle.apply(p.get(Axis::M)).unwrap())].into_iter().collect());
            prop_assert_eq!(sorted(swizzled.placements_at(index).unwrap()), sorted(each.collect()));
        }
    }

    #[test]
    fn sums_add(right in nonempty(), left in nonempty(), cut in (0..5usize, 0..5usize)) {
        let (r, l) = (shape(&right, cut.0), shape(&left, cut.1));
        let sum = right.direct_sum(&left, &l, &r, None).unwrap();
        let both = [l[0], r[0], l[1], r[1]];
        for x in coords(&both).into_iter().step_by(7) {
            let (a, b) = (left.placements(&[x[0], x[2]], &l).unwrap(), right.placements(&[x[1], x[3]], &r).unwrap());
            prop_assert_eq!(places(&sum, &x, &both), sums(&a, &b), "{} at {:?}", sum, x);
        }
        let found = right.is_direct_sum_right(&sum, &both, &r, None).unwrap().expect("the left one");
        prop_assert_eq!(right.direct_sum(&found, &l, &r, None).unwrap(), sum.clone());
        let found = left.is_direct_sum_left(&sum, &both, &l, None).unwrap().expect("the right one");
        prop_assert_eq!(found.direct_sum(&left, &l, &r, None).unwrap(), sum);
    }

    #[test]
    fn slices_restrict(p in nonempty(), cut in 0..5usize, begin in (0..96i64, 0..96i64), length in (1..96i64, 1..96i64)) {
        let shape = shape(&p, cut);
        let window = |extent: i64, begin: i64, length: i64| {
            let begin = begin % extent;
            (begin, begin + 1 + (length - 1) % (extent - begin))
        };
        let region = [window(shape[0], begin.0, length.0), window(shape[1], begin.1, length.1)];
        if let Some(part) = p.slice(&shape, &region, None).unwrap() {
            let extents = region.map(|(begin, end)| end - begin);
            for x in coords(&extents) {
                let from: Vec<_> = x.iter().zip(&region).map(|(x, (begin, _))| x + begin).collect();
                prop_assert_eq!(places(&part, &x, &extents), places(&p, &from, &shape), "{}", part);
            }
        }
        let all = [(0, shape[0]), (0, shape[1])];
        let whole = p.slice(&shape, &all, None).unwrap().expect("all of it");
        same_function(&whole, &p);
    }

    #[test]
    fn widths_scale(p in placements(), count in 1..5i64, a in 0..AXES.len()) {
        let axis = axis(AXES[a]);
        let narrow = p.unpack(count, axis).unwrap();
        for i in 0..narrow.size().unwrap() {
            let wide = p.placements_at(i / count).unwrap().into_iter().map(|mut place| {
                place.set(axis, place.get(axis) * count + i % count);
                place
            });
            prop_assert_eq!(sorted(narrow.placements_at(i).unwrap()), sorted(wide.collect()));
        }
        prop_assert_eq!(canonical(&narrow.pack(count, axis).unwrap()), canonical(&p.with_unit(axis)));
    }

    #[test]
    fn permutations_permute(p in nonempty(), cut in 0..5usize) {
        let shape = shape(&p, cut);
        let turned = canonical(&p).regroup(&shape, &[1, 0]).unwrap();
        for x in coords(&shape) {
            prop_assert_eq!(places(&turned, &[x[1], x[0]], &[shape[1], shape[0]]), places(&p, &x, &shape));
        }
        let order: Vec<_> = (0..p.shard().len()).rev().collect();
        prop_assert_eq!(p.permute_dims(&order).unwrap().permute_dims(&order).unwrap(), p);
    }

    #[test]
    fn layouts_are_placements(p in nonempty(), linear in along(1), swizzle in swizzles(), cut in 0..5usize) {
        // A stride of 0 has no axis in a layout.
        let shard: Vec<_> = p.shard().iter().map(|i| if i.stride == 0 { Iter::new(i.extent, 0, Axis::M) } else { *i }).collect();
        let p = Placement::new(shard, vec![], Point::default()).unwrap();
        let layout = p.to_layout().unwrap();
        prop_assert_eq!(&Placement::from_layout(&layout).unwrap(), &p);
        let text = layout.to_string();
        prop_assert_eq!(parse_layout(&text).unwrap().to_const().unwrap(), layout);

        prop_assume!(!linear.shard().is_empty());
        let swizzled = Placement::new(linear.shard().to_vec(), vec![], linear.offset().clone()).unwrap();
        let swizzled = swizzled.swizzled(swizzle).unwrap();
        let linear = Placement::new(linear.shard().to_vec(), vec![], Point::default()).unwrap();
        let (flat, shape) = (linear.to_layout().unwrap(), shape(&linear, cut));
        let of_shape = linear.to_layout_of(&shape).unwrap();
        let composed = swizzled.to_composed_of(&shape).unwrap();
        for x in coords(&shape) {
            let index = x[0] * shape[1] + x[1];
            let at = linear.base(&x, &shape).unwrap().get(Axis::M);
            prop_assert_eq!(crd2idx(&Tuple::leaf(Crd::Int(index)), &flat).unwrap(), Tuple::leaf(at));
            let coord: Coord<i64> = Tuple::from_leaves(x.iter().map(|x| Crd::Int(*x)));
            prop_assert_eq!(crd2idx(&coord, &of_shape).unwrap(), Tuple::leaf(at));
            let at = swizzled.base(&x, &shape).unwrap().get(Axis::M);
            prop_assert_eq!(crd2idx(&coord, &composed).unwrap(), Tuple::leaf(at));
        }
    }

    #[test]
    fn huge_numbers_are_errors_at_most(
        extents in prop::collection::vec(prop_oneof![1..5i64, Just(i64::MAX), 1i64 << 40..1 << 50], 1..4),
        strides in prop::collection::vec(prop_oneof![any::<i64>(), -2..3i64, Just(i64::MIN), Just(i64::MAX)], 4),
        n in any::<i64>(),
    ) {
        let iters: Vec<_> = extents.iter().zip(&strides).map(|(e, s)| Iter::new(*e, *s, Axis::M)).collect();
        let offset: Point = [(Axis::M, n)].into_iter().collect();
        for (shard, replica) in [(iters.clone(), vec![]), (iters[..1].to_vec(), iters.clone())] {
            let p = Placement::new(shard, replica, offset.clone()).unwrap();
            let _ = (p.base_at(n), p.placements_at(0), p.span_along(Axis::M), p.size(), p.canonicalize(None));
            let _ = (p.group(&extents), p.group_many(std::slice::from_ref(&extents)), p.slice(&extents, &vec![(0, 1); extents.len()], None));
            let _ = (p.tile(&p, &extents, &extents, None), p.direct_sum(&p, &extents, &extents, None));
            let _ = (p.is_tile_inner(&p, &extents, &extents, None), p.is_tile_outer(&p, &extents, &extents, None));
            let _ = (p.pack(n, Axis::M), p.unpack(n, Axis::M), p.broadcast(n, n, Axis::M), p.to_layout());
            let _ = (p.placements(&extents, &extents), p.base(&[0, 0], &[n, n]));
            prop_assert_eq!(p.to_string().parse::<Placement>().unwrap(), p);
        }
    }
}

trait WithUnit {
    fn with_unit(&self, axis: Axis) -> Placement;
}

impl WithUnit for Placement {
    /// Adds the iter of extent 1 at the end that packing leaves behind.
    fn with_unit(&self, axis: Axis) -> Placement {
        let shard = [self.shard(), &[Iter::new(1, 1, axis)]].concat();
        Placement::new(shard, self.replica().to_vec(), self.offset().clone()).unwrap()
    }
}

#[test]
fn every_notation_is_read() {
    let same = [
        ("S[(8,4):(4@laneid, 1)]", "S[(8, 4) : (4@laneid, 1@m)]"),
        ("S[8 : 4@laneid]", "S[(8) : (4@laneid)]"),
        ("S[8, 4, 2]", "S[(8, 4, 2) : (8@m, 2@m, 1@m)]"),
        ("S[8]", "S[(8) : (1@m)]"),
        ("S[(2,3)] + R[2,2]", "S[(2, 3) : (3@m, 1@m)] + R[(2, 2) : (2@m, 1@m)]"),
        (r#"S[8 : "laneid"]"#, "S[(8) : (1@laneid)]"),
        (r#"S[(8,) : ((4, "laneid"),)]"#, "S[(8) : (4@laneid)]"),
        ("S[(8,2) : (@laneid, warpid)]", "S[(8, 2) : (1@laneid, 1@warpid)]"),
        ("64 + S[8] + 5@warpid + -3 + 2 @ warpid", "S[(8) : (1@m)] + 61@m + 7@warpid"),
        ("S[8] + R[2 : 8] + R[3 : 1@warpid]", "S[(8) : (1@m)] + R[(2, 3) : (8@m, 1@warpid)]"),
        ("R[4 : 1@laneid]", "R[(4) : (1@laneid)]"),
        ("S[() : ()]", "S[() : ()]"),
        ("Swizzle(M=3, B=3, S=3)", "Swizzle(M=3, B=3, S=3, inner=true) o S[(512) : (1@m)]"),
        ("Swizzle(M=0,B=1,S=1,inner=false) o S[4]", "Swizzle(M=0, B=1, S=1, inner=false) o S[(4) : (1@m)]"),
    ];
    for (text, printed) in same {
        let p: Placement = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(p.to_string(), printed, "{text}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = [
        ("S[(8,4) : (1)]", "column 3: shard: 1 strides, expected 2: one per extent"),
        ("S[0 : 1]", "column 1: shard iter 0: extent 0 is not positive"),
        ("S[8] + R[(2,-1) : (1,1)]", "column 1: replica iter 1: extent -1 is not positive"),
        (
            "S[8] + S[8]",
            "column 8: S + S: a placement has one shard: use one S[(..):(..)] with several iters",
        ),
        ("S[8] 3", "column 6: expected `+` or the end, found `3`"),
        ("S[8] + x", "column 8: expected `S[`, `R[` or an offset, found `x`"),
        (
            "S[8 : 1@a_name_that_is_long]",
            "column 9: axis: a name of more than 14 letters is not supported: `a_name_that_is_long`",
        ),
        ("9223372036854775807 + 1", "column 23: 9223372036854775807 + 1 does not fit 64 bits"),
        (
            "Swizzle(M=3, B=3, S=2) o S[8]",
            "column 1: Swizzle(M=3, B=3, S=2): M >= 0, B >= 0, S >= B and M+B+S <= 62 are required",
        ),
        (
            "Swizzle(M=3, B=3, S=3) o S[8 : 1@laneid]",
            "column 26: a swizzle acts on m alone, but the placement after it also lies along laneid",
        ),
        (
            "Swizzle(M=0, B=1, S=1) o Swizzle(M=3, B=3, S=3) o S[8]",
            "column 26: Swizzle(M=0, B=1, S=1, inner=true) o Swizzle(M=3, B=3, S=3, inner=true): a placement has at most one swizzle",
        ),
    ];
    for (text, message) in refused {
        assert_eq!(text.parse::<Placement>().unwrap_err().to_string(), message, "{text}");
    }
    let p: Placement = "S[(8,4) : (4@laneid,1)]".parse().unwrap();
    let many: Placement = "S[2] + R[(4096,4096) : (1,1)]".parse().unwrap();
    let messages = [
        (
            p.base(&[0], &[8, 4]).map(|_| ()),
            "base: 1 coordinates, expected 2: one per dimension of the shape",
        ),
        (p.base(&[8, 0], &[8, 4]).map(|_| ()), "base: coordinate 0 is 8, outside [0, 8)"),
        (p.base(&[0, 0], &[8, 0]).map(|_| ()), "shape (8, 0), dimension 1: an extent must be positive"),
        (p.base_of_digits(&[0, 4]).map(|_| ()), "base_of_digits: digit 1 is 4, outside [0, 4)"),
        (
            many.placements_at(0).map(|_| ()),
            "placements: S[(2) : (1@m)] + R[(4096, 4096) : (1@m, 1@m)] has more than 1048576 copies",
        ),
        (
            p.group(&[16, 2]).and_then(|(p, _)| p.group(&[3, 11]).map(|_| ())),
            "group: shape (3, 11) has 33 elements, but S[(8, 2, 2) : (4@laneid, 2@m, 1@m)] has 32",
        ),
        (
            "S[(6,4) : (1,6)]".parse::<Placement>().unwrap().group(&[4, 6]).map(|_| ()),
            "group: S[(6, 4) : (1@m, 6@m)] has no groups of (4, 6): no iter can be cut where dimension 0 ends",
        ),
        (p.permute_dims(&[0, 0]).map(|_| ()), "permute_dims: (0, 0) is not a permutation of 0..2"),
        (
            p.permute_by_groups(&[0, 3], &[0]).map(|_| ()),
            "permute_by_groups: separators [0, 3] do not ascend from 0 to 2",
        ),
        (p.broadcast(2, 3, Axis::M).map(|_| ()), "broadcast: position 0 is 3, outside [-3, 3)"),
        (p.pack(3, Axis::M).map(|_| ()), "pack: extent of shard iter 1 is 4, which is not a multiple of 3"),
        (
            p.pack(2, axis("laneid")).map(|_| ()),
            "pack: the last iter of S[(8, 4) : (4@laneid, 1@m)] does not have stride 1 along laneid",
        ),
        (p.unpack(0, Axis::M).map(|_| ()), "unpack: 0 elements per element: at least one is required"),
    ];
    for (result, message) in messages {
        assert_eq!(result.unwrap_err().to_string(), message);
    }
}

#[test]
fn named_strides_have_no_place_in_a_tuple() {
    let layout = parse_layout("(8,4):(4@laneid,1@warpid)").unwrap();
    let error = crd2idx(&Tuple::leaf(Crd::Int(cute_algebra::Dim::fixed(3))), &layout).unwrap_err();
    assert_eq!(
        error.to_string(),
        "layout value: the named axis @laneid, along which a Placement has points, found where a position in a coordinate is required"
    );
}
