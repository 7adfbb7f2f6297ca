//! Datacentre Blackwell: `tcgen05.mma`, which one thread issues for one CTA or a pair. A is in
//! shared (SS) or tensor memory (TS), B in shared memory, C and D in tensor memory.

use crate::{
    atoms::{
        family::{MmaFamily, SCALAR},
        model::{
            Instruction, Major,
            Space::{Shared, Tensor},
        },
        rows::common::{BY_8, pairs},
    },
    element::Element::{self, *},
    feature::Feature,
};

pub(super) const BY_16: &[u32] = &[16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256];
pub(super) const BY_32: &[u32] = &[32, 64, 96, 128, 160, 192, 224, 256];
/// N of integers, M = 64.
pub(super) const EIGHT_OR_BY_16: &[u32] =
    &[8, 16, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256];

pub(super) const HALVES: &[[Element; 4]] = &[[F32, F16, F16, F32], [F32, Bf16, Bf16, F32], [F16; 4]];
pub(super) const TF32: &[[Element; 4]] = &[[F32, Tf32, Tf32, F32]];
pub(super) const BYTES: &[[Element; 4]] = &[[S32, S8, S8, S32], [S32, U8, U8, S32]];
pub(super) const SMALL: &[&[[Element; 4]]; 2] = &[&pairs(F32), &pairs(F16)];

pub(super) const SS_64: MmaFamily = MmaFamily {
    instruction: Instruction::TCGEN05,
    on: Feature::Tcgen05.on(),
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

pub(super) const SCALED: MmaFamily =
    MmaFamily { instruction: Instruction::TCGEN05.scaled(), n: BY_8, majors: (Major::K, Major::K), ..SS_128 };
pub(super) const FP4: MmaFamily = MmaFamily { k: 64, types: &[[F32, E2m1, E2m1, F32]], ..SCALED };

const SCALED_PAIR: MmaFamily =
    MmaFamily { instruction: Instruction::TCGEN05.pair().scaled(), majors: (Major::K, Major::K), ..PAIR };
const FP4_PAIR: MmaFamily = MmaFamily { k: 64, types: &[[F32, E2m1, E2m1, F32]], ..SCALED_PAIR };

const F16BF16: &str = "SM100_MMA_F16BF16_SS<{a_t},{c_t},{m},{n}>";
const F16BF16_TS: &str = "SM100_MMA_F16BF16_TS<{a_t},{c_t},{m},{n}>";
const TF32_SS: &str = "SM100_MMA_TF32_SS<{a},{c_t},{m},{n}>";
const S8_SS: &str = "SM100_MMA_S8_SS<{a},{c},{m},{n}>";
const F8F6F4: &str = "SM100_MMA_F8F6F4_SS<{a_t},{b_t},{c_t},{m},{n}>";
const F8F6F4_PAIR: &str = "SM100_MMA_F8F6F4_2x1SM_SS<{a},{b},{c_t},{m},{n}>";

pub(crate) const MMA: &[MmaFamily] = &[
    MmaFamily { name: F16BF16, k: 16, types: HALVES, ..SS_64 },
    MmaFamily { name: F16BF16, k: 16, types: HALVES, ..SS_128 },
    MmaFamily { name: F16BF16_TS, k: 16, types: HALVES, from: [Tensor, Shared, Tensor], ..SS_64 },
    MmaFamily { name: F16BF16_TS, k: 16, types: HALVES, from: [Tensor, Shared, Tensor], ..SS_128 },
    MmaFamily { name: TF32_SS, k: 8, types: TF32, ..SS_64 },
    MmaFamily { name: TF32_SS, k: 8, types: TF32, ..SS_128 },
    MmaFamily {
        name: S8_SS,
        k: 32,
        types: BYTES,
        n: EIGHT_OR_BY_16,
        on: Feature::Tcgen05Integer.on(),
        ..SS_64
    },
    MmaFamily { name: S8_SS, k: 32, types: BYTES, on: Feature::Tcgen05Integer.on(), ..SS_128 },
    MmaFamily { name: F8F6F4, k: 32, types: SMALL[0], ..SS_64 },
    MmaFamily { name: F8F6F4, k: 32, types: SMALL[1], ..SS_64 },
    MmaFamily { name: F8F6F4, k: 32, types: SMALL[0], ..SS_128 },
    MmaFamily { name: F8F6F4, k: 32, types: SMALL[1], ..SS_128 },
    MmaFamily { name: "SM100_MMA_F16BF16_2x1SM_SS<{a_t},{c_t},{m},{n}>", k: 16, types: HALVES, ..PAIR },
    MmaFamily { name: "SM100_MMA_TF32_2x1SM_SS<{a},{c_t},{m},{n}>", k: 8, types: TF32, ..PAIR },
    MmaFamily {
        name: "SM100_MMA_S8_2x1SM_SS<{a},{c},{m},{n}>",
        k: 32,
        types: BYTES,
        n: BY_32,
        on: Feature::Tcgen05Integer.on(),
        ..PAIR
    },
    MmaFamily { name: F8F6F4_PAIR, k: 32, types: SMALL[0], ..PAIR },
    MmaFamily { name: F8F6F4_PAIR, k: 32, types: SMALL[1], ..PAIR },
    MmaFamily {
        name: "SM100_MMA_MXF8F6F4_SS<{a},{b},{c_t},ue8m0,{m},{n}>",
        k: 32,
        types: SMALL[0],
        scale: Some((Ue8m0, 32, None)),
        majors: (Major::Any, Major::Any),
        ..SCALED
    },
    MmaFamily {
        name: "SM100_MMA_MXF4_SS<{a},{b},{c_t},ue8m0,{m},{n},32>",
        scale: Some((Ue8m0, 32, None)),
        ..FP4
    },
    MmaFamily {
        name: "SM100_MMA_MXF4_SS<{a},{b},{c_t},ue4m3,{m},{n},16>",
        scale: Some((Ue4m3, 16, None)),
        ..FP4
    },
    MmaFamily {
        name: "SM100_MMA_MXF8F6F4_2x1SM_SS<{a},{b},{c_t},ue8m0,{m},{n}>",
        m: &[256],
        k: 32,
        types: SMALL[0],
        scale: Some((Ue8m0, 32, None)),
        majors: (Major::Any, Major::Any),
        ..SCALED_PAIR
    },
    MmaFamily {
        name: "SM100_MMA_MXF4_2x1SM_SS<{a},{b},{c_t},ue8m0,{m},{n},32>",
        scale: Some((Ue8m0, 32, None)),
        ..FP4_PAIR
    },
    MmaFamily {
        name: "SM100_MMA_MXF4_2x1SM_SS<{a},{b},{c_t},ue4m3,{m},{n},16>",
        scale: Some((Ue4m3, 16, None)),
        ..FP4_PAIR
    },
];
