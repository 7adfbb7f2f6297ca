//! Datacentre Blackwell: TMA loads for a pair of CTAs, and TMA of four separate rows. CuTe's C++
//! has no rows for a pair.

use crate::{
    atoms::model::{
        BulkAtom, BulkInstruction,
        BulkMode::{Im2col, Rows4, Tiled},
        BulkOperation::{Load, Store},
        CopySpace::{Cluster, Global, Shared},
        Generation,
    },
    feature::Feature,
};

const PAIR: BulkAtom = BulkAtom {
    name: "SM100_TMA_2SM_LOAD",
    generation: Generation::Sm100,
    instruction: BulkInstruction { operation: Load, mode: Tiled, multicast: false, ctas: 2 },
    from: Global,
    to: Shared,
    on: Feature::TmaBlackwell.on(),
};
const LOADS: BulkInstruction = PAIR.instruction;

const fn load(name: &'static str, instruction: BulkInstruction) -> BulkAtom {
    let to = if instruction.multicast { Cluster } else { Shared };
    BulkAtom { name, instruction, to, ..PAIR }
}

const IM2COL: BulkInstruction = BulkInstruction { mode: Im2col, ..LOADS };
const GATHER: BulkInstruction = BulkInstruction { mode: Rows4, ctas: 1, ..LOADS };
const PAIR_GATHER: BulkInstruction = BulkInstruction { mode: Rows4, ..LOADS };

pub(crate) const BULK: &[BulkAtom] = &[
    PAIR,
    load("SM100_TMA_2SM_LOAD_MULTICAST", BulkInstruction { multicast: true, ..LOADS }),
    load("SM100_TMA_2SM_LOAD_IM2COL", IM2COL),
    load("SM100_TMA_2SM_LOAD_IM2COL_MULTICAST", BulkInstruction { multicast: true, ..IM2COL }),
    load("SM100_TMA_LOAD_2D_GATHER4", GATHER),
    load("SM100_TMA_LOAD_MULTICAST_2D_GATHER4", BulkInstruction { multicast: true, ..GATHER }),
    load("SM100_TMA_2SM_LOAD_2D_GATHER4", PAIR_GATHER),
    load("SM100_TMA_2SM_LOAD_MULTICAST_2D_GATHER4", BulkInstruction { multicast: true, ..PAIR_GATHER }),
    BulkAtom {
        name: "SM100_TMA_STORE_2D_SCATTER4",
        instruction: BulkInstruction { operation: Store, ..GATHER },
        from: Shared,
        to: Global,
        ..PAIR
    },
];
