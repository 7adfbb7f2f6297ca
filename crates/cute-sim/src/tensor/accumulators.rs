//! Accumulators of MMAs of tiles, sums of integers, and plain sums of floats.
//!
//! Plain sums are those of f32: each product is exact, and is added by ascending k to the running
//! sum, which begins with C. Each addition is rounded to the 24 bits of an f32, to nearest even.
//! Products and sums may leave the range of f32, as those of bf16 do; only the result of an
//! instruction is infinite. With f16 accumulators it is then rounded to f16.

use super::scales::Factor;
use super::sums::Factored;
use cute_arch::Element;
use half::f16;

/// The accumulators of a matrix, row after row.
#[derive(Debug, Clone, PartialEq)]
pub enum Accumulators {
    /// Floats, already rounded to the accumulator's type.
    Float(Vec<f32>),
    /// Integers.
    Int(Vec<i32>),
}

impl Accumulators {
    /// A number of accumulators of this type that are all zero.
    pub fn zero(d: Element, count: usize) -> Self {
        if d == Element::S32 {
            Accumulators::Int(vec![0; count])
        } else {
            Accumulators::Float(vec![0.0; count])
        }
    }

    /// The code of a sum of this type.
    pub fn code(&self, d: Element, place: usize) -> u32 {
        match (self, d) {
            (Accumulators::Int(values), _) => values[place] as u32,
            (Accumulators::Float(values), Element::F16) if values[place].is_nan() => 0x7fff,
            (Accumulators::Float(values), Element::F16) => f16::from_f32(values[place]).to_bits().into(),
            (Accumulators::Float(values), _) if values[place].is_nan() => 0x7fff_ffff,
            (Accumulators::Float(values), _) => values[place].to_bits(),
        }
    }

    /// Whether they are equal, bit by bit.
    pub fn is_same(&self, other: &Accumulators) -> bool {
        match (self, other) {
            (Accumulators::Float(one), Accumulators::Float(other)) => {
                one.iter().zip(other).all(|(one, other)| one.to_bits() == other.to_bits())
            }
            (one, other) => one == other,
        }
    }

    /// Divides accumulators of floats by a power of 2, and rounds them to halves.
    pub fn scale_down(&mut self, halves: bool, power: u32) {
        let Accumulators::Float(values) = self else { return };
        let by = (-f64::from(power)).exp2() as f32;
        for sum in values {
            *sum = if halves { f16::from_f32(*sum * by).to_f32() } else { *sum * by };
        }
    }

    /// Sets a sum of this type from its code.
    pub fn set_code(&mut self, d: Element, place: usize, code: u32) {
        match (self, d) {
            (Accumulators::Int(values), _) => values[place] = code as i32,
            (Accumulators::Float(values), Element::F16) => {
                values[place] = f16::from_bits(code as u16).to_f32()
            }
            (Accumulators::Float(values), _) => values[place] = f32::from_bits(code),
        }
    }
}

/// Whether an element has as many exponents as f32: bf16 and tf32.
fn is_wide(element: Element) -> bool {
    element.float().is_some_and(|format| format.exponent == EXPONENT_OF_F32)
}

/// Bits of the exponent of an f32.
const EXPONENT_OF_F32: u32 = 8;

/// Adds a product of integers to accumulators, or with `fresh` replaces them by it. A is stored row
/// after row, B along N for each of K. Sums of one instruction's products are below 2^24.
pub(crate) fn integers(
    [a, b]: [&[f32]; 2],
    [n, k]: [usize; 2],
    saturates: bool,
    fresh: bool,
    accumulators: &mut [i32],
) {
    let end = |c: i32, sum| match (if fresh { 0 } else { c }, sum as i32) {
        (c, sum) if saturates => c.saturating_add(sum),
        (c, sum) => c.wrapping_add(sum),
    };
    product(a, b, [n, k], accumulators, |_| 0.0, end);
}

