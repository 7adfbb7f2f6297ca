//! Datacentre Blackwell: `tcgen05.mma.sp`, with twice the K of `tcgen05.mma`. Half of the elements
//! of A are stored, in shared memory; the metadata is in tensor memory. Rows are those of
//! `SM100_MMA_*_SPARSE` in CUTLASS's mma_traits_sm100.hpp with M and N that the PTX ISA allows too.

use super::mma::{BY_32, BYTES, EIGHT_OR_BY_16, HALVES, PAIR, SCALED, SMALL, SS_64, SS_128, TF32};
use crate::{
    atoms::{
        family::MmaFamily,
        model::{Instruction, Major},
    },
    element::Element::{E2m1, F32, Ue4m3, Ue8m0},
    feature::Feature,
};

/// Two of four elements are stored, or one of two for tf32. A byte of metadata describes 8
/// elements, or 4 for tf32.
const fn sparse(dense: MmaFamily, instruction: Instruction, k: u32) -> MmaFamily {
    let per_byte = if k == 16 { 4 } else { 8 };
    MmaFamily { instruction, k, sparse: Some((2, per_byte, Some(dense.a))), ..dense }
}

const fn one(dense: MmaFamily, k: u32) -> MmaFamily {
    sparse(dense, Instruction::TCGEN05.sparse(), k)
}

const fn pair(k: u32) -> MmaFamily {
    sparse(PAIR, Instruction::TCGEN05.pair().sparse(), k)
}

/// With scales, for 8-bit elements. Each scale covers 64 elements.
const MX_8: MmaFamily = MmaFamily {
    types: SMALL[0],
    scale: Some((Ue8m0, 64, None)),
    majors: (Major::Any, Major::Any),
    ..sparse(SCALED, Instruction::TCGEN05.sparse().scaled(), 64)
};
/// With scales, for fp4: of 8 consecutive elements two pairs are stored, each in a byte.
const MX_4: MmaFamily = MmaFamily {
    types: &[[F32, E2m1, E2m1, F32]],
    container: Some(8),
    container_b: Some(4),
    sparse: Some((4, 16, Some(SCALED.a))),
    on: Feature::Tcgen05SparseFp4.on(),
    ..sparse(SCALED, Instruction::TCGEN05.sparse().scaled(), 128)
};

/// The same for a pair.
const fn of_pair(one: MmaFamily) -> MmaFamily {
    let sparse = match one.sparse {
        Some((per_value, per_byte, _)) => Some((per_value, per_byte, Some(PAIR.a))),
        None => None,
    };
    let instruction = Instruction::TCGEN05.pair().sparse().scaled();
    MmaFamily {
        instruction,
        sparse,
        types: one.types,
        k: one.k,
        scale: one.scale,
        on: one.on,
        majors: one.majors,
        container: one.container,
        container_b: one.container_b,
        m: &[256],
        ..PAIR
    }
}

const F16: &str = "SM100_MMA_F16BF16_SS_SPARSE<{a_t},{c_t},{m},{n}>";
const TF: &str = "SM100_MMA_TF32_SS_SPARSE<{a},{c_t},{m},{n}>";
const S8: &str = "SM100_MMA_S8_SS_SPARSE<{a},{c},{m},{n}>";
const F8: &str = "SM100_MMA_F8F6F4_SS_SPARSE<{a_t},{b_t},{c_t},{m},{n}>";
const F8_PAIR: &str = "SM100_MMA_F8F6F4_2x1SM_SS_SPARSE<{a},{b},{c_t},{m},{n}>";
const MXF8: &str = "SM100_MMA_MXF8F6F4_SS_SPARSE<{a},{b},{c_t},ue8m0,{m},{n}>";
const MXF8_PAIR: &str = "SM100_MMA_MXF8F6F4_2x1SM_SS_SPARSE<{a},{b},{c_t},ue8m0,{m},{n}>";
const NVF4: &str = "SM100_MMA_MXF4NVF4_SS_SPARSE<{a},{b},{c_t},ue4m3,{m},{n},32>";
const NVF4_PAIR: &str = "SM100_MMA_MXF4NVF4_2x1SM_SS_SPARSE<{a},{b},{c_t},ue4m3,{m},{n},32>";
const MXF4: &str = "SM100_MMA_MXF4NVF4_SS_SPARSE<{a},{b},{c_t},ue8m0,{m},{n},64>";
const MXF4_PAIR: &str = "SM100_MMA_MXF4NVF4_2x1SM_SS_SPARSE<{a},{b},{c_t},ue8m0,{m},{n},64>";

const NV: MmaFamily = MmaFamily { scale: Some((Ue4m3, 32, None)), ..MX_4 };
const MX: MmaFamily = MmaFamily { scale: Some((Ue8m0, 64, None)), ..MX_4 };

pub(crate) const MMA: &[MmaFamily] = &[
    MmaFamily { name: F16, types: HALVES, ..one(SS_64, 32) },
    MmaFamily { name: F16, types: HALVES, ..one(SS_128, 32) },
    MmaFamily { name: TF, types: TF32, ..one(SS_64, 16) },
    MmaFamily { name: TF, types: TF32, ..one(SS_128, 16) },
    MmaFamily {
        name: S8,
        types: BYTES,
        n: EIGHT_OR_BY_16,
        on: Feature::Tcgen05Integer.on(),
        ..one(SS_64, 64)
    },
    MmaFamily { name: S8, types: BYTES, on: Feature::Tcgen05Integer.on(), ..one(SS_128, 64) },
    MmaFamily { name: F8, types: SMALL[0], ..one(SS_64, 64) },
    MmaFamily { name: F8, types: SMALL[1], ..one(SS_64, 64) },
    MmaFamily { name: F8, types: SMALL[0], ..one(SS_128, 64) },
    MmaFamily { name: F8, types: SMALL[1], ..one(SS_128, 64) },
    MmaFamily { name: "SM100_MMA_F16BF16_2x1SM_SS_SPARSE<{a_t},{c_t},{m},{n}>", types: HALVES, ..pair(32) },
    MmaFamily { name: "SM100_MMA_TF32_2x1SM_SS_SPARSE<{a},{c_t},{m},{n}>", types: TF32, ..pair(16) },
    MmaFamily {
        name: "SM100_MMA_S8_2x1SM_SS_SPARSE<{a},{c},{m},{n}>",
        types: BYTES,
        n: BY_32,
        on: Feature::Tcgen05Integer.on(),
        ..pair(64)
    },
    MmaFamily { name: F8_PAIR, types: SMALL[0], n: BY_32, ..pair(64) },
    MmaFamily { name: F8_PAIR, types: SMALL[1], n: BY_32, ..pair(64) },
    MmaFamily { name: MXF8, ..MX_8 },
    MmaFamily { name: MXF8_PAIR, ..of_pair(MX_8) },
    MmaFamily { name: NVF4, ..NV },
    MmaFamily { name: NVF4_PAIR, ..of_pair(NV) },
    MmaFamily { name: MXF4, ..MX },
    MmaFamily { name: MXF4_PAIR, ..of_pair(MX) },
];
