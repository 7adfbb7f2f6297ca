//! Sums of packed fp4 with scale factors.
//!
//! The products of 16 k are added exactly, and so is their product with the significands of both
//! factors. These sums are cut, not single products. Bits count from the largest exponent of
//! factors, not of products.

use super::number::{NOTHING, exponent, least, power, rounded};
use crate::tensor::accumulators::add_scaled;
use crate::tensor::scales::Factor;
use cute_arch::Element;

/// Products of a sum that is cut.
const GROUP: usize = 16;

/// The same, where factors have significands and a product has a larger exponent than C.
const PART: usize = 4;

/// Bits that are kept below the largest exponent.
const BELOW: i32 = 35;

/// Where C is 0, sums below this power of 2 do not count beside a larger factor.
const LEAST: i32 = -174;

/// The sums of a row: those of 4 products, of each column, and the largest exponents of 16.
#[derive(Debug, Default)]
pub(super) struct Row {
    parts: Vec<f32>,
    tops: Vec<i16>,
}

/// The factors of 16 products.
#[derive(Debug, Clone, Copy)]
struct Group {
    /// The sum of the exponents of both factors.
    exponent: i32,
    /// The product of their significands.
    significand: f64,
    /// The largest exponent of a product without factors; at most [`NOTHING`] if all are 0.
    top: i32,
}

impl Group {
    fn is_zero(&self) -> bool {
        self.top <= NOTHING || self.significand == 0.0
    }
}

impl Row {
    /// Adds the products of a row of A and all columns of B, which is stored along N for each of K.
    /// `factors` returns those of A and B for a column and a k.
    pub(super) fn add(
        &mut self,
        [a, b]: [&[f32]; 2],
        factors: impl Fn(usize, usize) -> [Factor; 2],
        c: &mut [f32],
    ) {
        let (n, lowest) = (c.len(), least(Element::E2m1));
        self.parts.clear();
        self.parts.resize(a.len() / PART * n, 0.0);
        self.tops.clear();
        self.tops.resize(a.len() / GROUP * n, i16::MIN);
        let of_parts = a.chunks_exact(PART).zip(b.chunks_exact(PART * n));
        for (sums, (a, b)) in self.parts.chunks_exact_mut(n).zip(of_parts) {
            add_scaled(sums, a, b);
        }
        for (k, (a, b)) in a.iter().zip(b.chunks_exact(n)).enumerate() {
            let of_a = exponent(*a, lowest);
            for (top, b) in self.tops[k / GROUP * n..].iter_mut().zip(b) {
                *top = (*top).max(of_a + exponent(*b, lowest));
            }
        }
        let groups = a.len() / GROUP;
        for (j, c) in c.iter_mut().enumerate() {
            let group = |i: usize| {
                let [a, b] = factors(j, i * GROUP);
                let (exponent, significand) = (a.exponent + b.exponent, a.significand * b.significand);
                Group { exponent, significand, top: self.tops[i * n + j].into() }
            };
            let part = |i: usize, part: usize| f64::from(self.parts[(i * GROUP / PART + part) * n + j]);
            // Significands other than 1 belong to a type that has them.
            let has_significands = factors(j, 0).iter().any(|factor| factor.has_significand);
            *c = sum((0..groups).map(group), part, has_significands, *c);
        }
    }
}

/// The sum of groups and C. `part` returns a sum of 4 products of a group.
fn sum(
    groups: impl Iterator<Item = Group> + Clone,
    part: impl Fn(usize, usize) -> f64,
    has_significands: bool,
    c: f32,
) -> f32 {
    if groups.clone().any(|group| group.significand.is_nan()) {
        return f32::NAN;
    }
    let products = || groups.clone().enumerate().filter(|(_, group)| !group.is_zero());
    let (Some(factors), Some(largest)) = (
        products().map(|(_, group)| group.exponent).max(),
        products().map(|(_, group)| group.exponent + group.top).max(),
    ) else {
        return c;
    };
    if !c.is_finite() {
        return c;
    }
    let of_c = if c == 0.0 { i32::MIN / 2 } else { exponent(c, least(Element::F32)).into() };
    let outranks = of_c >= largest;
    let last = if outranks { of_c } else { factors } - BELOW;
    // Units of 2^last. A sum that C outranks is cut where C ends.
    let cut = |value: f64, exponent: i32, at: i32| {
        let moved = value * power((exponent - at).clamp(-1000, 1000));
        moved.trunc() * power((at - last).clamp(-1000, 1000))
    };
    let mut units = if c == 0.0 { 0.0 } else { f64::from(c) * power(-last) };
    for (i, group) in products() {
        let at = match has_significands {
            false if of_c >= group.exponent + group.top => of_c - BELOW,
            _ => last,
        };
        let value = |part: f64| part * group.significand;
        if has_significands && largest > of_c {
            units += (0..GROUP / PART).map(|p| cut(value(part(i, p)), group.exponent, at)).sum::<f64>();
            continue;
        }
        let all = value((0..GROUP / PART).map(|p| part(i, p)).sum::<f64>());
        let is_least = all.abs() * power(group.exponent) < power(LEAST);
        if c == 0.0 && group.exponent < factors && is_least && !has_significands {
            continue;
        }
        units += cut(all, group.exponent, at);
    }
    rounded(units, last, Element::F32, 23)
}
