//! Hopper: asynchronous bulk copies, by TMA and of contiguous bytes. `ADD` is the only reduction in
//! CuTe's C++.
//!
//! PTX also reduces contiguous bytes, without a tensor map (`cp.reduce.async.bulk`). That
//! instruction has no row here, because CuTe has no atom for it, and rows are named by CuTe's
//! atoms.

use crate::{
    atoms::model::{
        BulkAtom, BulkInstruction,
        BulkMode::{Bytes, Im2col, Tiled},
        BulkOperation::{Load, Prefetch, Reduce, Send, Store},
        CopySpace::{Cluster, Global, L2, Shared},
        Generation, Reduction,
    },
    feature::Feature,
};

const LOAD: BulkAtom = BulkAtom {
    name: "SM90_TMA_LOAD",
    generation: Generation::Sm90,
    instruction: BulkInstruction { operation: Load, mode: Tiled, multicast: false, ctas: 1 },
    from: Global,
    to: Shared,
    on: Feature::Tma.on(),
};
const LOADS: BulkInstruction = LOAD.instruction;

const fn multicast(name: &'static str, one: BulkAtom) -> BulkAtom {
    let instruction = BulkInstruction { multicast: true, ..one.instruction };
    BulkAtom { name, instruction, to: Cluster, ..one }
}

const fn store(name: &'static str, instruction: BulkInstruction) -> BulkAtom {
    BulkAtom { name, instruction, from: Shared, to: Global, ..LOAD }
}

const fn reduce(name: &'static str, reduction: Reduction) -> BulkAtom {
    store(name, BulkInstruction { operation: Reduce(reduction), ..LOADS })
}

const fn prefetch(name: &'static str, load: BulkAtom) -> BulkAtom {
    let instruction = BulkInstruction { operation: Prefetch, ..load.instruction };
    BulkAtom { name, instruction, to: L2, ..load }
}

const LOAD_IM2COL: BulkAtom =
    BulkAtom { name: "SM90_TMA_LOAD_IM2COL", instruction: BulkInstruction { mode: Im2col, ..LOADS }, ..LOAD };
const LOAD_BYTES: BulkAtom =
    BulkAtom { name: "SM90_BULK_COPY_G2S", instruction: BulkInstruction { mode: Bytes, ..LOADS }, ..LOAD };

pub(crate) const BULK: &[BulkAtom] = &[
    LOAD,
    multicast("SM90_TMA_LOAD_MULTICAST", LOAD),
    LOAD_IM2COL,
    multicast("SM90_TMA_LOAD_IM2COL_MULTICAST", LOAD_IM2COL),
    prefetch("SM90_TMA_LOAD::PREFETCH", LOAD),
    prefetch("SM90_TMA_LOAD_IM2COL::PREFETCH", LOAD_IM2COL),
    store("SM90_TMA_STORE", BulkInstruction { operation: Store, ..LOADS }),
    store("SM90_TMA_STORE_IM2COL", BulkInstruction { operation: Store, mode: Im2col, ..LOADS }),
    reduce("SM90_TMA_REDUCE_ADD", Reduction::Add),
    reduce("SM90_TMA_REDUCE_MIN", Reduction::Min),
    reduce("SM90_TMA_REDUCE_MAX", Reduction::Max),
    reduce("SM90_TMA_REDUCE_INC", Reduction::Inc),
    reduce("SM90_TMA_REDUCE_DEC", Reduction::Dec),
    reduce("SM90_TMA_REDUCE_AND", Reduction::And),
    reduce("SM90_TMA_REDUCE_OR", Reduction::Or),
    reduce("SM90_TMA_REDUCE_XOR", Reduction::Xor),
    LOAD_BYTES,
    multicast("SM90_BULK_COPY_G2S_MULTICAST", LOAD_BYTES),
    prefetch("SM90_BULK_COPY_G2S::PREFETCH", LOAD_BYTES),
    store("SM90_BULK_COPY_S2G", BulkInstruction { operation: Store, mode: Bytes, ..LOADS }),
    BulkAtom {
        name: "SM90_BULK_COPY_S2S",
        instruction: BulkInstruction { operation: Send, mode: Bytes, ..LOADS },
        from: Shared,
        to: Cluster,
        ..LOAD
    },
];
