//! Ada: `mma.sync` on floats of 8 bits.

use crate::{
    atoms::{
        family::{MmaFamily, WARP},
        rows::common::{A_16X32, B_8X32, FP8},
    },
    feature::Feature,
};

pub(crate) const MMA: &[MmaFamily] = &[MmaFamily {
    name: "SM89_{m}x{n}x{k}_{D}{A}{B}{C}_TN",
    on: Feature::MmaFp8.on(),
    k: 32,
    types: FP8,
    a: A_16X32,
    b: B_8X32,
    ..WARP
}];
