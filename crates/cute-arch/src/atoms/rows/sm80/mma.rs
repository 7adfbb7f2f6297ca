//! Ampere: `mma.sync` on f16, bf16, tf32, f64, integers of 8 and 4 bits, and single bits.

use crate::{
    atoms::{
        family::{MmaFamily, ROW_8X8, WARP},
        model::{Instruction, MmaOp},
    },
    element::Element::{self, *},
    feature::Availability,
};

pub(super) const AMPERE: MmaFamily =
    MmaFamily { name: "SM80_{m}x{n}x{k}_{D}{A}{B}{C}_TN{op}", on: Availability::From(8, 0), ..WARP };

pub(super) const HALVES: &[[Element; 4]] = &[[F16; 4], [F32, F16, F16, F32], [F32, BF16, BF16, F32]];
const BF16: Element = Bf16;
pub(super) const TF32: &[[Element; 4]] = &[[F32, Tf32, Tf32, F32]];
pub(super) const BYTES: &[[Element; 4]] =
    &[[S32, S8, S8, S32], [S32, S8, U8, S32], [S32, U8, S8, S32], [S32, U8, U8, S32]];
pub(super) const NIBBLES: &[[Element; 4]] =
    &[[S32, S4, S4, S32], [S32, S4, U4, S32], [S32, U4, S4, S32], [S32, U4, U4, S32]];

const DOUBLE: MmaFamily =
    MmaFamily { m: &[8], k: 4, a: "((4,8),1):((8,1),0)", b: "((4,8),1):((8,1),0)", c: ROW_8X8, ..AMPERE };
pub(super) const INTEGER: MmaFamily = MmaFamily { ops: &[MmaOp::MulAdd, MmaOp::MulAddSaturate], ..AMPERE };
const BITS: MmaFamily =
    MmaFamily { ops: &[MmaOp::XorPopc, MmaOp::AndPopc], types: &[[S32, U1, U1, S32]], ..AMPERE };

pub(crate) const MMA: &[MmaFamily] = &[
    MmaFamily {
        k: 8,
        types: HALVES,
        a: "((4,8),(2,2)):((32,1),(16,8))",
        b: "((4,8),2):((16,1),8)",
        ..AMPERE
    },
    MmaFamily {
        k: 16,
        types: HALVES,
        a: "((4,8),(2,2,2)):((32,1),(16,8,128))",
        b: "((4,8),(2,2)):((16,1),(8,64))",
        ..AMPERE
    },
    MmaFamily { k: 4, types: TF32, a: "((4,8),2):((16,1),8)", b: "((4,8),1):((8,1),0)", ..AMPERE },
    MmaFamily { k: 8, types: TF32, a: "((4,8),(2,2)):((16,1),(8,64))", b: "((4,8),2):((8,1),32)", ..AMPERE },
    MmaFamily { types: &[[F64; 4]], ..DOUBLE },
    MmaFamily { types: &[[C64; 4], [Gc64, C64, C64, Gc64]], instruction: Instruction::COMPLEX, ..DOUBLE },
    MmaFamily {
        m: &[8],
        k: 16,
        types: BYTES,
        a: "((4,8),4):((32,1),8)",
        b: "((4,8),4):((32,1),8)",
        c: ROW_8X8,
        ..INTEGER
    },
    MmaFamily {
        k: 16,
        types: BYTES,
        a: "((4,8),(4,2)):((64,1),(16,8))",
        b: "((4,8),4):((32,1),8)",
        ..INTEGER
    },
    MmaFamily {
        k: 32,
        types: BYTES,
        a: "((4,8),(4,2,2)):((64,1),(16,8,256))",
        b: "((4,8),(4,2)):((32,1),(8,128))",
        ..INTEGER
    },
    MmaFamily {
        m: &[8],
        k: 32,
        types: NIBBLES,
        a: "((4,8),(8)):((64,1),(8))",
        b: "((4,8),(8)):((64,1),(8))",
        c: ROW_8X8,
        ..INTEGER
    },
    MmaFamily {
        k: 32,
        types: NIBBLES,
        a: "((4,8),(8,2)):((128,1),(16,8))",
        b: "((4,8),(8)):((64,1),(8))",
        ..INTEGER
    },
    MmaFamily {
        k: 64,
        types: NIBBLES,
        a: "((4,8),(8,2,2)):((128,1),(16,8,512))",
        b: "((4,8),(8,2)):((64,1),(8,256))",
        ..INTEGER
    },
    MmaFamily {
        m: &[8],
        k: 128,
        a: "((4,8),32):((256,1),8)",
        b: "((4,8),32):((256,1),8)",
        c: ROW_8X8,
        ..BITS
    },
    MmaFamily { k: 128, a: "((4,8),(32,2)):((512,1),(16,8))", b: "((4,8),32):((256,1),8)", ..BITS },
    MmaFamily {
        k: 256,
        a: "((4,8),(32,2,2)):((512,1),(16,8,2048))",
        b: "((4,8),(32,2)):((256,1),(8,1024))",
        ..BITS
    },
];
