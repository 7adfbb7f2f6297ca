//! [`StorageSwizzle`]: the swizzle of TIRx, in its own parameters. The computation itself is
//! [`Swizzle`]'s.

use std::fmt;

use super::error::{PlacementError, Result};
use cute_algebra::Swizzle;

/// `Swizzle(M, B, S, inner)`: after dropping the `M` low bits of an index, bits `[S, S+B)` are
/// XORed into bits `[0, B)` if `inner` is set, and the other way round if not. It equals `S<B,M,S>`
/// or `S<B,M,-S>`, and is its own inverse.
///
/// ```
/// use cute_placement::placement::StorageSwizzle;
/// let s = StorageSwizzle::new(3, 3, 3, true)?;
/// assert_eq!((s.apply(64)?, s.period(), s.to_swizzle()?.to_string()), (72, 512, "S<3,3,3>".to_string()));
/// # Ok::<(), cute_placement::PlacementError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StorageSwizzle {
    per_element: u8,
    swizzle_len: u8,
    atom_len: u8,
    inner: bool,
}

impl StorageSwizzle {
    /// The swizzle of these fields.
    ///
    /// Fails unless `M >= 0`, `B >= 0`, `S >= B`, and one period fits 62 bits.
    pub fn new(per_element: i64, swizzle_len: i64, atom_len: i64, inner: bool) -> Result<Self> {
        let bad = PlacementError::BadSwizzle { per_element, swizzle_len, atom_len };
        let small = |n: i64| u8::try_from(n).ok().filter(|n| *n <= 62);
        match (small(per_element), small(swizzle_len), small(atom_len)) {
            (Some(m), Some(b), Some(s)) if s >= b && m + b + s <= 62 => {
                Ok(Self { per_element: m, swizzle_len: b, atom_len: s, inner })
            }
            _ => bad.fail(),
        }
    }

    /// `M`: the number of low bits that stay.
    pub fn per_element(self) -> i64 {
        self.per_element.into()
    }

    /// `B`: the number of bits in each field.
    pub fn swizzle_len(self) -> i64 {
        self.swizzle_len.into()
    }

    /// `S`: the distance between the fields.
    pub fn atom_len(self) -> i64 {
        self.atom_len.into()
    }

    /// Whether the high field changes the low one.
    pub fn inner(self) -> bool {
        self.inner
    }

    /// The number of elements after which the swizzle repeats: `2^(M+B+S)`.
    pub fn period(self) -> i64 {
        1 << (self.per_element + self.swizzle_len + self.atom_len)
    }

    /// The same swizzle in CuTe's parameters.
    pub fn to_swizzle(self) -> Result<Swizzle> {
        let shift = if self.inner { self.atom_len() } else { -self.atom_len() };
        Ok(Swizzle::new(self.swizzle_len(), self.per_element(), shift)?)
    }

    /// The swizzled `index`.
    pub fn apply(self, index: i64) -> Result<i64> {
        Ok(self.to_swizzle()?.apply(&index)?)
    }

    /// The same swizzle for `2^bits` times as many elements, or fewer if `bits` is negative.
    pub(super) fn widened(self, bits: i64) -> Result<Self> {
        Self::new(self.per_element() + bits, self.swizzle_len(), self.atom_len(), self.inner)
    }
}

impl fmt::Display for StorageSwizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { per_element, swizzle_len, atom_len, inner } = self;
        write!(f, "Swizzle(M={per_element}, B={swizzle_len}, S={atom_len}, inner={inner})")
    }
}
