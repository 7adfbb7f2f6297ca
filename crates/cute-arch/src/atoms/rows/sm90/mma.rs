//! Hopper, a warp at a time: `mma.sync` on f64 in larger tiles.

use crate::{
    atoms::{
        family::{MmaFamily, WARP},
        model::Instruction,
    },
    element::Element::{C64, F64},
    feature::Feature,
};

const DOUBLE: MmaFamily = MmaFamily {
    name: "SM90_{m}x{n}x{k}_{D}{A}{B}{C}_TN",
    on: Feature::MmaLargeF64.on(),
    types: &[[F64; 4]],
    ..WARP
};
const K4: MmaFamily = MmaFamily { k: 4, a: "((4,8),2):((16,1),8)", b: "((4,8),1):((8,1),0)", ..DOUBLE };
const K8: MmaFamily =
    MmaFamily { k: 8, a: "((4,8),(2,2)):((16,1),(8,64))", b: "((4,8),2):((8,1),32)", ..DOUBLE };
const K16: MmaFamily =
    MmaFamily { k: 16, a: "((4,8),(2,4)):((16,1),(8,64))", b: "((4,8),4):((8,1),32)", ..DOUBLE };

/// The same for complex numbers.
const fn complex(real: MmaFamily) -> MmaFamily {
    MmaFamily { types: &[[C64; 4]], instruction: Instruction::COMPLEX, ..real }
}

pub(crate) const MMA: &[MmaFamily] = &[K4, K8, K16, complex(K4), complex(K8), complex(K16)];
