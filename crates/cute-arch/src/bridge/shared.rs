//! Shared memory: swizzles of the byte address, as CuTe writes them, and of elements, as placements have them.

use cute_algebra::{Error, Swizzle, error::Result, placement::StorageSwizzle};

/// The swizzle of an address in bytes as one of an index of elements of `bits`.
///
/// ```
/// use cute_arch::{bridge::storage_swizzle, smem::SmemSwizzle};
/// let half = storage_swizzle(SmemSwizzle::B128.swizzle(), 16)?;
/// assert_eq!(half.to_string(), "Swizzle(M=3, B=3, S=3, inner=true)");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
///
/// Fails on elements that it would tear.
pub fn storage_swizzle(swizzle: Swizzle, bits: i64) -> Result<StorageSwizzle> {
    // Bits that stay in place: of the address of a bit, then of an element.
    let unit = i64::from(swizzle.base()) + 3;
    if bits < 1 || bits.count_ones() != 1 || i64::from(bits.trailing_zeros()) > unit {
        let why = format!(
            "{swizzle} of bytes is none of elements of {bits} b: 2^n b, at most 2^{unit}, are needed"
        );
        return Err(Error::Unsupported { what: "swizzle of elements", why });
    }
    let (len, shift) = (i64::from(swizzle.bits()), i64::from(swizzle.shift()));
    StorageSwizzle::new(unit - i64::from(bits.trailing_zeros()), len, shift.abs(), shift >= 0)
}
