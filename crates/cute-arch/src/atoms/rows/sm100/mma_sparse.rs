//! Datacentre Blackwell: `tcgen05.mma.sp`, with twice the K of `tcgen05.mma`. Half of the elements
//! of A are stored, in shared memory; the metadata is in tensor memory. Rows are those of
//! `SM100_MMA_*_SPARSE` in CUTLASS's mma_traits_sm100.hpp with M and N that the PTX ISA allows too.

use super::mma::{BY_32, EIGHT_OR_BY_16, PAIR, SCALED, SS_64, SS_128};
use crate::atoms::{
    family::MmaFamily,
    kind::{
        BlockScale,
        Tcgen05Kind::{self, F8f6f4, F16, I8, Mxf4nvf4, Mxf8f6f4, Tf32},
    },
    model::{Instruction, Major},
};

/// Two of four elements are stored, or one of two for tf32. A byte of metadata describes 8
/// elements, or 4 for tf32.
const fn sparse(kind: Tcgen05Kind, dense: MmaFamily, instruction: Instruction) -> MmaFamily {
    let (k, row) = (2 * kind.k(), kind.row());
    let per_byte = if k == 16 { 4 } else { 8 };
    let (types, on) = (row.products, row.sparse_on.on());
    MmaFamily { instruction, k, types, on, sparse: Some((2, per_byte, Some(dense.a))), ..dense }
}

const fn one(kind: Tcgen05Kind, dense: MmaFamily) -> MmaFamily {
    sparse(kind, dense, Instruction::TCGEN05.sparse())
}

const fn pair(kind: Tcgen05Kind) -> MmaFamily {
    sparse(kind, PAIR, Instruction::TCGEN05.pair().sparse())
}

/// With scale factors, each of which covers twice as many elements of K as in a dense matrix.
const fn scaled(kind: Tcgen05Kind, by: BlockScale) -> MmaFamily {
    let one = sparse(kind, SCALED, Instruction::TCGEN05.sparse().scaled());
    MmaFamily { scale: Some((by.element, 2 * kind.vector(by), None)), ..one }
}

/// With scales, for 8-bit elements.
const MX_8: MmaFamily = MmaFamily { majors: (Major::Any, Major::Any), ..scaled(Mxf8f6f4, BlockScale::ONE) };

/// With scales, for fp4: of 8 consecutive elements two pairs are stored, each in a byte.
const fn packed(by: BlockScale) -> MmaFamily {
    MmaFamily {
        container: Some(8),
        container_b: Some(4),
        sparse: Some((4, 16, Some(SCALED.a))),
        ..scaled(Mxf4nvf4, by)
    }
}

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

const F16BF16: &str = "SM100_MMA_F16BF16_SS_SPARSE<{a_t},{c_t},{m},{n}>";
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

const NV: MmaFamily = packed(BlockScale::NV);
const MX: MmaFamily = packed(BlockScale::MX);

pub(crate) const MMA: &[MmaFamily] = &[
    MmaFamily { name: F16BF16, ..one(F16, SS_64) },
    MmaFamily { name: F16BF16, ..one(F16, SS_128) },
    MmaFamily { name: TF, ..one(Tf32, SS_64) },
    MmaFamily { name: TF, ..one(Tf32, SS_128) },
    MmaFamily { name: S8, n: EIGHT_OR_BY_16, ..one(I8, SS_64) },
    MmaFamily { name: S8, ..one(I8, SS_128) },
    MmaFamily { name: F8, ..one(F8f6f4, SS_64) },
    MmaFamily { name: F8, ..one(F8f6f4, SS_128) },
    MmaFamily { name: "SM100_MMA_F16BF16_2x1SM_SS_SPARSE<{a_t},{c_t},{m},{n}>", ..pair(F16) },
    MmaFamily { name: "SM100_MMA_TF32_2x1SM_SS_SPARSE<{a},{c_t},{m},{n}>", ..pair(Tf32) },
    MmaFamily { name: "SM100_MMA_S8_2x1SM_SS_SPARSE<{a},{c},{m},{n}>", n: BY_32, ..pair(I8) },
    MmaFamily { name: F8_PAIR, n: BY_32, ..pair(F8f6f4) },
    MmaFamily { name: MXF8, ..MX_8 },
    MmaFamily { name: MXF8_PAIR, ..of_pair(MX_8) },
    MmaFamily { name: NVF4, ..NV },
    MmaFamily { name: NVF4_PAIR, ..of_pair(NV) },
    MmaFamily { name: MXF4, ..MX },
    MmaFamily { name: MXF4_PAIR, ..of_pair(MX) },
];
