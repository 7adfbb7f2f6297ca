//! Layouts as maps of bits: the theorem on which layouts are linear, and the results of
//! elimination.

use cute_algebra::{
    AnyLayout, ComposedLayout, Dimension, Layout, LayoutLike, LinearLayout, Stride, Swizzle, Tuple, coalesce,
    crd2idx, right_inverse,
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
