//! Ada: `mma.sync` on floats of 8 bits.

use crate::{
    atoms::{
        family::{MmaFamily, WARP},
        rows::common::{A_16X32, B_8X32, FP8},
    },
    feature::Feature,
};

const ADA: MmaFamily =
    MmaFamily { name: "SM89_{m}x{n}x{k}_{D}{A}{B}{C}_TN", on: Feature::MmaFp8.on(), types: FP8, ..WARP };

pub(crate) const MMA: &[MmaFamily] = &[
    MmaFamily { k: 32, a: A_16X32, b: B_8X32, ..ADA },
    // CUTLASS has no atoms for half of K. The fragments are those of integers of 8 bits.
    MmaFamily { k: 16, a: "((4,8),(4,2)):((64,1),(16,8))", b: "((4,8),4):((32,1),8)", ..ADA },
];
