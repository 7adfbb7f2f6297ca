//! Accumulators of MMAs of tiles, rounded as [`wgmma`](super::wgmma) describes.

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

/// A product of matrices (M,K) and (N,K), whose sums have this type.
#[derive(Debug, Clone, Copy)]
pub(super) struct MatrixProduct {
    pub(super) d: Element,
    /// Accumulators of integers are clamped.
    pub(super) saturates: bool,
    pub(super) n: usize,
    pub(super) k: usize,
}

impl MatrixProduct {
    /// Adds the MMA to the accumulators, or with `fresh` replaces them by it. A is stored row after
    /// row, B along N for each of K.
    pub(super) fn add(self, a: &[f32], b: &[f32], fresh: bool, accumulators: &mut Accumulators) {
        let MatrixProduct { d, saturates, n, k } = self;
        match accumulators {
            Accumulators::Float(values) if d == Element::F16 => {
                let begin = |c| if fresh { 0.0 } else { c };
                product(a, b, [n, k], values, begin, |_, sum| f16::from_f32(sum).to_f32());
            }
            Accumulators::Float(values) if fresh => product(a, b, [n, k], values, |_| 0.0, |_, sum| sum),
            Accumulators::Float(values) => product(a, b, [n, k], values, |c| c, |_, sum| sum),
            // Sums of one instruction's products are below 2^24.
            Accumulators::Int(values) => {
                let end = |c: i32, sum| match (if fresh { 0 } else { c }, sum as i32) {
                    (c, sum) if saturates => c.saturating_add(sum),
                    (c, sum) => c.wrapping_add(sum),
                };
                product(a, b, [n, k], values, |_| 0.0, end);
            }
        }
    }
}
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
