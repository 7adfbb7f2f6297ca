//! Accumulators of MMAs of tiles, rounded as [`wgmma`](super::wgmma) describes.

use cute_arch::Element;
use half::f16;

/// The accumulators of a matrix, row after row.
#[derive(Debug, Clone, PartialEq)]
pub enum Sums {
    /// Floats, already rounded to the accumulator's type.
    Float(Vec<f32>),
    /// Integers.
    Int(Vec<i32>),
}

impl Sums {
    /// A number of accumulators of this type that are all zero.
    pub fn zero(d: Element, count: usize) -> Self {
        if d == Element::S32 { Sums::Int(vec![0; count]) } else { Sums::Float(vec![0.0; count]) }
    }

    /// The code of a sum of this type.
    pub fn code(&self, d: Element, place: usize) -> u32 {
        match (self, d) {
            (Sums::Int(sums), _) => sums[place] as u32,
            (Sums::Float(sums), Element::F16) if sums[place].is_nan() => 0x7fff,
            (Sums::Float(sums), Element::F16) => f16::from_f32(sums[place]).to_bits().into(),
            (Sums::Float(sums), _) if sums[place].is_nan() => 0x7fff_ffff,
            (Sums::Float(sums), _) => sums[place].to_bits(),
        }
    }

    /// Whether they are equal, bit by bit.
    pub fn is_same(&self, other: &Sums) -> bool {
        match (self, other) {
            (Sums::Float(one), Sums::Float(other)) => {
                one.iter().zip(other).all(|(one, other)| one.to_bits() == other.to_bits())
            }
            (one, other) => one == other,
        }
    }

    /// Divides accumulators of floats by a power of 2, and rounds them to halves.
    pub fn scale_down(&mut self, halves: bool, power: u32) {
        let Sums::Float(sums) = self else { return };
        let by = (-f64::from(power)).exp2() as f32;
        for sum in sums {
            *sum = if halves { f16::from_f32(*sum * by).to_f32() } else { *sum * by };
        }
    }

    /// Sets a sum of this type from its code.
    pub fn set_code(&mut self, d: Element, place: usize, code: u32) {
        match (self, d) {
            (Sums::Int(sums), _) => sums[place] = code as i32,
            (Sums::Float(sums), Element::F16) => sums[place] = f16::from_bits(code as u16).to_f32(),
            (Sums::Float(sums), _) => sums[place] = f32::from_bits(code),
        }
    }
}

/// A product of matrices (M,K) and (N,K), whose sums have this type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Product {
    pub(super) d: Element,
    /// Accumulators of integers are clamped.
    pub(super) saturates: bool,
    pub(super) n: usize,
    pub(super) k: usize,
}

impl Product {
    /// Adds the MMA to the accumulators, or with `fresh` replaces them by it. A is stored row after
    /// row, B along N for each of K.
    pub(super) fn add(self, a: &[f32], b: &[f32], fresh: bool, sums: &mut Sums) {
        let Product { d, saturates, n, k } = self;
        match sums {
            Sums::Float(sums) if d == Element::F16 => {
                let begin = |c| if fresh { 0.0 } else { c };
                product(a, b, [n, k], sums, begin, |_, sum| f16::from_f32(sum).to_f32());
            }
            Sums::Float(sums) if fresh => product(a, b, [n, k], sums, |_| 0.0, |_, sum| sum),
            Sums::Float(sums) => product(a, b, [n, k], sums, |c| c, |_, sum| sum),
            // Sums of one instruction's products are below 2^24.
            Sums::Int(sums) => {
                let end = |c: i32, sum| match (if fresh { 0 } else { c }, sum as i32) {
                    (c, sum) if saturates => c.saturating_add(sum),
                    (c, sum) => c.wrapping_add(sum),
                };
                product(a, b, [n, k], sums, |_| 0.0, end);
            }
        }
    }
}
/// `sums[m,n] = end(sums[m,n], begin(sums[m,n]) + a[m,0] * b[0,n] + .. + a[m,k-1] * b[k-1,n])`,
/// from the left. K is a multiple of 4.
#[inline(always)]
fn product<T: Copy>(
    a: &[f32],
    b: &[f32],
    [n, k]: [usize; 2],
    sums: &mut [T],
    begin: impl Fn(T) -> f32,
    end: impl Fn(T, f32) -> T,
) {
    let mut row = vec![0.0f32; n];
    for (a, sums) in a.chunks_exact(k).zip(sums.chunks_exact_mut(n)) {
        row.iter_mut().zip(&*sums).for_each(|(to, from)| *to = begin(*from));
        for (a, b) in a.chunks_exact(4).zip(b.chunks_exact(4 * n)) {
            add_scaled(&mut row, a, b);
        }
        sums.iter_mut().zip(&row).for_each(|(to, sum)| *to = end(*to, *sum));
    }
}

/// Adds four rows of B, each times a number.
fn add_scaled(sums: &mut [f32], a: &[f32], b: &[f32]) {
    let n = sums.len();
    let [a0, a1, a2, a3] = *a else { return };
    let ((b0, b1), (b2, b3)) = (b[..2 * n].split_at(n), b[2 * n..].split_at(n));
    for ((((sum, b0), b1), b2), b3) in sums.iter_mut().zip(b0).zip(b1).zip(b2).zip(b3) {
        *sum = *sum + a0 * b0 + a1 * b1 + a2 * b2 + a3 * b3;
    }
}
