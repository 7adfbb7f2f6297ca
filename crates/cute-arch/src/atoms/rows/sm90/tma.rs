//! Hopper: asynchronous bulk copies, by TMA and of contiguous bytes. `ADD` is the only reduction in
//! CuTe's C++, which has none of contiguous bytes, without a tensor map.

use crate::{
    atoms::model::{
        BulkAtom, BulkInstruction,
        BulkMode::{Bytes, Im2col, Tiled},
        BulkOperation::{self, Load, Prefetch, Reduce, Send, SendReduce, Store},
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

/// Without a tensor map: into global memory, or into the shared memory of another CTA.
const fn reduce_bytes(name: &'static str, operation: BulkOperation) -> BulkAtom {
    let to = if matches!(operation, SendReduce(_)) { Cluster } else { Global };
    BulkAtom { to, ..store(name, BulkInstruction { operation, mode: Bytes, ..LOADS }) }
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
    reduce_bytes("SM90_BULK_REDUCE_S2G_ADD", Reduce(Reduction::Add)),
    reduce_bytes("SM90_BULK_REDUCE_S2G_MIN", Reduce(Reduction::Min)),
    reduce_bytes("SM90_BULK_REDUCE_S2G_MAX", Reduce(Reduction::Max)),
    reduce_bytes("SM90_BULK_REDUCE_S2G_INC", Reduce(Reduction::Inc)),
    reduce_bytes("SM90_BULK_REDUCE_S2G_DEC", Reduce(Reduction::Dec)),
    reduce_bytes("SM90_BULK_REDUCE_S2G_AND", Reduce(Reduction::And)),
    reduce_bytes("SM90_BULK_REDUCE_S2G_OR", Reduce(Reduction::Or)),
    reduce_bytes("SM90_BULK_REDUCE_S2G_XOR", Reduce(Reduction::Xor)),
    reduce_bytes("SM90_BULK_REDUCE_S2S_ADD", SendReduce(Reduction::Add)),
    reduce_bytes("SM90_BULK_REDUCE_S2S_MIN", SendReduce(Reduction::Min)),
    reduce_bytes("SM90_BULK_REDUCE_S2S_MAX", SendReduce(Reduction::Max)),
    reduce_bytes("SM90_BULK_REDUCE_S2S_INC", SendReduce(Reduction::Inc)),
    reduce_bytes("SM90_BULK_REDUCE_S2S_DEC", SendReduce(Reduction::Dec)),
    reduce_bytes("SM90_BULK_REDUCE_S2S_AND", SendReduce(Reduction::And)),
    reduce_bytes("SM90_BULK_REDUCE_S2S_OR", SendReduce(Reduction::Or)),
    reduce_bytes("SM90_BULK_REDUCE_S2S_XOR", SendReduce(Reduction::Xor)),
];
