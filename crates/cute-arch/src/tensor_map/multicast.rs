//! Masks of the CTAs of a cluster that a load writes its box to.

use cute_algebra::{Coord, Crd, Layout, Tuple, crd2idx, error::Result, size, slice_and_offset};

/// The CTAs at a coordinate of a cluster, where `_` selects a whole mode, as the mask of a
/// multicast: bit i is CTA i.
///
/// ```
/// use cute_algebra::{parse_coord, parse_layout};
/// use cute_arch::tensor_map::multicast_mask;
/// let cluster = parse_layout("(1,2,4,1):(0,1,2,0)").unwrap().to_const().unwrap();
/// let coord = parse_coord("(0,1,_,0)").unwrap().map(|c| c.map(|i| i.as_static().unwrap()));
/// assert_eq!(multicast_mask(&cluster, &coord)?, 0b1010_1010);
/// # Ok::<(), cute_algebra::Error>(())
/// ```
pub fn multicast_mask(cluster: &Layout<i64>, coord: &Coord<i64>) -> Result<u16> {
    let (ctas, first) = slice_and_offset(coord, cluster)?;
    let first = *first.expect_int("multicast mask")?;
    let mut mask = 0;
    for i in 0..size(&ctas)? {
        let cta = crd2idx(&Tuple::leaf(Crd::Int(i)), &ctas)?;
        let bit = u32::try_from(first + *cta.expect_int("multicast mask")?).ok();
        mask |= bit.and_then(|bit| 1u16.checked_shl(bit)).unwrap_or(0);
    }
    Ok(mask)
}
