//! Datacentre Blackwell: `tcgen05.mma`, which one thread issues for one CTA or a pair. A is in
//! shared (SS) or tensor memory (TS), B in shared memory, C and D in tensor memory.

use crate::{
    atoms::{
        family::{MmaFamily, SCALAR},
        kind::{
            BlockScale,
            Tcgen05Kind::{self, F8f6f4, F16, I8, Mxf4, Mxf4nvf4, Mxf8f6f4, Tf32},
        },
        model::{
            Instruction, Major,
            Space::{self, Shared, Tensor},
        },
        rows::common::BY_8,
    },
    element::Element::{self, E2m1, E2m3, E3m2, E4m3, E5m2, F32},
};

pub(in crate::atoms::rows) const BY_16: &[u32] =
    &[16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256];
pub(super) const BY_32: &[u32] = &[32, 64, 96, 128, 160, 192, 224, 256];
/// N of integers, M = 64.
pub(super) const EIGHT_OR_BY_16: &[u32] =
    &[8, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256];

pub(super) const SS_64: MmaFamily = MmaFamily {
    instruction: Instruction::TCGEN05,
    m: &[64],
    n: BY_8,
    from: [Shared, Shared, Tensor],
    majors: (Major::Any, Major::Any),
    thr_id: "1:0",
    a: "(1,({m},{k})):(0,(1,{m}))",
    b: "(1,({n},{k})):(0,(1,{n}))",
    c: "(1,({m},{n})):(0,(1,{m}))",
    ..SCALAR
};
pub(super) const SS_128: MmaFamily = MmaFamily { m: &[128], n: BY_16, ..SS_64 };

pub(super) const PAIR: MmaFamily = MmaFamily {
    instruction: Instruction::TCGEN05.pair(),
    m: &[128, 256],
    n: BY_16,
    thr_id: "2:1",
    a: "(2,({m/2},{k})):({m/2},(1,{m}))",
    b: "(2,({n/2},{k})):({n/2},(1,{n}))",
    c: "(2,({m/2},{n})):({m/2},(1,{m}))",
    ..SS_64
};

pub(in crate::atoms::rows) const SCALED: MmaFamily =
    MmaFamily { instruction: Instruction::TCGEN05.scaled(), n: BY_8, majors: (Major::K, Major::K), ..SS_128 };
/// A family of this kind.
const fn of(kind: Tcgen05Kind, family: MmaFamily) -> MmaFamily {
    MmaFamily { k: kind.k(), types: kind.row().products, on: kind.row().on.on(), ..family }
}

/// A family of this kind, with these scale factors.
const fn scaled(kind: Tcgen05Kind, by: BlockScale, family: MmaFamily) -> MmaFamily {
    MmaFamily { scale: Some((by.element, kind.vector(by), None)), ..of(kind, family) }
}

pub(in crate::atoms::rows) const SCALED_PAIR: MmaFamily =
    MmaFamily { instruction: Instruction::TCGEN05.pair().scaled(), majors: (Major::K, Major::K), ..PAIR };

const F16BF16: &str = "SM100_MMA_F16BF16_SS<{a_t},{c_t},{m},{n}>";
const F16BF16_TS: &str = "SM100_MMA_F16BF16_TS<{a_t},{c_t},{m},{n}>";
const TF32_SS: &str = "SM100_MMA_TF32_SS<{a},{c_t},{m},{n}>";
const S8_SS: &str = "SM100_MMA_S8_SS<{a},{c},{m},{n}>";
const F8F6F4: &str = "SM100_MMA_F8F6F4_SS<{a_t},{b_t},{c_t},{m},{n}>";
const F8F6F4_PAIR: &str = "SM100_MMA_F8F6F4_2x1SM_SS<{a},{b},{c_t},{m},{n}>";

const MXF8F6F4: &str = "SM100_MMA_MXF8F6F4_SS<{a},{b},{c_t},ue8m0,{m},{n}>";
const MXF4: &str = "SM100_MMA_MXF4_SS<{a},{b},{c_t},ue8m0,{m},{n},32>";
const NVF4: &str = "SM100_MMA_MXF4_SS<{a},{b},{c_t},ue4m3,{m},{n},16>";
const MXF4_16: &str = "SM100_MMA_MXF4_SS<{a},{b},{c_t},ue8m0,{m},{n},16>";
// CUTLASS has no atoms for these instructions; the names are built as those of other atoms are.
const MXF8F6F4_TS: &str = "SM100_MMA_MXF8F6F4_TS<{a},{b},{c_t},ue8m0,{m},{n}>";
const MXF4_TS: &str = "SM100_MMA_MXF4_TS<{a},{b},{c_t},ue8m0,{m},{n},32>";
const NVF4_TS: &str = "SM100_MMA_MXF4_TS<{a},{b},{c_t},ue4m3,{m},{n},16>";
const MXF4_16_TS: &str = "SM100_MMA_MXF4_TS<{a},{b},{c_t},ue8m0,{m},{n},16>";