/// Adds a product of floats of these types of A, B and D in plain f32.
pub(super) fn plain(
    [a, b]: [&[f32]; 2],
    [n, k]: [usize; 2],
    [of_a, _, d]: [Element; 3],
    factors: Option<&dyn Factored>,
    sums: &mut [f32],
) {
    match factors {
        Some(factors) => plain_scaled([a, b], [n, k], factors, sums),
        None if d == Element::F16 => {
            product(a, b, [n, k], sums, |c| c, |_, sum| f16::from_f32(sum).to_f32());
        }
        None if is_wide(of_a) && !is_exact(a, b, k) => wide_product(a, b, [n, k], sums),
        None => product(a, b, [n, k], sums, |c| c, |_, sum| sum),
    }
}

/// With scale factors: the products of a block are summed as without. The sum times both factors is
/// exact, and is rounded when it is added; partial sums have the exponents of f64.
fn plain_scaled([a, b]: [&[f32]; 2], [n, k]: [usize; 2], factors: &dyn Factored, sums: &mut [f32]) {
    let count = factors.count();
    let (mut products, mut wide) = (vec![0.0f32; n], vec![0.0f64; n]);
    for (i, (a, sums)) in a.chunks_exact(k).zip(sums.chunks_exact_mut(n)).enumerate() {
        wide.iter_mut().zip(&*sums).for_each(|(wide, c)| *wide = f64::from(*c));
        for block in 0..count {
            products.fill(0.0);
            let of_k = block * k / count..(block + 1) * k / count;
            for (a, b) in a[of_k.clone()].chunks_exact(4).zip(b[of_k.start * n..].chunks_exact(4 * n)) {
                add_scaled(&mut products, a, b);
            }
            for (j, (sum, products)) in wide.iter_mut().zip(&products).enumerate() {
                let [of_a, of_b] = factors.of(i, j, block).map(Factor::number);
                *sum = single(*sum + f64::from(*products) * (of_a * of_b));
            }
        }
        sums.iter_mut().zip(&wide).for_each(|(sum, wide)| *sum = *wide as f32);
    }
}

/// Whether f32 gives the same sums as exact products of these: no product is below the least normal
/// number, whose bits are all above those of the least one, and no sum of `k` of them changes the
/// largest number, which ends at 2^104.
fn is_exact(a: &[f32], b: &[f32], k: usize) -> bool {
    let ([least_a, most_a], [least_b, most_b]) = (magnitudes(a), magnitudes(b));
    least_a * least_b >= f32::MIN_POSITIVE.into() && most_a * most_b * (k as f64) < LAST_BIT / 2.0
}

/// 2^104, the last bit of the largest f32.
const LAST_BIT: f64 = (1u128 << 104) as f64;

/// The least magnitude except 0, and the largest one; infinity if there is NaN.
fn magnitudes(numbers: &[f32]) -> [f64; 2] {
    let infinite = f32::INFINITY.to_bits() as i32;
    let [least, most] = numbers.iter().fold([infinite, 0], |[least, most], number| {
        let bits = number.abs().to_bits() as i32;
        let at_least = if bits == 0 { infinite } else { bits };
        [least.min(at_least), most.max(bits)]
    });
    [least, most.min(infinite)].map(|bits| f32::from_bits(bits as u32).into())
}

/// Like [`product`], with sums that have the bits of an f32 and the exponents of an f64, so that
/// only the result can be infinite or subnormal.
#[cold]
fn wide_product(a: &[f32], b: &[f32], [n, k]: [usize; 2], accumulators: &mut [f32]) {
    let mut sums = vec![0.0f64; n];
    for (a, accumulators) in a.chunks_exact(k).zip(accumulators.chunks_exact_mut(n)) {
        sums.iter_mut().zip(&*accumulators).for_each(|(sum, c)| *sum = f64::from(*c));
        for (a, b) in a.iter().zip(b.chunks_exact(n)) {
            let a = f64::from(*a);
            sums.iter_mut().zip(b).for_each(|(sum, b)| *sum = single(*sum + a * f64::from(*b)));
        }
        accumulators.iter_mut().zip(&sums).for_each(|(c, sum)| *c = *sum as f32);
    }
}

/// The nearest number with the 24 bits of an f32, in all exponents of f64; ties to even.
fn single(number: f64) -> f64 {
    let bits = number.to_bits();
    let half = (1 << (BELOW_SINGLE - 1)) - 1 + (bits >> BELOW_SINGLE & 1);
    f64::from_bits((bits + half) >> BELOW_SINGLE << BELOW_SINGLE)
}

