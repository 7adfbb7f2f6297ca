//! Division by an invariant divisor with a multiplication and two shifts instead of a division. The
//! multiplier and the shifts are computed once from the divisor and then serve any dividend below
//! 2^31.

use crate::{
    error::{Error, Result},
    int::Int,
};

/// The multiplier and shifts for a 32-bit divisor.
///
/// ```text
/// l = ceil(log2 d),  multiplier = 2^32 * (2^l - d) / d + 1,  shifts = min(l, 1), max(l - 1, 0)
/// ```
///
/// ```
/// use cute_algebra::FastDivisor;
/// let by = FastDivisor::new(7)?;
/// assert_eq!((by.multiplier(), by.shifts()), (613566757, (1, 2)));
/// assert_eq!(by.divmod(&1000i64)?, (142, 6));
/// # Ok::<(), cute_algebra::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FastDivisor {
    divisor: u32,
    multiplier: u32,
    shifts: (u32, u32),
}

impl FastDivisor {
    /// Prepares a divisor in `[1, 2^32)`.
    pub fn new(divisor: i64) -> Result<Self> {
        let fail = || Error::Unsupported {
            what: "fast_divmod",
            why: format!("divisor {divisor} is not in [1, {}]", u32::MAX),
        };
        let d = u32::try_from(divisor).ok().filter(|d| *d > 0).ok_or_else(fail)?;
        let log = u32::BITS - (d - 1).leading_zeros();
        let wide = ((1u128 << 32) * ((1u128 << log) - u128::from(d))) / u128::from(d) + 1;
        let multiplier = u32::try_from(wide).expect("2^l < 2 * d, so the quotient is below 2^32");
        Ok(Self { divisor: d, multiplier, shifts: (log.min(1), log.saturating_sub(1)) })
    }

    /// The number to divide by.
    pub fn divisor(&self) -> u32 {
        self.divisor
    }

    /// The factor whose high half of the product is, after shifts, the quotient.
    pub fn multiplier(&self) -> u32 {
        self.multiplier
    }

    /// The two shifts.
    pub fn shifts(&self) -> (u32, u32) {
        self.shifts
    }

    /// Quotient and remainder of `n` in `[0, 2^31)`.
    ///
    /// ```text
    /// t = n * multiplier >> 32,  q = (t + ((n - t) >> shift0)) >> shift1,  r = n - q * d
    /// ```
    pub fn divmod<I: Int>(&self, n: &I) -> Result<(I, I)> {
        if let Some(n) = n.as_static().filter(|n| !(0..1 << 31).contains(n)) {
            let why = format!("{n} is not in [0, 2^31)");
            return Err(Error::Unsupported { what: "fast_divmod", why });
        }
        let number = |x: u32| I::from_i64(i64::from(x));
        let shift = |x: &I, by: u32| x.shift_left(-by.cast_signed());
        // Computes in 64 bits whatever the width of `n`, because a static operand that needs 64
        // bits widens the result.
        let beyond = I::from_i64(1 << 32);
        let wide = n.add(&beyond)?.sub(&beyond)?;
        let high = shift(&wide.mul(&number(self.multiplier))?, 32)?;
        let rest = shift(&n.sub(&high)?, self.shifts.0)?;
        let quotient = shift(&high.add(&rest)?, self.shifts.1)?;
        let remainder = n.sub(&quotient.mul(&number(self.divisor))?)?;
        Ok((quotient, remainder))
    }
}

#[cfg(test)]
mod tests {
    use super::FastDivisor;

    #[test]
    fn agrees_with_division() {
        let edges = [1i64, 2, 3, 5, 7, 10, 127, 128, 129, 641, 65535, 65536, 1 << 30, i64::from(i32::MAX)];
        let numbers = edges.iter().flat_map(|e| [e - 1, *e, e + 1]).chain([0, i64::from(i32::MAX)]);
        for n in numbers.filter(|n| (0..1 << 31).contains(n)) {
            for d in edges.iter().copied().chain([1 << 31, i64::from(u32::MAX)]) {
                assert_eq!(FastDivisor::new(d).unwrap().divmod(&n).unwrap(), (n / d, n % d), "{n} by {d}");
            }
        }
    }
}
