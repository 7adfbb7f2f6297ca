//! Products of matrices whose sums follow a rule.

use super::columns::{Columns, Row};
use super::fp4;
use super::number::{exponent, least};
use super::rule::{Rule, Window};
use super::window::{self, Encoded};
use crate::tensor::accumulators::plain;
use crate::tensor::scales::Factor;
use cute_arch::Element;
use half::f16;

/// A product of matrices (M,K) and (N,K) of floats.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Product {
    pub(crate) rule: Rule,
    /// The types of A, B and D.
    pub(crate) types: [Element; 3],
    pub(crate) n: usize,
    pub(crate) k: usize,
}

/// Scale factors of blocks of K.
pub(crate) trait Factored {
    /// Blocks of K.
    fn count(&self) -> usize;

    /// The factors of A and of B for an element of the result.
    fn of(&self, row: usize, column: usize, block: usize) -> [Factor; 2];
}

/// No factors.
#[derive(Debug)]
pub(crate) struct Unscaled;

impl Factored for Unscaled {
    fn count(&self) -> usize {
        1
    }

    fn of(&self, _: usize, _: usize, _: usize) -> [Factor; 2] {
        [Factor::ONE; 2]
    }
}

impl Product {
    /// Adds A times B to sums, which are of the type of D, or with `fresh` replaces them. A is
    /// stored row after row, B along N for each of K. N and K are multiples of 4.
    pub(crate) fn add(
        &self,
        [a, b]: [&[f32]; 2],
        factors: Option<&dyn Factored>,
        fresh: bool,
        sums: &mut [f32],
    ) {
        if fresh {
            sums.fill(0.0);
        }
        let Product { n, k, types: [.., d], .. } = *self;
        match self.rule {
            Rule::Plain => plain([a, b], [n, k], self.types, factors, sums),
            Rule::Windows(window) => self.windows(&window, [a, b], factors, sums),
            Rule::ThroughHalves(window) => self.through_halves(&window, [a, b], sums),
            Rule::Threads => threads([a, b], [n, k], d, sums),
            Rule::PackedFp4 => {
                let factors = factors.unwrap_or(&Unscaled);
                let mut row = fp4::Row::default();
                for (i, (a, sums)) in a.chunks_exact(k).zip(sums.chunks_exact_mut(n)).enumerate() {
                    let of = |column: usize, at: usize| factors.of(i, column, at * factors.count() / k);
                    row.add([a, b], of, sums);
                }
            }
        }
    }

    /// Window by window, row by row.
    fn windows(
        &self,
        window: &Window,
        [a, b]: [&[f32]; 2],
        factors: Option<&dyn Factored>,
        sums: &mut [f32],
    ) {
        let Product { n, k, types: [of_a, of_b, d], .. } = *self;
        let encode = |numbers: &[f32], element: Element| -> Vec<i16> {
            let least = least(element);
            numbers.iter().map(|number| exponent(*number, least)).collect()
        };
        let (exponents_a, exponents_b) = (encode(a, of_a), encode(b, of_b));
        let mut columns = Columns::default();
        for first in (0..k).step_by(window.products) {
            let of_k = first..(first + window.products).min(k);
            let of_n = of_k.start * n..of_k.end * n;
            let (b, of_b) = (&b[of_n.clone()], &exponents_b[of_n]);
            for (i, sums) in sums.chunks_exact_mut(n).enumerate() {
                let own = i * k + of_k.start..i * k + of_k.end;
                let row = Row { a: &a[own.clone()], of_a: &exponents_a[own], b, of_b };
                let scale = |j: usize| scale_of(factors, (i, j), first, k);
                let left = columns.add(window, row, |j| scale(j).unwrap_or(0), sums, d);
                for &j in left {
                    sums[j] = one(window, &row, (j, n), scale(j), sums[j], d);
                }
                // A factor that is not a number makes all of its sums such.
                if factors.is_some() {
                    let is_nan = |(j, _): &(usize, &mut f32)| scale(*j).is_none();
                    sums.iter_mut().enumerate().filter(is_nan).for_each(|(_, sum)| *sum = f32::NAN);
                }
            }
        }
    }

    /// Two windows of halves that begin with 0, whose sum is added to C.
    fn through_halves(&self, window: &Window, [a, b]: [&[f32]; 2], sums: &mut [f32]) {
        let Product { n, k, types: [.., d], .. } = *self;
        let product =
            Product { rule: Rule::Windows(*window), types: [Element::F16, Element::F16, d], n, k: k / 2 };
        let mut all = vec![0.0; sums.len()];
        for half in 0..2 {
            let is_of = |k: &usize| k / 2 % 2 == half;
            let of_a: Vec<f32> = (0..a.len()).filter(is_of).map(|i| a[i]).collect();
            let of_b = b.chunks_exact(n).enumerate().filter(|(k, _)| is_of(k));
            let of_b: Vec<f32> = of_b.flat_map(|(_, row)| row).copied().collect();
            product.add([&of_a, &of_b], None, false, &mut all);
        }
        sums.iter_mut().zip(&all).for_each(|(c, sum)| *c = nearest(*c + *sum, d));
    }
}

/// The sum of the exponents of the factors of an element; `None` if one is not a number.
#[inline]
fn scale_of(
    factors: Option<&dyn Factored>,
    (row, column): (usize, usize),
    at: usize,
    k: usize,
) -> Option<i32> {
    let Some(factors) = factors else { return Some(0) };
    let both = factors.of(row, column, at * factors.count() / k);
    both.iter().all(|factor| !factor.significand.is_nan()).then(|| both[0].exponent + both[1].exponent)
}

/// The result in one column, number by number.
fn one(
    window: &Window,
    row: &Row<'_>,
    (j, n): (usize, usize),
    scale: Option<i32>,
    c: f32,
    d: Element,
) -> f32 {
    let Some(scale) = scale else { return f32::NAN };
    let column = row.b.iter().zip(row.of_b).skip(j).step_by(n);
    let of_row = row.a.iter().zip(row.of_a);
    let pairs =
        of_row.zip(column).map(|((a, of_a), (b, of_b))| -> (Encoded, Encoded) { ((*a, *of_a), (*b, *of_b)) });
    window::sum(window, pairs, scale, c, d)
}

/// A sum of two sums in the type of D, rounded to nearest even.
fn nearest(sum: f32, d: Element) -> f32 {
    if d == Element::F16 { f16::from_f32(sum).to_f32() } else { sum }
}

/// `mma.m8n8k4` of halves, which `ptxas` computes without tensor cores from sm_80 on.
///
/// ```text
/// f32: D = C + fma(a3, b3, fma(a2, b2, fma(a1, b1, a0 b0)))
/// f16: D = (C + fma(a1, b1, a0 b0)) + fma(a3, b3, a2 b2), the sums and products in f32
/// ```
fn threads([a, b]: [&[f32]; 2], [n, k]: [usize; 2], d: Element, sums: &mut [f32]) {
    for (a, sums) in a.chunks_exact(k).zip(sums.chunks_exact_mut(n)) {
        for (j, c) in sums.iter_mut().enumerate() {
            let product = |k: usize| a[k] * b[k * n + j];
            let then = |k: usize, sum: f32| a[k].mul_add(b[k * n + j], sum);
            *c = match d {
                Element::F16 => nearest((*c + then(1, product(0))) + then(3, product(2)), d),
                _ => *c + then(3, then(2, then(1, product(0)))),
            };
        }
    }
}
