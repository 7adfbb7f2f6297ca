//! Hopper, a warp at a time: `mma.sync` on f64 in larger tiles.

use super::family::{Family, WARP};
use super::mma::Instruction;
use crate::element::Element::{C64, F64};
use crate::feature::Feature;

const DOUBLE: Family = Family {
    name: "SM90_{m}x{n}x{k}_{D}{A}{B}{C}_TN",
    on: Feature::MmaLargeF64.on(),
    types: &[[F64; 4]],
    ..WARP
};
const K4: Family = Family { k: 4, a: "((4,8),2):((16,1),8)", b: "((4,8),1):((8,1),0)", ..DOUBLE };
const K8: Family = Family { k: 8, a: "((4,8),(2,2)):((16,1),(8,64))", b: "((4,8),2):((8,1),32)", ..DOUBLE };
const K16: Family = Family { k: 16, a: "((4,8),(2,4)):((16,1),(8,64))", b: "((4,8),4):((8,1),32)", ..DOUBLE };

/// The same of complex numbers.
const fn complex(real: Family) -> Family {
    Family { types: &[[C64; 4]], instruction: Instruction::Complex, ..real }
}

pub(super) const MMA: &[Family] = &[K4, K8, K16, complex(K4), complex(K8), complex(K16)];
