//! The sum of one window, number by number: the definition, for numbers that
//! [`columns`](super::columns) leaves out, and for its tests.

use super::number::{SPECIAL, ZERO, exponent, least, rounded, significand};
use super::rule::Window;
use cute_arch::Element;

/// A number, and the exponent that its type encodes it with.
pub(super) type Encoded = (f32, i16);

/// The sum of the products of pairs and C, which has the type of the result. Each product is times
/// 2^`scale`.
///
/// ```text
/// E = the largest exponent of a product that is not 0, or of C; at least the floor
/// q = E - below
/// sum = trunc(C / 2^q) + trunc(a b / 2^q) + ..
/// result = sum * 2^q, cut or rounded once
/// ```
pub(super) fn sum(
    window: &Window,
    pairs: impl Iterator<Item = (Encoded, Encoded)> + Clone,
    scale: i32,
    c: f32,
    d: Element,
) -> f32 {
    let of_c = exponent(c, least(d));
    let products = || pairs.clone().filter(|((_, a), (_, b))| *a != ZERO && *b != ZERO);
    let special = |((a, of_a), (b, of_b)): (Encoded, Encoded)| {
        (of_a == SPECIAL || of_b == SPECIAL).then(|| f64::from(a) * f64::from(b))
    };
    let own = (of_c == SPECIAL).then_some(f64::from(c));
    // The sum of infinities and NaN is that of IEEE 754.
    if let Some(all) = pairs.clone().filter_map(special).chain(own).reduce(|sum, next| sum + next) {
        return all as f32;
    }
    let of_products = products().map(|((_, a), (_, b))| i32::from(a) + i32::from(b) + scale).max();
    let Some(largest) = of_products.into_iter().chain((of_c != ZERO).then_some(of_c.into())).max() else {
        return if window.keeps_zero { c } else { 0.0 };
    };
    let last = largest.max(window.floor) - window.below;
    let cut = |significand: u64, lowest: i32, is_negative: bool| {
        let units = match lowest - last {
            up @ 0.. => significand << up,
            down => significand.checked_shr(down.unsigned_abs()).unwrap_or(0),
        } as i64;
        if is_negative { -units } else { units }
    };
    let product = |((a, _), (b, _)): (Encoded, Encoded)| {
        let ((one, lowest), (other, of_other)) = (significand(a), significand(b));
        cut(one * other, lowest + of_other + scale, a.is_sign_negative() != b.is_sign_negative())
    };
    let (of_sum, lowest) = significand(c);
    let units = products().map(product).sum::<i64>() + cut(of_sum, lowest, c.is_sign_negative());
    rounded(units as f64, last, d, window.fraction)
}
