//! Hopper, a warp at a time: `mma.sync` on f64 in larger tiles.

use super::family::{Family, WARP};
use super::mma::Availability;
use crate::element::Element::{C64, F64};

const DOUBLE: Family = Family {
    name: "SM90_{m}x{n}x{k}_{D}{A}{B}{C}_TN",
    on: Availability::From(9, 0),
    // The complex ones are CUTLASS's, made of several real instructions.
    types: &[[F64; 4], [C64; 4]],
    ..WARP
};

pub(super) const MMA: &[Family] = &[
    Family { k: 4, a: "((4,8),2):((16,1),8)", b: "((4,8),1):((8,1),0)", ..DOUBLE },
    Family { k: 8, a: "((4,8),(2,2)):((16,1),(8,64))", b: "((4,8),2):((8,1),32)", ..DOUBLE },
    Family { k: 16, a: "((4,8),(2,4)):((16,1),(8,64))", b: "((4,8),4):((8,1),32)", ..DOUBLE },
];
