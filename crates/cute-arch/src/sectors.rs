//! Sectors and lines of global memory: the units of 32 bytes in which one warp's access moves data,
//! and those of 128 bytes by which it asks for them.

/// Bytes of a sector.
pub const SECTOR: u64 = 32;
/// Bytes of a line of a cache.
pub const LINE: u64 = 128;

/// Sectors of 32 bytes that a warp's access of global memory touches, and how many its bytes need
/// at least.
///
/// `addresses` holds the byte address of each lane, bit `i` of `active` says whether lane `i` takes
/// part, and `bytes` is the width of a lane's access.
///
/// ```
/// use cute_arch::sectors::sectors;
/// // A column of f32: each lane touches a sector of its own, though 4 sectors could hold the data.
/// assert_eq!(sectors(&std::array::from_fn(|row| row as u64 * 128), u32::MAX, 4), (32, 4));
/// ```
pub fn sectors(addresses: &[u64; 32], active: u32, bytes: u64) -> (u64, u64) {
    units(addresses, active, bytes, SECTOR)
}

/// [`sectors`] for units of `unit` bytes, such as those of a [`LINE`].
pub fn units(addresses: &[u64; 32], active: u32, bytes: u64, unit: u64) -> (u64, u64) {
    let mut spans = [(0, 0); 32];
    let mut n = 0;
    for lane in (0..32).filter(|lane| active >> lane & 1 != 0) {
        spans[n] = (addresses[lane], addresses[lane].saturating_add(bytes));
        n += 1;
    }
    spans[..n].sort_unstable();
    let (mut touched, mut distinct) = (0, 0);
    let (mut next, mut end) = (0, 0);
    for (from, to) in &spans[..n] {
        distinct += to - end.clamp(*from, *to);
        end = end.max(*to);
        let (first, last) = ((from / unit).max(next), (to - 1) / unit);
        touched += (last + 1).saturating_sub(first);
        next = next.max(last + 1);
    }
    (touched, distinct.div_ceil(unit))
}

#[cfg(test)]
mod tests {
    use super::sectors;

    #[test]
    fn sectors_are_32_bytes_whoever_asks_for_them() {
        let at = |step: u64| -> [u64; 32] { std::array::from_fn(|i| i as u64 * step) };
        assert_eq!(sectors(&at(4), u32::MAX, 4), (4, 4));
        assert_eq!(sectors(&at(0), u32::MAX, 4), (1, 1));
        assert_eq!(sectors(&at(128), u32::MAX, 4), (32, 4));
        assert_eq!(sectors(&at(16), u32::MAX, 16), (16, 16));
        // One element past a sector's start: one sector more.
        assert_eq!(sectors(&at(4).map(|a| a + 4), u32::MAX, 4), (5, 4));
        assert_eq!(sectors(&at(4), 0b1001, 4), (1, 1));
    }
}
