//! The place of a warp in its warpgroup.

use crate::lanes::GROUP;
use crate::machine::issuer::Issuer;

/// The warpgroup of a warp: the rank of its block, and its number in that.
#[inline]
pub(super) fn group_of(issuer: &Issuer) -> (u32, u32) {
    (issuer.block.rank, issuer.warp / GROUP as u32)
}

/// The number of a warp in its warpgroup.
#[inline]
pub(super) fn member_of(issuer: &Issuer) -> usize {
    issuer.warp as usize % GROUP
}