const FROM_TENSOR: [Space; 3] = [Tensor, Shared, Tensor];
const SCALED_TS: MmaFamily = MmaFamily { from: FROM_TENSOR, ..SCALED };
/// Numbers of 8 bits of A fill the bits that an element takes in tensor memory.
const TS_TYPES: [[Element; 4]; 10] = {
    let (mut types, mut i) = ([[F32; 4]; 10], 0);
    while i < 10 {
        (types[i][1], types[i][2]) = ([E4m3, E5m2][i / 5], [E4m3, E5m2, E2m3, E3m2, E2m1][i % 5]);
        i += 1;
    }
    types
};
const B_ANY: (Major, Major) = (Major::K, Major::Any);
const ANY: (Major, Major) = (Major::Any, Major::Any);

pub(crate) const MMA: &[MmaFamily] = &[
    MmaFamily { name: F16BF16, ..of(F16, SS_64) },
    MmaFamily { name: F16BF16, ..of(F16, SS_128) },
    MmaFamily { name: F16BF16_TS, from: FROM_TENSOR, ..of(F16, SS_64) },
    MmaFamily { name: F16BF16_TS, from: FROM_TENSOR, ..of(F16, SS_128) },
    MmaFamily { name: TF32_SS, ..of(Tf32, SS_64) },
    MmaFamily { name: TF32_SS, ..of(Tf32, SS_128) },
    MmaFamily { name: S8_SS, n: EIGHT_OR_BY_16, ..of(I8, SS_64) },
    MmaFamily { name: S8_SS, ..of(I8, SS_128) },
    MmaFamily { name: F8F6F4, ..of(F8f6f4, SS_64) },
    MmaFamily { name: F8F6F4, ..of(F8f6f4, SS_128) },
    MmaFamily { name: "SM100_MMA_F16BF16_2x1SM_SS<{a_t},{c_t},{m},{n}>", ..of(F16, PAIR) },
    MmaFamily { name: "SM100_MMA_TF32_2x1SM_SS<{a},{c_t},{m},{n}>", ..of(Tf32, PAIR) },
    MmaFamily { name: "SM100_MMA_S8_2x1SM_SS<{a},{c},{m},{n}>", n: BY_32, ..of(I8, PAIR) },
    MmaFamily { name: F8F6F4_PAIR, ..of(F8f6f4, PAIR) },
    MmaFamily { name: MXF8F6F4, majors: ANY, ..scaled(Mxf8f6f4, BlockScale::ONE, SCALED) },
    MmaFamily { name: MXF4, ..scaled(Mxf4, BlockScale::MX, SCALED) },
    MmaFamily { name: NVF4, ..scaled(Mxf4nvf4, BlockScale::NV, SCALED) },
    MmaFamily { name: MXF4_16, ..scaled(Mxf4nvf4, BlockScale::MX_16, SCALED) },
    MmaFamily {
        name: MXF8F6F4_TS,
        majors: B_ANY,
        types: &TS_TYPES,
        ..scaled(Mxf8f6f4, BlockScale::ONE, SCALED_TS)
    },
    MmaFamily { name: MXF4_TS, ..scaled(Mxf4, BlockScale::MX, SCALED_TS) },
    MmaFamily { name: NVF4_TS, ..scaled(Mxf4nvf4, BlockScale::NV, SCALED_TS) },
    MmaFamily { name: MXF4_16_TS, ..scaled(Mxf4nvf4, BlockScale::MX_16, SCALED_TS) },
    MmaFamily {
        name: "SM100_MMA_MXF8F6F4_2x1SM_SS<{a},{b},{c_t},ue8m0,{m},{n}>",
        m: &[256],
        majors: ANY,
        ..scaled(Mxf8f6f4, BlockScale::ONE, SCALED_PAIR)
    },
    MmaFamily {
        name: "SM100_MMA_MXF4_2x1SM_SS<{a},{b},{c_t},ue8m0,{m},{n},32>",
        ..scaled(Mxf4, BlockScale::MX, SCALED_PAIR)
    },
    MmaFamily {
        name: "SM100_MMA_MXF4_2x1SM_SS<{a},{b},{c_t},ue4m3,{m},{n},16>",
        ..scaled(Mxf4nvf4, BlockScale::NV, SCALED_PAIR)
    },
    MmaFamily {
        name: "SM100_MMA_MXF4_2x1SM_SS<{a},{b},{c_t},ue8m0,{m},{n},16>",
        ..scaled(Mxf4nvf4, BlockScale::MX_16, SCALED_PAIR)
    },
];
