//! Turing: `ldmatrix`, which reads 8 x 8 matrices of 16 bits by rows of 128 bits, and `movmatrix`.

use crate::{
    atoms::{
        family::{CopyFamily, Side, THREAD},
        model::{CopyInstruction::Movmatrix, MatrixElement::B16, ldmatrix},
        rows::common::*,
    },
    feature::Feature,
};

const LOAD: CopyFamily =
    CopyFamily { thr_id: "32:1", reference: Side::Dst, on: Feature::Ldmatrix.on(), ..THREAD };

pub(crate) const COPY: &[CopyFamily] = &[
    CopyFamily {
        name: "SM75_U32x1_LDSM_N",
        instruction: |_| ldmatrix(B16, 1, false),
        src: ROWS_X1,
        dst: WORD_X1,
        ..LOAD
    },
    CopyFamily {
        name: "SM75_U32x2_LDSM_N",
        instruction: |_| ldmatrix(B16, 2, false),
        src: ROWS_X2,
        dst: WORD_X2,
        ..LOAD
    },
    CopyFamily {
        name: "SM75_U32x4_LDSM_N",
        instruction: |_| ldmatrix(B16, 4, false),
        src: ROWS_X4,
        dst: WORD_X4,
        ..LOAD
    },
    CopyFamily {
        name: "SM75_U16x2_LDSM_T",
        instruction: |_| ldmatrix(B16, 1, true),
        src: ROWS_X1,
        dst: COLUMN_X1,
        ..LOAD
    },
    CopyFamily {
        name: "SM75_U16x4_LDSM_T",
        instruction: |_| ldmatrix(B16, 2, true),
        src: ROWS_X2,
        dst: COLUMN_X2,
        ..LOAD
    },
    CopyFamily {
        name: "SM75_U16x8_LDSM_T",
        instruction: |_| ldmatrix(B16, 4, true),
        src: ROWS_X4,
        dst: COLUMN_X4,
        ..LOAD
    },
    // CuTe's traits do not contain a layout for it.
    CopyFamily { name: "SM75_U32x1_MOVM_T", instruction: |_| Movmatrix, src: WORD_X1, dst: WORD_X1, ..LOAD },
];
