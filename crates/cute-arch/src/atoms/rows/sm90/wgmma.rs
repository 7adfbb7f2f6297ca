//! Hopper: `wgmma`, in which four warps multiply A in registers (RS) or shared memory (SS) by B in
//! shared memory.
//!
//! Matrices in shared memory are read through descriptors: threads have no elements of their own,
//! so their stride is 0.

use crate::{
    atoms::{
        family::{MmaFamily, SCALAR},
        model::{
            Instruction, Major, MmaOp,
            Space::{Register, Shared},
        },
        rows::common::{BY_8, FP8},
    },
    element::Element::{self, *},
    feature::Feature,
};

/// N of integers.
const INTEGER_N: &[u32] = &[8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256];

const HALVES: &[[Element; 4]] = &[[F16; 4], [F32, F16, F16, F32], [F32, Bf16, Bf16, F32]];
const TF32: &[[Element; 4]] = &[[F32, Tf32, Tf32, F32]];
const BYTES: &[[Element; 4]] =
    &[[S32, S8, S8, S32], [S32, S8, U8, S32], [S32, U8, S8, S32], [S32, U8, U8, S32]];

const SS: MmaFamily = MmaFamily {
    name: "SM90_{m}x{n}x{k}_{D}{A}{B}_SS_TN{op}",
    instruction: Instruction::WGMMA,
    on: Feature::Wgmma.on(),
    m: &[64],
    n: BY_8,
    from: [Shared, Shared, Register],
    thr_id: "128:1",
    a: "(128,(64,{k})):(0,(1,64))",
    b: "(128,({n},{k})):(0,(1,{n}))",
    c: "((4,8,4),(2,2,{n/8})):((128,1,16),(64,8,512))",
    ..SCALAR
};
const RS: MmaFamily =
    MmaFamily { name: "SM90_{m}x{n}x{k}_{D}{A}{B}_RS_TN{op}", from: [Register, Shared, Register], ..SS };

/// 16-bit elements, with either major.
const SS_16: MmaFamily = MmaFamily {
    name: "SM90_{m}x{n}x{k}_{D}{A}{B}_SS",
    majors: (Major::Any, Major::Any),
    types: HALVES,
    ..SS
};
const RS_16: MmaFamily =
    MmaFamily { name: "SM90_{m}x{n}x{k}_{D}{A}{B}_RS", majors: (Major::K, Major::Any), types: HALVES, ..RS };

/// A in registers: K of the instruction has the same number of bits for all types.
const A_16: &str = "((4,8,4),(2,2,2)):((128,1,16),(64,8,512))";
const A_8: &str = "((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))";
const A_4: &str = "((4,8,4),(8,2,2)):((512,1,16),(64,8,2048))";

/// Integers wrap or saturate.
const fn integer(floats: MmaFamily) -> MmaFamily {
    MmaFamily { types: BYTES, n: INTEGER_N, ops: &[MmaOp::MulAdd, MmaOp::MulAddSaturate], ..floats }
}

/// Half of the elements of A are stored: two of four, or one of two for tf32. A byte of metadata
/// describes `per_byte` elements.
const fn sparse(dense: MmaFamily, name: &'static str, (per_byte, layout): (u32, &'static str)) -> MmaFamily {
    let sparse = Some((2, per_byte, Some(layout)));
    MmaFamily { name, instruction: Instruction::WGMMA.sparse(), k: dense.k * 2, sparse, ..dense }
}

const SP_SS: &str = "SPARSE::GMMA_{m}x{n}x{k}_{D}{A}{B}_SS_TN{op}";
const SP_RS: &str = "SPARSE::GMMA_{m}x{n}x{k}_{D}{A}{B}_RS_TN{op}";
const E_16: (u32, &str) = (8, "((2,2,8,4),(16,2)):((1024,0,1,16),(64,8))");
const E_TF32: (u32, &str) = (4, "((2,2,8,4),(8,2)):((512,0,1,16),(64,8))");
const E_8: (u32, &str) = (8, "((2,2,8,4),(32)):((8,2048,1,16),(64))");

const SS_F16: MmaFamily = MmaFamily { k: 16, ..SS_16 };
const RS_F16: MmaFamily = MmaFamily { k: 16, a: A_16, ..RS_16 };
const SS_TF32: MmaFamily = MmaFamily { k: 8, types: TF32, ..SS };
const RS_TF32: MmaFamily = MmaFamily { k: 8, types: TF32, a: "((4,8,4),(2,2)):((64,1,16),(8,256))", ..RS };
const SS_FP8: MmaFamily = MmaFamily { k: 32, types: FP8, ..SS };
const RS_FP8: MmaFamily = MmaFamily { k: 32, types: FP8, a: A_8, ..RS };

pub(crate) const MMA: &[MmaFamily] = &[
    SS_F16,
    RS_F16,
    SS_TF32,
    RS_TF32,
    SS_FP8,
    RS_FP8,
    integer(SS_FP8),
    integer(RS_FP8),
    sparse(SS_F16, "SPARSE::GMMA_{m}x{n}x{k}_{D}{A}{B}_SS", E_16),
    sparse(MmaFamily { a: A_8, ..RS_F16 }, "SPARSE::GMMA_{m}x{n}x{k}_{D}{A}{B}_RS", E_16),
    sparse(SS_TF32, SP_SS, E_TF32),
    sparse(MmaFamily { a: A_16, ..RS_TF32 }, SP_RS, E_TF32),
    sparse(SS_FP8, SP_SS, E_8),
    sparse(MmaFamily { a: A_4, ..RS_FP8 }, SP_RS, E_8),
    sparse(integer(SS_FP8), SP_SS, E_8),
    sparse(integer(MmaFamily { a: A_4, ..RS_FP8 }), SP_RS, E_8),
];
