//! Blackwell of the desktop: `mma.sync` on any two floats of 8, 6 and 4 bits, each in a byte.

use super::family::{Family, WARP};
use super::mma::Availability;
use super::sm89::{A_16X32, B_8X32};
use crate::element::Element::{self, E2m1, E2m3, E3m2, E4m3, E5m2, F16, F32};
use crate::target::Target;

/// All pairs with accumulators of one type.
const fn pairs(c: Element) -> [[Element; 4]; 25] {
    let formats = [E4m3, E5m2, E3m2, E2m3, E2m1];
    let mut all = [[c; 4]; 25];
    let mut i = 0;
    while i < 25 {
        all[i] = [c, formats[i / 5], formats[i % 5], c];
        i += 1;
    }
    all
}

const BYTE: Family = Family {
    name: "SM120_{m}x{n}x{k}_TN<{a_t},{b_t},{c_t}>",
    on: Availability::Only(&[Target::Sm120a]),
    k: 32,
    container: Some(8),
    a: A_16X32,
    b: B_8X32,
    ..WARP
};

pub(super) const MMA: &[Family] =
    &[Family { types: &pairs(F32), ..BYTE }, Family { types: &pairs(F16), ..BYTE }];
