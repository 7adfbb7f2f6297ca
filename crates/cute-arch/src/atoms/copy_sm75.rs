//! Turing: `ldmatrix`, which reads 8 x 8 matrices of 16 bits by rows of 128 bits, and `movmatrix`.

use super::copy::{CopyFamily, Side, THREAD};
use crate::feature::Feature;

/// One, two or four matrices: the rows whose addresses lanes give. Other lanes repeat them.
pub(super) const ROWS_X1: &str = "((8,4),128):((128,0),1)";
/// See [`ROWS_X1`].
pub(super) const ROWS_X2: &str = "((16,2),128):((128,0),1)";
/// See [`ROWS_X1`].
pub(super) const ROWS_X4: &str = "(32,128):(128,1)";

/// A word of a row for each lane, of as many matrices.
pub(super) const WORD_X1: &str = "(32,32):(32,1)";
/// See [`WORD_X1`].
pub(super) const WORD_X2: &str = "(32,(32,2)):(32,(1,1024))";
/// See [`WORD_X1`].
pub(super) const WORD_X4: &str = "(32,(32,4)):(32,(1,1024))";

/// Two neighbours of a column of 16 bits for each lane, of as many matrices.
pub(super) const COLUMN_X1: &str = "((4,8),(16,2)):((256,16),(1,128))";
/// See [`COLUMN_X1`].
pub(super) const COLUMN_X2: &str = "((4,8),(16,2,2)):((256,16),(1,128,1024))";
/// See [`COLUMN_X1`].
pub(super) const COLUMN_X4: &str = "((4,8),(16,2,4)):((256,16),(1,128,1024))";

const LOAD: CopyFamily =
    CopyFamily { thr_id: "32:1", reference: Side::Dst, on: Feature::Ldmatrix.on(), ..THREAD };

pub(super) const COPY: &[CopyFamily] = &[
    CopyFamily { name: "SM75_U32x1_LDSM_N", src: ROWS_X1, dst: WORD_X1, ..LOAD },
    CopyFamily { name: "SM75_U32x2_LDSM_N", src: ROWS_X2, dst: WORD_X2, ..LOAD },
    CopyFamily { name: "SM75_U32x4_LDSM_N", src: ROWS_X4, dst: WORD_X4, ..LOAD },
    CopyFamily { name: "SM75_U16x2_LDSM_T", src: ROWS_X1, dst: COLUMN_X1, ..LOAD },
    CopyFamily { name: "SM75_U16x4_LDSM_T", src: ROWS_X2, dst: COLUMN_X2, ..LOAD },
    CopyFamily { name: "SM75_U16x8_LDSM_T", src: ROWS_X4, dst: COLUMN_X4, ..LOAD },
    // CuTe's traits do not say what it moves.
    CopyFamily { name: "SM75_U32x1_MOVM_T", src: WORD_X1, dst: WORD_X1, ..LOAD },
];
