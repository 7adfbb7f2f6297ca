//! Ampere: `mma.sp.sync`, with twice the K of `mma.sync`. Of 4 consecutive elements of A, 2 are
//! stored; for tf32, 1 of 2; for 4-bit elements, two pairs of 8.
//!
//! CuTe has no traits for them. The layouts are those of the PTX ISA's fragments (matrix fragments
//! of sparse `mma`), where a stored value represents the elements of A that it is chosen from.
//! Those of sm_120, which CuTe has, agree. The sparsity selector of the instruction chooses the
//! threads whose metadata is read, so the metadata has no layout of its own.

use super::mma::{AMPERE, BYTES, HALVES, INTEGER, NIBBLES, TF32};
use crate::atoms::{family::MmaFamily, model::Instruction};

const fn sparse(dense: MmaFamily, k: u32, per_byte: u32) -> MmaFamily {
    let name = "SM80_SPARSE_{m}x{n}x{k}_{D}{A}{B}{C}_TN{op}";
    let sparse = Some((2, per_byte, None));
    MmaFamily { name, instruction: Instruction::MMA_SYNC.sparse(), k, sparse, ..dense }
}

pub(crate) const MMA: &[MmaFamily] = &[
    MmaFamily {
        types: HALVES,
        a: "((4,8),(4,2)):((64,1),(16,8))",
        b: "((4,8),(2,2)):((16,1),(8,64))",
        ..sparse(AMPERE, 16, 8)
    },
    MmaFamily {
        types: HALVES,
        a: "((4,8),(4,2,2)):((64,1),(16,8,256))",
        b: "((4,8),(2,4)):((16,1),(8,64))",
        ..sparse(AMPERE, 32, 8)
    },
    MmaFamily {
        types: TF32,
        a: "((4,8),(2,2)):((32,1),(16,8))",
        b: "((4,8),2):((8,1),32)",
        ..sparse(AMPERE, 8, 4)
    },
    MmaFamily {
        types: TF32,
        a: "((4,8),(2,2,2)):((32,1),(16,8,128))",
        b: "((4,8),4):((8,1),32)",
        ..sparse(AMPERE, 16, 4)
    },
    MmaFamily {
        types: BYTES,
        a: "((4,8),(8,2)):((128,1),(16,8))",
        b: "((4,8),(4,2)):((32,1),(8,128))",
        ..sparse(INTEGER, 32, 8)
    },
    MmaFamily {
        types: BYTES,
        a: "((4,8),(8,2,2)):((128,1),(16,8,512))",
        b: "((4,8),(4,4)):((32,1),(8,128))",
        ..sparse(INTEGER, 64, 8)
    },
    MmaFamily {
        types: NIBBLES,
        a: "((4,8),(16,2)):((256,1),(16,8))",
        b: "((4,8),(8,2)):((64,1),(8,256))",
        ..sparse(INTEGER, 64, 16)
    },
    MmaFamily {
        types: NIBBLES,
        a: "((4,8),(16,2,2)):((256,1),(16,8,1024))",
        b: "((4,8),(8,4)):((64,1),(8,256))",
        ..sparse(INTEGER, 128, 16)
    },
];
