//! Placements as maps of bits, and as layouts: the theorem on which placements are linear.

#[path = "../../cute-algebra/tests/common/mod.rs"]
mod common;

use common::oracle::law;
use cute_algebra::Axis;
use cute_placement::{
    Placement, Point,
    placement::{Iter, StorageSwizzle},
};
use proptest::{collection::vec, prelude::*};

/// Placements of powers of two, some behind a swizzle, most of whose bits step along an axis by
/// powers of two.
fn power_placements() -> impl Strategy<Value = Placement> {
    let stride = prop_oneof![6 => (0u32..9).prop_map(|bit| 1i64 << bit), 1 => -3i64..20];
    let iters = |n| vec((0u32..3, stride.clone(), 0usize..3), n);
    let swizzle = proptest::option::weighted(0.3, (0i64..3, 0i64..3, 0i64..3, any::<bool>()));
    (iters(1..5), iters(0..3), swizzle).prop_map(|(shard, replica, swizzle)| {
        let axes = if swizzle.is_some() { ["m"; 3] } else { ["m", "laneid", "warpid"] };
        let iter = |(bits, stride, axis): (u32, i64, usize)| {
            Iter::new(1 << bits, stride, axes[axis].parse::<Axis>().unwrap())
        };
        let [shard, replica] = [shard, replica].map(|iters| iters.into_iter().map(iter).collect());
        let placement = Placement::new(shard, replica, Point::default()).unwrap();
        match swizzle {
            Some((base, bits, more, inner)) => {
                placement.swizzled(StorageSwizzle::new(base, bits, bits + more, inner).unwrap()).unwrap()
            }
            None => placement,
        }
    })
}

fn all_places(placement: &Placement, i: i64) -> Vec<Point> {
    let places = placement.placements_at(i).unwrap().into_iter();
    let mut places: Vec<_> = places.map(Point::without_zeros).collect();
    places.sort();
    places
}

#[test]
fn a_placement_is_linear_exactly_if_its_bits_keep_apart() {
    law(power_placements(), |placement| {
        let n = placement.size().unwrap();
        let extents: Vec<i64> = placement.shard().iter().map(|iter| iter.extent).collect();
        let place = |i: i64| placement.base_at(i).unwrap();
        let map = match placement.to_linear(&extents) {
            Ok(map) => map,
            Err(error) => {
                // Sums of copies may carry too; with one place per element the theorem is exact.
                let xor = |x: Point, y: &Point| -> Point {
                    x.iter().map(|(axis, at)| (axis, at ^ y.get(axis))).collect()
                };
                let natural = (0..n).all(|x| place(x).iter().all(|(_, at)| at >= 0));
                let bits = |x: i64| (0..8).map(move |bit| x & 1 << bit).filter(|bit| *bit != 0);
                let sum = |x: i64| bits(x).fold(place(0), |sum, bit| xor(sum, &place(bit)));
                let linear = place(0).without_zeros().is_empty() && (0..n).all(|x| place(x) == sum(x));
                let linear = natural && linear;
                prop_assert!(!linear || !placement.replica().is_empty(), "{}: {}", placement, error);
                return Ok(true);
            }
        };
        let copies: i64 = placement.replica().iter().map(|iter| iter.extent).product();
        for i in 0..n {
            let mut rest = i;
            let mut digits: Vec<i64> = extents
                .iter()
                .rev()
                .map(|extent| {
                    let digit = rest % extent;
                    rest /= extent;
                    digit
                })
                .collect();
            digits.reverse();
            let found = (0..copies).map(|copy| {
                let mut coord = digits.clone();
                coord.extend((!placement.replica().is_empty()).then_some(copy));
                let values = map.apply(&coord).unwrap();
                let axes = map.outputs().iter().map(|d| d.name.parse::<Axis>().unwrap());
                axes.zip(values).collect::<Point>().without_zeros()
            });
            let mut found: Vec<_> = found.collect();
            found.sort();
            prop_assert_eq!(&found, &all_places(&placement, i), "{}: {}", placement, map);
        }
        let back = Placement::from_linear(&map).unwrap();
        for i in 0..n {
            prop_assert_eq!(all_places(&back, i), all_places(&placement, i), "{} and {}", placement, back);
        }
        Ok(true)
    });
}

#[test]
fn a_placement_is_its_layout() {
    law(power_placements(), |placement| {
        let extents: Vec<i64> = placement.shard().iter().map(|iter| iter.extent).collect();
        if placement.swizzle().is_some() {
            prop_assert!(placement.to_layout().is_err());
            return Ok(false);
        }
        let own = Placement::new(placement.shard().to_vec(), vec![], Point::default()).unwrap();
        // A step of 0 is along no axis.
        let forth = Placement::from_layout(&placement.to_layout().unwrap()).unwrap();
        let by_dimension = placement.to_layout_of(&extents).unwrap();
        let back = Placement::from_layout_of(&by_dimension).unwrap();
        for i in 0..own.size().unwrap() {
            prop_assert_eq!(all_places(&forth, i), all_places(&own, i), "{}", placement);
            prop_assert_eq!(all_places(&back, i), all_places(&own, i), "{} is {}", placement, by_dimension);
        }
        Ok(true)
    });
}

#[test]
fn what_is_no_map_of_bits_or_no_placement_is_said() {
    let placed = |text: &str, shape: &[i64]| {
        text.parse::<Placement>().unwrap().to_linear(shape).unwrap_err().to_string()
    };
    assert!(placed("S[(4,2)] + 3@laneid", &[4, 2]).contains("a linear map sends 0 to 0, "));
    assert!(placed("S[(3,2)]", &[3, 2]).contains("extent 3 is not a power of two"));
    assert!(placed("S[(4,2) : (1,1)]", &[4, 2]).contains("share a bit"));
    assert!(placed("S[(4,2)]", &[2, 2]).contains("has 4 elements"));
    let map = |text: &str| Placement::from_linear(&text.parse().unwrap()).map_err(|e| e.to_string());
    assert!(
        map("{dim0 = [[1, 1]]} -> (m = 2, laneid = 2)")
            .unwrap_err()
            .contains("one bit steps along both m and laneid")
    );
    assert!(map("{dim0 = [[1, 0], [3, 0]]} -> (laneid = 4, m = 2)").unwrap_err().contains("share a bit"));
    assert!(map("{dim0 = [[1], [1]]} -> (m = 2)").is_err());
    // A bit that does nothing is a copy, or an element in the same place.
    let nothing = map("{dim0 = [[1, 0], [0, 0]], replica = [[0, 1]]} -> (laneid = 2, m = 2)").unwrap();
    assert_eq!(nothing.to_string(), "S[(2, 2) : (0@laneid, 1@laneid)] + R[(2) : (1@m)]");
}
