//! Tables that several generations share: extents, types, and layouts of fragments. No generation
//! takes them from another.

use crate::element::Element::{self, E2m1, E2m3, E3m2, E4m3, E5m2, F16, F32};

/// N of floats: every multiple of 8.
pub(crate) const BY_8: &[u32] = &[
    8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144, 152, 160, 168, 176, 184,
    192, 200, 208, 216, 224, 232, 240, 248, 256,
];
/// Pairs of e4m3 and e5m2, with accumulators of f16 and f32.
pub(crate) const FP8: &[[Element; 4]] = &[
    [F16, E4m3, E4m3, F16],
    [F16, E4m3, E5m2, F16],
    [F16, E5m2, E4m3, F16],
    [F16, E5m2, E5m2, F16],
    [F32, E4m3, E4m3, F32],
    [F32, E4m3, E5m2, F32],
    [F32, E5m2, E4m3, F32],
    [F32, E5m2, E5m2, F32],
];

/// All pairs of floats of at most 8 bits, with accumulators of one type.
pub(crate) const fn pairs(c: Element) -> [[Element; 4]; 25] {
    let formats = [E4m3, E5m2, E3m2, E2m3, E2m1];
    let mut all = [[c; 4]; 25];
    let mut i = 0;
    while i < 25 {
        all[i] = [c, formats[i / 5], formats[i % 5], c];
        i += 1;
    }
    all
}

/// A and B of 16 x 8 x 32, values of a byte.
pub(crate) const A_16X32: &str = "((4,8),(4,2,2)):((64,1),(16,8,256))";
/// See [`A_16X32`].
pub(crate) const B_8X32: &str = "((4,8),(4,2)):((32,1),(8,128))";

/// One, two or four matrices: the rows whose addresses the lanes provide. Other lanes repeat them.
pub(crate) const ROWS_X1: &str = "((8,4),128):((128,0),1)";
/// See [`ROWS_X1`].
pub(crate) const ROWS_X2: &str = "((16,2),128):((128,0),1)";
/// See [`ROWS_X1`].
pub(crate) const ROWS_X4: &str = "(32,128):(128,1)";

/// One word of a row for each lane, in one, two or four matrices.
pub(crate) const WORD_X1: &str = "(32,32):(32,1)";
/// See [`WORD_X1`].
pub(crate) const WORD_X2: &str = "(32,(32,2)):(32,(1,1024))";
/// See [`WORD_X1`].
pub(crate) const WORD_X4: &str = "(32,(32,4)):(32,(1,1024))";

/// Two adjacent 16-bit elements of a column for each lane, in one, two or four matrices.
pub(crate) const COLUMN_X1: &str = "((4,8),(16,2)):((256,16),(1,128))";
/// See [`COLUMN_X1`].
pub(crate) const COLUMN_X2: &str = "((4,8),(16,2,2)):((256,16),(1,128,1024))";
/// See [`COLUMN_X1`].
pub(crate) const COLUMN_X4: &str = "((4,8),(16,2,4)):((256,16),(1,128,1024))";
