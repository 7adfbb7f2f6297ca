//! Layouts as maps of bits: the theorem on which layouts are linear, and the results of
//! elimination.

use cute_algebra::{
    AnyLayout, Axis, ComposedLayout, Dimension, Layout, LayoutLike, LinearLayout, Placement, Point, Stride,
    Swizzle, Tuple, coalesce, crd2idx,
    placement::{Iter, StorageSwizzle},
    right_inverse,
};
use proptest::{collection::vec, prelude::*};

use crate::common::{
    generate::swizzles,
    oracle::{law, size},
};

/// Layouts of powers of two, most of them with strides that are powers of two.
fn power_layouts() -> impl Strategy<Value = Layout<i64>> {
    let stride = prop_oneof![4 => (0u32..9).prop_map(|bit| 1i64 << bit), 1 => 0i64..20];
    vec((0u32..3, stride), 1..5).prop_map(|leaves| {
        let shape = leaves.iter().map(|(bits, _)| Tuple::leaf(1i64 << bits));
        let strides = leaves.iter().map(|(_, stride)| Tuple::leaf(Stride::int(*stride)));
        Layout::new(Tuple::from_modes(shape), Tuple::from_modes(strides)).unwrap()
    })
}

fn value(layout: &AnyLayout<i64>, i: i64) -> i64 {
    *crd2idx(&Tuple::leaf(cute_algebra::Crd::Int(i)), layout).unwrap().as_leaf().unwrap()
}

fn behind(swizzle: Swizzle, layout: Layout<i64>) -> AnyLayout<i64> {
    ComposedLayout::swizzled(swizzle, layout).simplify()
}

/// Maps of up to six bits to up to six.
fn maps() -> impl Strategy<Value = LinearLayout> {
    (0usize..7, 0u32..7).prop_flat_map(|(inputs, outputs)| {
        vec(0u64..1 << outputs, inputs).prop_map(move |images| {
            let (low, high) = (inputs as u32 / 2, inputs as u32 - inputs as u32 / 2);
            let inputs = vec![Dimension::new("register", low), Dimension::new("lane", high)];
            let outputs =
                vec![Dimension::new("dim0", outputs / 2), Dimension::new("dim1", outputs - outputs / 2)];
            LinearLayout::new(inputs, outputs, images).unwrap()
        })
    })
}

fn words(dimensions: &[Dimension]) -> std::ops::Range<u64> {
    0..1 << dimensions.iter().map(|d| d.bits).sum::<u32>()
}

#[test]
fn a_layout_is_linear_exactly_if_xor_passes_through() {
    law((power_layouts(), swizzles()), |(layout, swizzle)| {
        let n = size(&layout);
        let swizzled = behind(swizzle, layout.clone());
        let plain = AnyLayout::Plain(layout);
        let is_linear =
            |f: &AnyLayout<i64>| (0..n).all(|x| (0..n).all(|y| value(f, x ^ y) == value(f, x) ^ value(f, y)));
        for layout in [plain, swizzled] {
            match LinearLayout::from_layout(&layout, &["i"], "offset") {
                Ok(map) => prop_assert!(
                    (0..n).all(|x| map.apply_word(x as u64) as i64 == value(&layout, x)),
                    "{}",
                    layout
                ),
                Err(error) => prop_assert!(!is_linear(&layout), "{}: {}", layout, error),
            }
        }
        Ok(true)
    });
}

