//! Scale factors of a block-scaled `mma.sync`: the lanes and bytes that hold them.
//!
//! Row i of A, or column i of B, has `count` factors, one for each block of K. They are adjacent
//! bytes of one lane's word. CuTe's layout of the factors names several lanes for each row: those
//! that the instruction's thread selector chooses from. Its byte selector is the first byte.

use super::rules::ScaleRule;
use crate::tensor::scales::{Factor, numbers};
use crate::tensor::{LANES, sums::Factored};
use cute_algebra::{Tuple, crd2idx};
use cute_arch::atoms::{BlockScale, MmaAtom};

/// The factors of an atom.
#[derive(Debug)]
pub struct WarpScales {
    scale: BlockScale,
    /// For each row of A and each column of B, the lanes that may hold its factors.
    lanes: [Vec<Vec<usize>>; 2],
    numbers: Box<[Factor; 256]>,
}

/// The operands of an instruction for the scale factors of A, and of B.
#[derive(Debug, Clone, Copy)]
pub struct Scaled<'a> {
    /// A word of each lane.
    pub words: [&'a [u32]; 2],
    /// The byte selector and the thread selector.
    pub selectors: [[u32; 2]; 2],
}

impl WarpScales {
    /// The factors of an atom. Returns `None` if it has none in registers, or if its layouts do not
    /// name the same number of lanes for every row.
    pub(super) fn new(atom: &MmaAtom) -> Option<Self> {
        let scale = atom.block_scale()?;
        let layouts = atom.scale.as_ref()?.layouts.as_ref()?;
        let [m, n, _] = atom.shape.map(|extent| extent as usize);
        let lanes = |matrix: usize, rows: usize| -> Option<Vec<Vec<usize>>> {
            let mut lanes = vec![Vec::new(); rows];
            for lane in 0..LANES {
                let first = Tuple::from_leaves([lane as i64, 0]).to_coord();
                let row = *crd2idx(&first, &layouts[matrix]).ok()?.as_leaf()?;
                lanes.get_mut(row as usize)?.push(lane);
            }
            lanes.iter().all(|of_row| of_row.len() == LANES / rows).then_some(lanes)
        };
        Some(WarpScales { scale, lanes: [lanes(0, m)?, lanes(1, n)?], numbers: numbers(scale.element) })
    }

    /// Checks a byte selector (0) or a thread selector (1) of A (0) or B (1).
    pub fn check(&self, matrix: usize, selector: usize, given: u64) -> Result<(), ScaleRule> {
        let legal: Vec<u32> = match selector {
            0 => self.scale.first_bytes().collect(),
            _ => (0..self.lanes[matrix][0].len() as u32).collect(),
        };
        if legal.iter().any(|legal| u64::from(*legal) == given) {
            return Ok(());
        }
        Err(ScaleRule::Selector { matrix, selector, given, legal })
    }

    /// The bytes with the factors of A (0) or B (1): row after row, `count` for each.
    fn codes(&self, matrix: usize, scaled: &Scaled<'_>) -> impl Iterator<Item = u8> {
        let ([byte, thread], words) = (scaled.selectors[matrix], scaled.words[matrix]);
        let bytes = byte..byte + self.scale.count;
        self.lanes[matrix].iter().flat_map(move |lanes| {
            let word = words[lanes[thread as usize]];
            bytes.clone().map(move |byte| (word >> (8 * byte)) as u8)
        })
    }

    /// The rows of A (0) or columns of B (1) with a factor in these bits.
    pub(super) fn rows_with(&self, matrix: usize, bits: &Scaled<'_>) -> Vec<bool> {
        let codes: Vec<u8> = self.codes(matrix, bits).collect();
        codes.chunks(self.scale.count as usize).map(|row| row.iter().any(|code| *code != 0)).collect()
    }

    /// The factors of an instruction with these operands.
    pub(super) fn factors(&self, scaled: &Scaled<'_>) -> OfWarp {
        let factors =
            |matrix: usize| self.codes(matrix, scaled).map(|code| self.numbers[usize::from(code)]).collect();
        OfWarp { count: self.scale.count as usize, factors: [factors(0), factors(1)] }
    }
}

/// The factors of A and of B, row after row and column after column.
#[derive(Debug)]
pub(super) struct OfWarp {
    count: usize,
    factors: [Vec<Factor>; 2],
}

impl Factored for OfWarp {
    fn count(&self) -> usize {
        self.count
    }

    fn of(&self, row: usize, column: usize, block: usize) -> [Factor; 2] {
        let [a, b] = &self.factors;
        [a[row * self.count + block], b[column * self.count + block]]
    }
}
