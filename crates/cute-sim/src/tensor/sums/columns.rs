//! The sums of a window for a whole row of the result.
//!
//! Products are computed in f32, which is exact: elements have at most 11 significant bits. Times
//! 2^-q they are below 2^27, and a conversion to integers of 32 bits cuts them. 16 of them fit into
//! an integer of 32 bits. Sums that need more exponents than f32 has are left to
//! [`window`](super::window).

use super::number::{NOTHING, SPECIAL, ZERO, cut, least, odd};
use super::rule::Window;
use cute_arch::Element;
use half::f16;
use wide::{bytemuck, f32x4, i32x4};

/// Products that are below 2^27, and whose sum is below 2^31.
const PART: usize = 16;

/// Exponents within which f32 has each product, and each power of 2 that it is multiplied by.
const LEAST: i32 = -100;
const MOST: i32 = 125;

/// Room for the sums of a row.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// The largest exponents of products, and the powers of 2 that these are times; the exponents
    /// of C, as f32 encodes them.
    tops: Vec<i16>,
    wide_tops: Vec<i32>,
    factors: Vec<i32>,
    exponents: Vec<i32>,
    /// The exponents of the next three, as f32 encodes them.
    encoded: [Vec<i32>; 3],
    /// 2^-q for products, and for C.
    scales: Vec<f32>,
    scales_of_c: Vec<f32>,
    /// 2^q.
    units: Vec<f32>,
    /// Sums of products, in units.
    sums: Vec<i32>,
    totals: Vec<f64>,
    /// Columns that are left out.
    left: Vec<usize>,
}

/// One row of A times B in a window, with the exponents of their elements. B is stored along N for
/// each of K.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) a: &'a [f32],
    pub(super) of_a: &'a [i16],
    pub(super) b: &'a [f32],
    pub(super) of_b: &'a [i16],
}

/// The exponents as f32 encodes them, or 0 where none is wanted or f32 has no such normal number.
#[inline(always)]
fn encoded(exponents: i32x4, are_wanted: i32x4) -> [i32; 4] {
    let are_normal = exponents.simd_gt(i32x4::splat(-127)) & exponents.simd_lt(i32x4::splat(128));
    ((exponents + i32x4::splat(127)) & are_wanted & are_normal).to_array()
}

/// The powers of 2 with these encoded exponents. Shifts by a constant are as fast only here, where
/// the compiler itself does several numbers at once.
fn powers(powers: &mut Vec<f32>, encoded: &[i32]) {
    powers.clear();
    powers.extend(encoded.iter().map(|exponent| f32::from_bits((*exponent as u32) << 23)));
}

impl Columns {
    /// Adds the products of a row to C, of the type `d`. Products of column j are times
    /// 2^`scale`(j). Returns the columns that are left to do.
    #[inline]
    pub(super) fn add(
        &mut self,
        window: &Window,
        row: Row<'_>,
        scale: impl Fn(usize) -> i32,
        c: &mut [f32],
        d: Element,
    ) -> &[usize] {
        let n = c.len();
        self.find_tops(row, n);
        self.find_scales(window, scale, c, least(d).into());
        if self.left.len() == n {
            return &self.left;
        }
        // Units of C first, whose sum with those of products may need more than 32 bits.
        self.sums.resize(n, 0);
        let of_c = self.sums.chunks_exact_mut(4).zip(c.chunks_exact(4)).zip(self.scales_of_c.chunks_exact(4));
        for ((sum, c), scale) in of_c {
            sum.copy_from_slice(&(four(c) * four(scale)).fast_trunc_int().to_array());
        }
        self.totals.clear();
        self.totals.extend(self.sums.iter().map(|units| f64::from(*units)));
        for (a, b) in row.a.chunks(PART).zip(row.b.chunks(PART * n)) {
            self.sums.clear();
            self.sums.resize(n, 0);
            add_units(&mut self.sums, &self.scales, a, b);
            self.totals.iter_mut().zip(&self.sums).for_each(|(total, sum)| *total += f64::from(*sum));
        }
        self.round(window, c, d);
        &self.left
    }

