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
use wide::{f32x4, i32x4};

/// Products that are below 2^27, and whose sum is below 2^31.
const PART: usize = 16;

/// Exponents within which f32 has each product, and each power of 2 that it is multiplied by.
const LEAST: i32 = -100;
const MOST: i32 = 125;

/// Room for the sums of a row.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// The largest exponents of products.
    tops: Vec<i16>,
    /// 2^-q for products, and for C.
    scales: Vec<f32>,
    scales_of_c: Vec<f32>,
    /// 2^q.
    units: Vec<f32>,
    /// Sums of products, in units.
    sums: Vec<i32>,
    totals: Vec<f64>,
    /// Columns that are left out.
    is_left: Vec<bool>,
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

/// 2^`exponent`, or 0 if that is not wanted or f32 has no such normal number.
#[inline(always)]
fn power(exponent: i32, is_wanted: bool) -> f32 {
    let is_normal = (-126..=127).contains(&exponent);
    f32::from_bits(if is_wanted & is_normal { (exponent.wrapping_add(127) as u32) << 23 } else { 0 })
}

impl Columns {
    /// Adds the products of a row to C, of the type `d`. Products of column j are times
    /// 2^`scale`(j). Returns the columns that are left to do.
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
        self.left.clear();
        if self.is_left.contains(&true) {
            self.left.extend((0..n).filter(|j| self.is_left[*j]));
            if self.left.len() == n {
                return &self.left;
            }
        }
        self.totals.resize(n, 0.0);
        let of_c =
            self.totals.chunks_exact_mut(4).zip(c.chunks_exact(4)).zip(self.scales_of_c.chunks_exact(4));
        for ((total, c), scale) in of_c {
            let units = (four(c) * four(scale)).fast_trunc_int().to_array();
            total.copy_from_slice(&units.map(f64::from));
        }
        for (a, b) in row.a.chunks(PART).zip(row.b.chunks(PART * n)) {
            self.sums.clear();
            self.sums.resize(n, 0);
            add_units(&mut self.sums, &self.scales, a, b);
            self.totals.iter_mut().zip(&self.sums).for_each(|(total, sum)| *total += f64::from(*sum));
        }
        self.round(window, c, d);
        &self.left
    }

    /// The powers of 2 of each column, and the columns that are left out. Without branches, and
    /// without checks of overflow, which does not happen, so that several columns are done at once.
    #[inline(always)]
    fn find_scales(&mut self, window: &Window, scale: impl Fn(usize) -> i32, c: &[f32], least: i32) {
        let n = c.len();
        self.scales.resize(n, 0.0);
        self.scales_of_c.resize(n, 0.0);
        self.units.resize(n, 0.0);
        self.is_left.resize(n, false);
        let Window { below, floor, keeps_zero, .. } = *window;
        let given = c.iter().zip(&self.tops);
        let found = self.scales.iter_mut().zip(&mut self.scales_of_c).zip(&mut self.units);
        let found = found.zip(&mut self.is_left).enumerate();
        for ((c, top), (j, (((of_products, of_c), unit), is_left))) in given.zip(found) {
            let (top, scale) = (i32::from(*top), scale(j));
            let bits = c.to_bits() << 1;
            let encoded = (bits >> 24) as i32;
            let own = if encoded == 255 { SPECIAL.into() } else { encoded.wrapping_sub(127).max(least) };
            let own = if bits == 0 { ZERO.into() } else { own };
            let has_products = top > NOTHING;
            let largest = own.max(if has_products { top.wrapping_add(scale) } else { ZERO.into() });
            let (is_zero, end) = (largest <= NOTHING, largest.max(floor));
            let fits = (top <= MOST) & (LEAST..=MOST).contains(&end);
            let is_kept = keeps_zero & c.is_sign_negative();
            *is_left = (is_zero & is_kept) | (!fits & !is_zero);
            let (is_in, below) = (fits & !is_zero, below.wrapping_sub(end));
            *of_c = power(below, is_in);
            // Without a product there may be anything.
            *of_products = power(below.wrapping_add(scale), is_in & has_products);
            *unit = power(below.wrapping_neg(), is_in);
        }
    }

    /// The largest exponent of a product, for each column.
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
    fn round(&self, window: &Window, c: &mut [f32], d: Element) {
        if self.left.is_empty() && d != Element::F16 {
            for ((c, total), unit) in c.iter_mut().zip(&self.totals).zip(&self.units) {
                *c = cut(*total, window.fraction) as f32 * unit;
            }
            return;
        }
        let mut left = self.left.iter().copied().peekable();
        let each = c.iter_mut().zip(&self.totals).zip(&self.units).enumerate();
        if d == Element::F16 {
            for (j, ((c, total), unit)) in each {
                if left.next_if_eq(&j).is_none() {
                    *c = f16::from_f32(odd(*total) as f32 * unit).to_f32() + 0.0;
                }
            }
            return;
        }
        for (j, ((c, total), unit)) in each {
            if left.next_if_eq(&j).is_none() {
                *c = cut(*total, window.fraction) as f32 * unit;
            }
        }
    }
}

/// Adds the cut products of four or more k to the sums of all columns. N is a multiple of 4.
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
fn four(numbers: &[f32]) -> f32x4 {
    f32x4::from([numbers[0], numbers[1], numbers[2], numbers[3]])
}
