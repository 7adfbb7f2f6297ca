//! Hopper: `stmatrix`, the way back of `ldmatrix`.

use crate::{
    atoms::{
        family::{CopyFamily, THREAD},
        model::{MatrixElement::B16, stmatrix},
        rows::common::*,
    },
    feature::Feature,
};

const STORE: CopyFamily = CopyFamily { thr_id: "32:1", on: Feature::Stmatrix.on(), ..THREAD };

pub(crate) const COPY: &[CopyFamily] = &[
    CopyFamily {
        name: "SM90_U32x1_STSM_N",
        instruction: |_| stmatrix(B16, 1, false),
        src: WORD_X1,
        dst: ROWS_X1,
        ..STORE
    },
    CopyFamily {
        name: "SM90_U32x2_STSM_N",
        instruction: |_| stmatrix(B16, 2, false),
        src: WORD_X2,
        dst: ROWS_X2,
        ..STORE
    },
    CopyFamily {
        name: "SM90_U32x4_STSM_N",
        instruction: |_| stmatrix(B16, 4, false),
        src: WORD_X4,
        dst: ROWS_X4,
        ..STORE
    },
    CopyFamily {
        name: "SM90_U16x2_STSM_T",
        instruction: |_| stmatrix(B16, 1, true),
        src: COLUMN_X1,
        dst: ROWS_X1,
        ..STORE
    },
    CopyFamily {
        name: "SM90_U16x4_STSM_T",
        instruction: |_| stmatrix(B16, 2, true),
        src: COLUMN_X2,
        dst: ROWS_X2,
        ..STORE
    },
    CopyFamily {
        name: "SM90_U16x8_STSM_T",
        instruction: |_| stmatrix(B16, 4, true),
        src: COLUMN_X4,
        dst: ROWS_X4,
        ..STORE
    },
];
