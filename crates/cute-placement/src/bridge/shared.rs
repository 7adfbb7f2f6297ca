//! Shared memory: swizzles of the byte address, as in CuTe, and of elements, as in placements.

use crate::{
    Placement,
    placement::{Result, StorageSwizzle},
};
use cute_algebra::{AnyLayout, ComposedLayout, Error, LayoutLike, Swizzle};

/// The swizzle of an address in bytes as one of an index of elements of `bits`.
///
/// ```
/// use cute_arch::smem::SmemSwizzle;
/// use cute_placement::bridge::storage_swizzle;
/// let half = storage_swizzle(SmemSwizzle::B128.swizzle(), 16)?;
/// assert_eq!(half.to_string(), "Swizzle(M=3, B=3, S=3, inner=true)");
/// # Ok::<(), cute_placement::PlacementError>(())
/// ```
///
/// Returns an error for elements that it would split.
pub fn storage_swizzle(swizzle: Swizzle, bits: i64) -> Result<StorageSwizzle> {
    // The number of bits that stay in place: of the address of a bit, then of an element.
    let unit = i64::from(swizzle.base()) + 3;
    if bits < 1 || bits.count_ones() != 1 || i64::from(bits.trailing_zeros()) > unit {
        let why = format!(
            "{swizzle} of bytes is not a swizzle of elements of {bits} b: 2^n b, at most 2^{unit}, are needed"
        );
        return Err(Error::Unsupported { what: "swizzle of elements", why }.into());
    }
    let (len, shift) = (i64::from(swizzle.bits()), i64::from(swizzle.shift()));
    StorageSwizzle::new(unit - i64::from(bits.trailing_zeros()), len, shift.abs(), shift >= 0)
}

/// The placement of a tensor of elements of `bits` whose dimensions are the modes of `layout`,
/// under the swizzle of the byte address that CuTe prints before it.
///
/// ```
/// use cute_arch::{atoms::Major, smem::SmemSwizzle};
/// use cute_placement::bridge::{from_shared_memory, to_shared_memory};
/// let block = SmemSwizzle::B128.block(Major::K, 16)?;
/// let placed = from_shared_memory(&block.clone().simplify(), 16)?;
/// assert_eq!(placed.to_string(), "Swizzle(M=3, B=3, S=3, inner=true) o S[(8, 64) : (64@m, 1@m)]");
/// assert_eq!(to_shared_memory(&placed, &[8, 64], 16)?.to_string(), block.to_string());
/// # Ok::<(), cute_placement::PlacementError>(())
/// ```
pub fn from_shared_memory(layout: &AnyLayout<i64>, bits: i64) -> Result<Placement> {
    let fail = |why: String| Err(Error::Unsupported { what: "placement in shared memory", why }.into());
    let placement = Placement::from_layout_of(layout.outer())?;
    let Some(composed) = layout.as_composed() else { return Ok(placement) };
    if composed.offset().leaves().iter().any(|offset| *offset != 0) {
        return fail(format!("{composed} has an offset between layout and swizzle"));
    }
    match composed.swizzle() {
        Some(swizzle) => placement.swizzled(storage_swizzle(swizzle, bits)?),
        None => fail(format!("{composed} has no swizzle in front")),
    }
}

/// The layout of a placement along `m` of elements of `bits`, with one mode per dimension of
/// `shape`, under the swizzle of the byte address. This is the inverse of [`from_shared_memory`].
///
/// Returns an error for other axes, for copies, and for an offset.
pub fn to_shared_memory(placement: &Placement, shape: &[i64], bits: i64) -> Result<AnyLayout<i64>> {
    let fail = |why: String| Err(Error::Unsupported { what: "layout of shared memory", why }.into());
    if !placement.replica().is_empty() || placement.offset().iter().any(|(_, at)| at != 0) {
        return fail(format!("{placement}: copies and an offset are not strides"));
    }
    let tile = Placement::new(placement.shard().to_vec(), Vec::new(), Default::default())?;
    let outer = tile.to_layout_of(shape)?;
    if outer.has_basis() {
        return fail(format!("{placement} lies along other axes than m"));
    }
    let Some(swizzle) = placement.swizzle() else { return Ok(AnyLayout::Plain(outer)) };
    let base = swizzle.per_element() + i64::from(bits.trailing_zeros()) - 3;
    if bits < 1 || bits.count_ones() != 1 || base < 0 {
        return fail(format!("{swizzle} of elements of {bits} b is not a swizzle of bytes"));
    }
    let shift = if swizzle.inner() { swizzle.atom_len() } else { -swizzle.atom_len() };
    let swizzle = Swizzle::new(swizzle.swizzle_len(), base, shift)?;
    Ok(ComposedLayout::swizzled(swizzle, outer).simplify())
}