    /// The powers of 2 of each column, and the columns that are left out, four at a time.
    #[inline(always)]
    fn find_scales(&mut self, window: &Window, scale: impl Fn(usize) -> i32, c: &[f32], least: i32) {
        let n = c.len();
        self.encoded.iter_mut().for_each(|encoded| encoded.resize(n, 0));
        self.left.clear();
        // Loads of four adjacent numbers are one instruction, but numbers that were stored one by
        // one cannot be loaded together at once.
        self.wide_tops.clear();
        self.wide_tops.extend(self.tops.iter().map(|top| i32::from(*top)));
        self.factors.clear();
        self.factors.extend((0..n).map(scale));
        self.exponents.clear();
        self.exponents.extend(c.iter().map(|c| (c.to_bits() >> 23 & 0xff) as i32));
        let Window { below, floor, keeps_zero, .. } = *window;
        let all = i32x4::splat;
        let (zero, special, least) = (all(ZERO.into()), all(SPECIAL.into()), all(least));
        let keeps_zero = all(-i32::from(keeps_zero));
        let given = c.chunks_exact(4).zip(self.exponents.chunks_exact(4));
        let given = given.zip(self.wide_tops.chunks_exact(4).zip(self.factors.chunks_exact(4)));
        let [of_products, of_c, units] = &mut self.encoded;
        let found = of_products.chunks_exact_mut(4).zip(of_c.chunks_exact_mut(4));
        let found = found.zip(units.chunks_exact_mut(4));
        let each = given.zip(found).enumerate();
        for (i, (((c, exponents), (tops, factors)), ((of_products, of_c), units))) in each {
            let (top, scale) = (four_integers(tops), four_integers(factors));
            let (exponents, words): (i32x4, i32x4) = (four_integers(exponents), bytemuck::cast(four(c)));
            let own = exponents.simd_eq(all(255)).bitselect(special, (exponents - all(127)).max(least));
            let own = (words + words).simd_eq(all(0)).bitselect(zero, own);
            let have_products = top.simd_gt(all(NOTHING));
            let largest = own.max(have_products.bitselect(top + scale, zero));
            let (are_some, end) = (largest.simd_gt(all(NOTHING)), largest.max(all(floor)));
            let fit = top.simd_lt(all(MOST + 1)) & end.simd_gt(all(LEAST - 1)) & end.simd_lt(all(MOST + 1));
            let (are_in, below) = (fit & are_some, all(below) - end);
            of_c.copy_from_slice(&encoded(below, are_in));
            // Without a product there may be anything.
            of_products.copy_from_slice(&encoded(below + scale, are_in & have_products));
            units.copy_from_slice(&encoded(all(0) - below, are_in));
            let are_kept = keeps_zero & words.simd_lt(all(0));
            let left = are_some.bitselect(!fit, are_kept);
            if left.any() {
                let left = left.to_array().into_iter().enumerate().filter(|(_, left)| *left != 0);
                self.left.extend(left.map(|(j, _)| 4 * i + j));
            }
        }
        let [of_products, of_c, units] = &self.encoded;
        powers(&mut self.scales, of_products);
        powers(&mut self.scales_of_c, of_c);
        powers(&mut self.units, units);
    }

    /// The largest exponent of a product, for each column.
    #[inline]
    fn find_tops(&mut self, row: Row<'_>, n: usize) {
        self.tops.clear();
        self.tops.resize(n, i16::MIN);
        for (a, b) in row.of_a.chunks_exact(4).zip(row.of_b.chunks_exact(4 * n)) {
            let [a0, a1, a2, a3] = *a else { continue };
            let ((b0, b1), (b2, b3)) = (b[..2 * n].split_at(n), b[2 * n..].split_at(n));
            for ((((top, b0), b1), b2), b3) in self.tops.iter_mut().zip(b0).zip(b1).zip(b2).zip(b3) {
                let of = |a: i16, b: &i16| a.wrapping_add(*b);
                *top = (*top).max(of(a0, b0)).max(of(a1, b1)).max(of(a2, b2)).max(of(a3, b3));
            }
        }
    }

    /// Rounds the totals to C, except where columns are left.
    #[inline]
    fn round(&self, window: &Window, c: &mut [f32], d: Element) {
        let fraction = window.fraction;
        match d {
            Element::F16 => {
                self.each(c, |total, unit| f16::from_f32(odd(total) as f32 * unit).to_f32() + 0.0)
            }
            _ => self.each(c, |total, unit| cut(total, fraction) as f32 * unit),
        }
    }

    #[inline(always)]
    fn each(&self, c: &mut [f32], rounded: impl Fn(f64, f32) -> f32) {
        let each = c.iter_mut().zip(&self.totals).zip(&self.units);
        if self.left.is_empty() {
            each.for_each(|((c, total), unit)| *c = rounded(*total, *unit));
            return;
        }
        let mut left = self.left.iter().peekable();
        for (j, ((c, total), unit)) in each.enumerate() {
            if left.next_if_eq(&&j).is_none() {
                *c = rounded(*total, *unit);
            }
        }
    }
}

/// Adds the cut products of four or more k to the sums of all columns. N is a multiple of 4.
#[inline]
fn add_units(sums: &mut [i32], scales: &[f32], a: &[f32], b: &[f32]) {
    let n = sums.len();
    for (a, b) in a.chunks_exact(4).zip(b.chunks_exact(4 * n)) {
        let [a0, a1, a2, a3] = [a[0], a[1], a[2], a[3]].map(f32x4::splat);
        let ((b0, b1), (b2, b3)) = (b[..2 * n].split_at(n), b[2 * n..].split_at(n));
        let columns = sums.chunks_exact_mut(4).zip(scales.chunks_exact(4));
        let columns = columns.zip(b0.chunks_exact(4)).zip(b1.chunks_exact(4));
        for (((((sum, scale), b0), b1), b2), b3) in columns.zip(b2.chunks_exact(4)).zip(b3.chunks_exact(4)) {
            let scale = four(scale);
            let units = |a: f32x4, b: &[f32]| (a * four(b) * scale).fast_trunc_int();
            let [x, y, z, w] = [units(a0, b0), units(a1, b1), units(a2, b2), units(a3, b3)];
            let own = i32x4::from([sum[0], sum[1], sum[2], sum[3]]);
            sum.copy_from_slice(&((own + x) + (y + z) + w).to_array());
        }
    }
}

#[inline(always)]
fn four_integers(numbers: &[i32]) -> i32x4 {
    i32x4::from([numbers[0], numbers[1], numbers[2], numbers[3]])
}

#[inline(always)]
fn four(numbers: &[f32]) -> f32x4 {
    f32x4::from([numbers[0], numbers[1], numbers[2], numbers[3]])
}