/// Bits of an f64 below the last one of an f32.
const BELOW_SINGLE: u32 = 29;

/// `d[m,n] = end(d[m,n], begin(d[m,n]) + a[m,0] * b[0,n] + .. + a[m,k-1] * b[k-1,n])`,
/// from the left. K is a multiple of 4.
#[inline(always)]
fn product<T: Copy>(
    a: &[f32],
    b: &[f32],
    [n, k]: [usize; 2],
    accumulators: &mut [T],
    begin: impl Fn(T) -> f32,
    end: impl Fn(T, f32) -> T,
) {
    let mut row = vec![0.0f32; n];
    for (a, accumulators) in a.chunks_exact(k).zip(accumulators.chunks_exact_mut(n)) {
        row.iter_mut().zip(&*accumulators).for_each(|(to, from)| *to = begin(*from));
        for (a, b) in a.chunks_exact(4).zip(b.chunks_exact(4 * n)) {
            add_scaled(&mut row, a, b);
        }
        accumulators.iter_mut().zip(&row).for_each(|(to, sum)| *to = end(*to, *sum));
    }
}

/// Adds four rows of B, each times a number.
pub(super) fn add_scaled(accumulators: &mut [f32], a: &[f32], b: &[f32]) {
    let n = accumulators.len();
    let [a0, a1, a2, a3] = *a else { return };
    let ((b0, b1), (b2, b3)) = (b[..2 * n].split_at(n), b[2 * n..].split_at(n));
    for ((((sum, b0), b1), b2), b3) in accumulators.iter_mut().zip(b0).zip(b1).zip(b2).zip(b3) {
        *sum = *sum + a0 * b0 + a1 * b1 + a2 * b2 + a3 * b3;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;

    fn sum(a: &[f32], b: &[f32], c: f32) -> f32 {
        let mut sums = [c];
        plain([a, b], [1, a.len()], [Element::Bf16, Element::Bf16, Element::F32], None, &mut sums);
        sums[0]
    }

    #[test]
    fn products_beyond_f32_are_exact() {
        let [large, small] = [2f32.powi(100), 2f32.powi(-100)];
        assert_eq!(sum(&[large, -large, 1.0, 0.0], &[large, large, 1.0, 0.0], 1.0), 1.0);
        assert_eq!(sum(&[large, large, 0.0, 0.0], &[large, -large, 5.0, 0.0], 1.0), 0.0);
        assert_eq!(sum(&[large; 4], &[large; 4], 0.0), f32::INFINITY);
        assert_eq!(sum(&[1.0, -1.0, 0.0, 0.0], &[f32::MAX; 4], f32::MAX), f32::MAX);
        // 3 * 2^-151 four times is 3 times the least number; each alone would be the least one.
        let [a, b] = [[3.0 * small; 4], [2f32.powi(-51); 4]];
        assert_eq!(sum(&a, &b, 0.0).to_bits(), 3);
        assert_eq!(sum(&[f32::INFINITY, 0.0, 0.0, 0.0], &[1.0; 4], 1.0), f32::INFINITY);
        assert!(sum(&[f32::INFINITY, 0.0, 0.0, 0.0], &[0.0; 4], 1.0).is_nan());
        assert!(sum(&[f32::NAN, 1.0, 1.0, 1.0], &[large; 4], 1.0).is_nan());
    }

    /// Where f32 has all products and sums, both ways agree.
    #[test]
    fn wide_sums_are_those_of_f32() {
        let mut random = Rng::with_seed(5);
        let mut number = |exponents: i32| {
            let code = f32::from_bits(random.u32(..) & 0xffff_0000 & 0x807f_ffff | 0x3f80_0000);
            code * 2f32.powi(random.i32(-exponents..exponents))
        };
        for case in 0..2000 {
            let (a, b): (Vec<f32>, Vec<f32>) = (0..16).map(|_| (number(20), number(20))).unzip();
            let c = number(40);
            let mut wide = [c];
            wide_product(&a, &b, [1, 16], &mut wide);
            assert!(is_exact(&a, &b, 16), "{case}");
            assert_eq!(wide[0].to_bits(), sum(&a, &b, c).to_bits(), "{case}: {a:?} {b:?} {c}");
        }
    }
}