#[test]
fn a_linear_layout_comes_back_as_a_layout() {
    law((power_layouts(), swizzles()), |(layout, swizzle)| {
        let layout = behind(swizzle, layout);
        let names: Vec<String> = (0..layout.outer().rank()).map(|i| format!("mode{i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let Ok(map) = LinearLayout::from_layout(&layout, &names, "offset") else { return Ok(false) };
        let back = map.to_layout().unwrap();
        let n = size(layout.outer());
        prop_assert!((0..n).all(|x| value(&back, x) == value(&layout, x)), "{} is {}", layout, back);
        Ok(true)
    });
}

#[test]
fn composition_is_one_after_the_other() {
    law((maps(), maps()), |(first, second)| {
        let Ok(joined) = first.reshape_outputs(second.inputs().to_vec()) else { return Ok(false) };
        let both = joined.then(&second).unwrap();
        for word in words(first.inputs()) {
            prop_assert_eq!(both.apply_word(word), second.apply_word(first.apply_word(word)));
        }
        Ok(true)
    });
}

#[test]
fn rank_and_kernel_share_the_bits_of_the_input() {
    law(maps(), |map| {
        let kernel = map.kernel();
        prop_assert_eq!(map.rank() as usize + kernel.len(), map.images().len());
        prop_assert!(kernel.iter().all(|word| *word != 0 && map.apply_word(*word) == 0));
        let values: std::collections::BTreeSet<u64> =
            words(map.inputs()).map(|word| map.apply_word(word)).collect();
        prop_assert_eq!(values.len(), 1usize << map.rank());
        prop_assert_eq!(map.is_injective(), kernel.is_empty());
        prop_assert_eq!(map.is_surjective(), words(map.outputs()).count() == values.len());
        Ok(true)
    });
}

#[test]
fn an_inverse_gives_the_least_argument_of_a_value() {
    law(maps(), |map| {
        let Ok(inverse) = map.right_inverse() else {
            prop_assert!(!map.is_surjective());
            return Ok(false);
        };
        for word in words(map.outputs()) {
            prop_assert_eq!(map.apply_word(inverse.apply_word(word)), word);
        }
        prop_assert_eq!(map.inverse().is_ok(), map.is_injective());
        Ok(true)
    });
}

#[test]
fn the_inverse_of_a_compact_layout_is_cute_s() {
    law(
        (Just(()), vec(1u32..3, 1..4))
            .prop_flat_map(|(_, bits)| (Just(bits.clone()), Just(bits).prop_shuffle())),
        |(bits, order)| {
            // A compact layout: strides are products of extents in some order.
            let mut strides = vec![0i64; bits.len()];
            let mut used = vec![false; bits.len()];
            let mut stride = 1i64;
            for wanted in order {
                let i = (0..bits.len()).find(|i| !used[*i] && bits[*i] == wanted).unwrap();
                (used[i], strides[i]) = (true, stride);
                stride <<= wanted;
            }
            let shape = bits.iter().map(|b| Tuple::leaf(1i64 << b));
            let layout = Layout::new(
                Tuple::from_modes(shape),
                Tuple::from_modes(strides.iter().map(|d| Tuple::leaf(Stride::int(*d)))),
            )
            .unwrap();
            let map = LinearLayout::from_layout(&AnyLayout::Plain(layout.clone()), &["i"], "offset").unwrap();
            let ours = map.inverse().unwrap().to_layout().unwrap();
            let cute = AnyLayout::Plain(coalesce(&right_inverse(&layout).unwrap()).unwrap());
            prop_assert!(
                (0..size(&layout)).all(|x| value(&ours, x) == value(&cute, x)),
                "{}: {} and {}",
                layout,
                ours,
                cute
            );
            Ok(true)
        },
    );
}

#[test]
fn a_product_is_both_maps_side_by_side() {
    law((maps(), maps()), |(low, high)| {
        let product = low.product(&high).unwrap();
        let bits: Vec<u32> = low.outputs().iter().map(|d| d.bits).collect();
        let pairs = words(low.inputs()).zip(words(high.inputs()).rev());
        for (x, y) in pairs {
            let split = |map: &LinearLayout, word: u64| -> Vec<i64> {
                let low = map.inputs()[0].bits;
                vec![(word & ((1 << low) - 1)) as i64, (word >> low) as i64]
            };
            let (a, b) = (split(&low, x), split(&high, y));
            let both: Vec<i64> =
                a.iter().zip(&b).zip(low.inputs()).map(|((a, b), d)| a | b << d.bits).collect();
            let (p, q) = (low.apply(&a).unwrap(), high.apply(&b).unwrap());
            let expected: Vec<i64> =
                p.iter().zip(&q).zip(&bits).map(|((p, q), bits)| p | q << bits).collect();
            prop_assert_eq!(product.apply(&both).unwrap(), expected);
        }
        Ok(true)
    });
}

#[test]
fn the_text_of_a_linear_layout_reads_back() {
    law(maps(), |map| {
        prop_assert_eq!(map.to_string().parse::<LinearLayout>().unwrap(), map);
        Ok(true)
    });
}

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
