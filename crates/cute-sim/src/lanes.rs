//! The lanes of a warp: their sets and their values.

use cute_arch::WARP;

/// Warps of a warpgroup.
pub(crate) const GROUP: usize = 4;

/// A register of a warp.
pub(crate) type Lanes = [u64; WARP as usize];

/// The members of a set.
pub(crate) fn lanes_of(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lane = (mask != 0).then(|| mask.trailing_zeros())?;
        mask &= mask - 1;
        Some(lane)
    })
}

/// The lanes in which a bit is set.
pub(crate) fn mask_of(bits: &Lanes) -> u32 {
    bits.iter().enumerate().fold(0, |m, (lane, bit)| m | ((bit & 1) as u32) << lane)
}
