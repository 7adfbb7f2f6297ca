//! Ampere: `cp.async`, which zero-fills (`ZFILL`) or keeps out of the first cache (`CACHEGLOBAL`).

use super::copy::{CopyFamily, THREAD};
use crate::feature::Feature;

const ASYNC: CopyFamily = CopyFamily { on: Feature::CpAsync.on(), ..THREAD };

pub(super) const COPY: &[CopyFamily] = &[
    CopyFamily { name: "SM80_CP_ASYNC_CACHEALWAYS<uint{x}_t>", x: &[32, 64, 128], ..ASYNC },
    CopyFamily { name: "SM80_CP_ASYNC_CACHEGLOBAL<uint{x}_t>", x: &[128], ..ASYNC },
    CopyFamily { name: "SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint{x}_t>", x: &[32, 64, 128], ..ASYNC },
    CopyFamily { name: "SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint{x}_t>", x: &[128], ..ASYNC },
];
