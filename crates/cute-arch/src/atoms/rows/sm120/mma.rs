//! Desktop Blackwell: `mma.sync` on any two floats of 8, 6 and 4 bits, each in a byte. With scales
//! also packed floats, and with a sparse A.

use crate::{
    atoms::{
        family::{MmaFamily, WARP},
        model::Instruction,
        rows::common::{A_16X32, B_8X32, pairs},
    },
    element::Element::{E2m1, F16, F32, Ue4m3, Ue8m0},
    feature::Feature,
};

const BYTE: MmaFamily = MmaFamily {
    name: "SM120_{m}x{n}x{k}_TN<{a_t},{b_t},{c_t}>",
    on: Feature::MmaF8f6f4.on(),
    k: 32,
    container: Some(8),
    a: A_16X32,
    b: B_8X32,
    ..WARP
};

/// Scales: half of the threads hold those of A, a quarter those of B.
const SF_32: Option<[&str; 2]> = Some(["((2,2,8),32):((8,0,1),16)", "((4,8),32):((0,1),8)"]);
const SF_64: Option<[&str; 2]> = Some(["((2,2,8),64):((8,0,1),16)", "((4,8),64):((0,1),8)"]);
const SF_128: Option<[&str; 2]> = Some(["((2,2,8),128):((8,0,1),16)", "((4,8),128):((0,1),8)"]);

/// fp4, packed.
const NIBBLE: MmaFamily = MmaFamily {
    instruction: Instruction::MMA_SYNC.scaled(),
    k: 64,
    types: &[[F32, E2m1, E2m1, F32]],
    container: None,
    a: "((4,8),(8,2,2)):((128,1),(16,8,512))",
    b: "((4,8),(8,2)):((64,1),(8,256))",
    ..BYTE
};

/// Two pairs of 8 consecutive fp4 elements of A are stored, each pair in a byte.
const SPARSE_NIBBLE: MmaFamily = MmaFamily {
    instruction: Instruction::MMA_SYNC.sparse().scaled(),
    k: 128,
    container: Some(8),
    container_b: Some(4),
    on: Feature::MmaSparseFp4.on(),
    sparse: Some((4, 16, Some("((2,2,8),(64)):((8,1024,1),(16))"))),
    a: "((4,8),(16,2,2)):((256,1),(16,8,1024))",
    b: "((4,8),(8,4)):((64,1),(8,256))",
    ..NIBBLE
};

pub(crate) const MMA: &[MmaFamily] = &[
    MmaFamily { types: &pairs(F32), ..BYTE },
    MmaFamily { types: &pairs(F16), ..BYTE },
    MmaFamily {
        name: "SM120_{m}x{n}x{k}_TN_VS<{a},{b},{c_t},ue8m0,32>",
        instruction: Instruction::MMA_SYNC.scaled(),
        types: &pairs(F32),
        scale: Some((Ue8m0, 32, SF_32)),
        ..BYTE
    },
    MmaFamily {
        name: "SM120_{m}x{n}x{k}_TN_VS<{a},{b},{c_t},ue8m0,32>",
        scale: Some((Ue8m0, 32, SF_64)),
        ..NIBBLE
    },
    MmaFamily {
        name: "SM120_{m}x{n}x{k}_TN_VS<{a},{b},{c_t},ue4m3,16>",
        scale: Some((Ue4m3, 16, SF_64)),
        ..NIBBLE
    },
    MmaFamily {
        name: "SM120_{m}x{n}x{k}_TN_VS<{a},{b},{c_t},ue8m0,16>",
        scale: Some((Ue8m0, 16, SF_64)),
        ..NIBBLE
    },
    MmaFamily {
        name: "SM120_SPARSE_{m}x{n}x{k}_TN<{a},{b},{c_t}>",
        instruction: Instruction::MMA_SYNC.sparse(),
        types: &pairs(F32),
        k: 64,
        sparse: Some((2, 8, Some("((2,2,8),32):((8,512,1),16)"))),
        a: "((4,8),(8,2,2)):((128,1),(16,8,512))",
        b: "((4,8),(4,4)):((32,1),(8,128))",
        ..BYTE
    },
    MmaFamily {
        name: "SM120_SPARSE_{m}x{n}x{k}_TN_VS<{a},{b},{c_t},ue4m3,32>",
        scale: Some((Ue4m3, 32, SF_128)),
        ..SPARSE_NIBBLE
    },
];
