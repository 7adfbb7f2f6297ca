//! [`Swizzle`]: an involution on offsets that XORs one field of bits into another. Applied behind a
//! layout, it moves elements that would share a bank of memory into different banks, and keeps runs
//! of `2^M` elements together. `S<3,4,3>` XORs bits 7 to 9 of an offset into bits 4 to 6: 0x80
//! becomes 0x90.

use std::fmt;

use crate::{
    error::{Error, Result},
    int::Int,
};

/// `S<B,M,S>`: with `mask = (2^B - 1) << (M + max(S,0))`, an offset `x` becomes
/// `x ^ ((x & mask) >> S)`.
///
/// For positive `S` the source field is bits `[M+S, M+S+B)` and the field written is `[M, M+B)`;
/// for negative `S` the other way round. `|S| >= B`, so the fields are disjoint and the swizzle is
/// its own inverse.
///
/// ```
/// use cute_algebra::Swizzle;
/// let s = Swizzle::new(3, 4, 3)?;
/// assert_eq!(s.apply(&0x80i64)?, 0x90);
/// assert_eq!(s.apply(&0x90i64)?, 0x80);
/// assert_eq!(s.to_string(), "S<3,4,3>");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Swizzle {
    bits: u8,
    base: u8,
    shift: i8,
}

impl Swizzle {
    /// `S<0,4,3>`, the swizzle that changes nothing.
    pub const IDENTITY: Self = Self { bits: 0, base: 4, shift: 3 };

    /// The number of low bits of an offset that a swizzle can read and write.
    const WIDTH: i64 = 32;

    /// The swizzle `S<bits,base,shift>`.
    ///
    /// Without bits it is the identity, whatever its base and shift are. Fails unless `bits >= 0`,
    /// `base >= 0`, `|shift| >= bits` and both fields lie within 32 bits, as offsets in shared
    /// memory do.
    pub fn new(bits: i64, base: i64, shift: i64) -> Result<Self> {
        let bad = Error::BadSwizzle { bits, base, shift };
        let range = 0..=Self::WIDTH;
        if !range.contains(&bits) || !range.contains(&base) || !range.contains(&shift.saturating_abs()) {
            return Err(bad);
        }
        if shift.abs() < bits || base + shift.abs() + bits > Self::WIDTH {
            return Err(bad);
        }
        if bits == 0 {
            return Ok(Self::IDENTITY); // one function, one spelling
        }
        match (u8::try_from(bits), u8::try_from(base), i8::try_from(shift)) {
            (Ok(bits), Ok(base), Ok(shift)) => Ok(Self { bits, base, shift }),
            _ => Err(bad),
        }
    }

    /// Every swizzle whose fields lie within the lowest `bits` bits, the identity first, then by
    /// bits, shift and base.
    ///
    /// ```
    /// use cute_algebra::Swizzle;
    /// let all: Vec<_> = Swizzle::within(3).map(|s| s.to_string()).collect();
    /// assert_eq!(all, ["S<0,4,3>", "S<1,0,1>", "S<1,0,-1>", "S<1,1,1>", "S<1,1,-1>", "S<1,0,2>", "S<1,0,-2>"]);
    /// ```
    pub fn within(bits: i64) -> impl Iterator<Item = Self> {
        let proper = (1..=bits / 2).flat_map(move |b| {
            (b..=bits - b).flat_map(move |distance| {
                let bases = 0..=bits - b - distance;
                bases.flat_map(move |base| [distance, -distance].map(|shift| Self::new(b, base, shift)))
            })
        });
        std::iter::once(Self::IDENTITY).chain(proper.flatten())
    }

    /// The swizzle `S<bits,base,shift>` as a constant; the compiler makes the checks of
    /// [`new`](Self::new).
    ///
    /// ```
    /// use cute_algebra::Swizzle;
    /// const S: Swizzle = Swizzle::literal(3, 4, 3);
    /// assert_eq!(S, Swizzle::new(3, 4, 3).unwrap());
    /// ```
    pub const fn literal(bits: u8, base: u8, shift: i8) -> Self {
        let distance = shift.unsigned_abs();
        let width = Self::WIDTH as u64;
        assert!(bits > 0 && distance >= bits && bits as u64 + base as u64 + distance as u64 <= width);
        Self { bits, base, shift }
    }

    /// The swizzle that reads the bits of `source` and writes the bits of `target`; `None` unless
    /// both are fields of neighbouring bits with the same number of bits.
    pub(crate) fn between(source: i64, target: i64) -> Option<Self> {
        if source == 0 && target == 0 {
            return Some(Self::IDENTITY);
        }
        let lowest = |mask: i64| i64::from(mask.trailing_zeros());
        let (y, z) = (lowest(source), lowest(target));
        let swizzle = Self::new(source.count_ones().into(), y.min(z), y - z).ok()?;
        (swizzle.source_mask() == source && swizzle.target_mask() == target).then_some(swizzle)
    }

    /// `B`: the number of bits in each field.
    pub fn bits(self) -> u32 {
        self.bits.into()
    }

    /// `M`: the lowest bit of the lower field.
    pub fn base(self) -> u32 {
        self.base.into()
    }

    /// `S`: the distance from the field written to the source field.
    pub fn shift(self) -> i32 {
        self.shift.into()
    }

    /// Whether it changes nothing.
    pub fn is_identity(self) -> bool {
        self.bits == 0
    }

    /// The bits that are read.
    pub fn source_mask(self) -> i64 {
        self.field(self.base() + u32::from(self.shift.max(0).unsigned_abs()))
    }

    /// The bits that are written.
    pub fn target_mask(self) -> i64 {
        self.field(self.base() + u32::from(self.shift.min(0).unsigned_abs()))
    }

    /// The power of two above every bit that is read or written. Multiples of it pass through:
    /// `S(x + k * period) = S(x) + k * period`.
    ///
    /// ```
    /// use cute_algebra::Swizzle;
    /// let s = Swizzle::new(3, 4, 3)?;
    /// assert_eq!(s.period(), 1024);
    /// assert_eq!(s.apply(&(0x80i64 - 3 * 1024))?, s.apply(&0x80i64)? - 3 * 1024);
    /// assert_eq!(Swizzle::IDENTITY.period(), 1);
    /// # Ok::<(), cute_algebra::Error>(())
    /// ```
    pub fn period(self) -> i64 {
        1 << (i64::BITS - (self.source_mask() | self.target_mask()).leading_zeros())
    }

    fn field(self, lowest: u32) -> i64 {
        ((1i64 << self.bits) - 1) << lowest
    }

    /// `offset ^ ((offset & source_mask) >> shift)`.
    pub fn apply<I: Int>(self, offset: &I) -> Result<I> {
        if self.is_identity() {
            return Ok(offset.clone());
        }
        offset.xor(&offset.and(self.source_mask())?.shift_left(-self.shift())?)
    }
}

impl fmt::Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "S<{},{},{}>", self.bits, self.base, self.shift)
    }
}
