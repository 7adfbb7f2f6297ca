//! Ampere: `cp.async`, which zero-fills (`ZFILL`) or keeps out of the first cache (`CACHEGLOBAL`).

use crate::{
    atoms::{
        family::{CopyFamily, THREAD},
        model::{
            CacheLevel::{All, L2},
            CopyInstruction::CpAsync,
        },
    },
    feature::Feature,
};

const ASYNC: CopyFamily = CopyFamily { on: Feature::CpAsync.on(), ..THREAD };

pub(crate) const COPY: &[CopyFamily] = &[
    CopyFamily {
        name: "SM80_CP_ASYNC_CACHEALWAYS<uint{x}_t>",
        instruction: |bits| CpAsync { bits, cache: All, zero_fill: false },
        x: &[32, 64, 128],
        ..ASYNC
    },
    CopyFamily {
        name: "SM80_CP_ASYNC_CACHEGLOBAL<uint{x}_t>",
        instruction: |bits| CpAsync { bits, cache: L2, zero_fill: false },
        x: &[128],
        ..ASYNC
    },
    CopyFamily {
        name: "SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint{x}_t>",
        instruction: |bits| CpAsync { bits, cache: All, zero_fill: true },
        x: &[32, 64, 128],
        ..ASYNC
    },
    CopyFamily {
        name: "SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint{x}_t>",
        instruction: |bits| CpAsync { bits, cache: L2, zero_fill: true },
        x: &[128],
        ..ASYNC
    },
];
