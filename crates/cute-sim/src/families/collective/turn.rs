//! `movmatrix`: a matrix in registers, transposed.

use crate::tensor::LANES;

/// `movmatrix.m8n8.trans.b16`: transposes one matrix. Lane l holds elements 2 (l % 4) + {0, 1} of
/// row l / 4.
pub fn movmatrix(words: &[u32; LANES]) -> [u32; LANES] {
    let half = |row: usize, column: usize| words[row * 4 + column / 2] >> (column % 2 * 16) & 0xffff;
    std::array::from_fn(|lane| {
        let (row, column) = (lane / 4, lane % 4 * 2);
        half(column, row) | half(column + 1, row) << 16
    })
}
