//! Ada: `mma.sync` on floats of 8 bits.

use super::family::{Family, WARP};
use crate::element::Element::{self, E4m3, E5m2, F16, F32};
use crate::feature::Feature;

/// A and B of 16 x 8 x 32, values of a byte.
pub(super) const A_16X32: &str = "((4,8),(4,2,2)):((64,1),(16,8,256))";
/// See [`A_16X32`].
pub(super) const B_8X32: &str = "((4,8),(4,2)):((32,1),(8,128))";

const FP8: &[[Element; 4]] = &[
    [F16, E4m3, E4m3, F16],
    [F16, E4m3, E5m2, F16],
    [F16, E5m2, E4m3, F16],
    [F16, E5m2, E5m2, F16],
    [F32, E4m3, E4m3, F32],
    [F32, E4m3, E5m2, F32],
    [F32, E5m2, E4m3, F32],
    [F32, E5m2, E5m2, F32],
];

pub(super) const MMA: &[Family] = &[Family {
    name: "SM89_{m}x{n}x{k}_{D}{A}{B}{C}_TN",
    on: Feature::MmaFp8.on(),
    k: 32,
    types: FP8,
    a: A_16X32,
    b: B_8X32,
    ..WARP
}];
