//! Hopper: `stmatrix`, the way back of `ldmatrix`.

use super::copy::{CopyFamily, THREAD};
use super::copy_sm75::{
    COLUMN_X1, COLUMN_X2, COLUMN_X4, ROWS_X1, ROWS_X2, ROWS_X4, WORD_X1, WORD_X2, WORD_X4,
};
use crate::feature::Feature;

const STORE: CopyFamily = CopyFamily { thr_id: "32:1", on: Feature::Stmatrix.on(), ..THREAD };

pub(super) const COPY: &[CopyFamily] = &[
    CopyFamily { name: "SM90_U32x1_STSM_N", src: WORD_X1, dst: ROWS_X1, ..STORE },
    CopyFamily { name: "SM90_U32x2_STSM_N", src: WORD_X2, dst: ROWS_X2, ..STORE },
    CopyFamily { name: "SM90_U32x4_STSM_N", src: WORD_X4, dst: ROWS_X4, ..STORE },
    CopyFamily { name: "SM90_U16x2_STSM_T", src: COLUMN_X1, dst: ROWS_X1, ..STORE },
    CopyFamily { name: "SM90_U16x4_STSM_T", src: COLUMN_X2, dst: ROWS_X2, ..STORE },
    CopyFamily { name: "SM90_U16x8_STSM_T", src: COLUMN_X4, dst: ROWS_X4, ..STORE },
];
