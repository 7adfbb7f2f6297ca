//! MMAs and copies as functions of shared memory and tensor memory.

use super::queue::{Multiply, TensorMatrix};
use crate::memory::tensor::{TensorMemories, word};
use crate::shared::SharedMemory;
use crate::tensor::accumulators::Accumulators;
use crate::tensor::sums::Sums;
use crate::tensor::tiles::Tile;
use cute_arch::Element;

/// Copies rows of shared memory, each to several words of its block.
pub(super) fn copy_rows(
    blocks: Vec<(u32, Tile)>,
    words: &[Vec<usize>],
    shared: &SharedMemory,
    tensor: &mut TensorMemories,
) {
    for (rank, tile) in blocks {
        let bytes = tile.tile.bytes(shared.bytes_from(tile.origin));
        let row = bytes.len() / words.len().max(1);
        for (bytes, words) in bytes.chunks_exact(row.max(1)).zip(words) {
            let memory = tensor.of(rank);
            for first in words {
                for (at, word) in (*first..).zip(bytes.chunks_exact(4)) {
                    let value = word.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte));
                    memory.write(at, value, true);
                }
            }
        }
    }
}

impl Multiply {
    /// Executes the MMA: reads its matrices, and writes D.
    pub(super) fn multiply(self, shared: &SharedMemory, tensor: &mut TensorMemories, rules: Sums) {
        let Multiply { model, blocks, d, fresh, scale, scales, zeros, disabled } = self;
        let [_, n, k] = model.descriptor().shape.map(|extent| extent as usize);
        let mut b = vec![0.0; n * k];
        for (i, (_, _, tile)) in blocks.iter().enumerate() {
            let memory = shared.bytes_from(tile.origin);
            model.b_of_tile(&tile.tile, memory, i, &mut b);
        }
        for (column, _) in zeros.iter().enumerate().filter(|(_, is_zero)| **is_zero) {
            b.iter_mut().skip(column).step_by(n).for_each(|element| *element = 0.0);
        }
        for (i, (rank, matrix, _)) in blocks.into_iter().enumerate() {
            let tensor = tensor.of(rank);
            // Rows of A, or of its copies, that have an undefined element.
            let mut spoilt = Vec::new();
            let a = match matrix {
                TensorMatrix::Shared(tile) => {
                    let memory = shared.bytes_from(tile.origin);
                    model.a_of_tile(&tile.tile, memory)
                }
                TensorMatrix::Tensor(at) => {
                    let words = || model.a().iter().map(|(word, _)| at + *word as usize);
                    spoilt.extend(
                        (0..)
                            .zip(words())
                            .filter(|(_, at)| !tensor.is_written(*at))
                            .map(|(i, _): (usize, _)| i / k),
                    );
                    spoilt.dedup();
                    model.a_of_words(words().map(|at| tensor.read(at)))
                }
            };
            let words = || model.d().iter().map(|word| d + *word as usize);
            let mut accumulators = if fresh {
                Accumulators::zero(model.descriptor().d, model.d().len())
            } else {
                model.accumulators(words().map(|at| tensor.read(at)))
            };
            if scale != 0 && !fresh {
                accumulators.scale_down(model.descriptor().d == Element::F16, scale);
            }
            let rows = model.parts()[0] as usize;
            let factors = model.scales().zip(scales).map(|(factors, at)| {
                [0, 1].map(|matrix| {
                    let word =
                        |from: usize| (tensor.read(at[matrix] + from), tensor.defined(at[matrix] + from));
                    factors.read(matrix, word)
                })
            });
            let copies = a.chunks_exact(rows * k).map(|a| {
                let mut accumulators = accumulators.clone();
                model.multiply([a, &b], factors.as_ref(), (fresh, rules), &mut accumulators);
                accumulators
            });
            let accumulators: Vec<Accumulators> = copies.collect();
            // The copy of A that a sum is made of.
            let copy = |place: usize| place % n * accumulators.len() / n;
            let disabled = &disabled[(4 * i).min(disabled.len())..];
            let is_disabled = |at: usize| {
                let lane = at / word(1, 0);
                disabled.get(lane / 32).is_some_and(|lanes| lanes >> (lane % 32) & 1 != 0)
            };
            for (place, at) in words().enumerate().filter(|(_, at)| !is_disabled(*at)) {
                let copy = copy(place);
                let row = copy * rows + place / n;
                let is_scaled = || factors.as_ref().is_none_or(|factors| model.is_scaled_by(factors, place));
                let is_known = (fresh || tensor.is_written(at)) && !spoilt.contains(&row) && is_scaled();
                tensor.write(at, model.word(&accumulators[copy], place), is_known);
            }
        }
    }
}
