//! The places of a matrix's elements in the registers of a warp. This module contains thread-value
//! layouts and packed words.

use super::LANES;
use cute_algebra::{Layout, Tuple, crd2idx};
use cute_arch::atoms::Operand;

/// The elements of a matrix, row after row, in registers.
#[derive(Debug)]
pub(crate) struct Fragment {
    /// 32-bit registers of a lane.
    pub(crate) registers: usize,
    /// For each element, its bit among all registers of the warp.
    bits: Vec<u32>,
    /// Bits of the element itself.
    width: u32,
}

/// The rows and columns of elements: those of lane 0, in the order of its registers, and those that
/// each bit of another lane's number adds to them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// The row and the column of each element of lane 0.
    pub elements: Vec<[usize; 2]>,
    /// The rows and columns that each bit adds.
    pub lanes: [[usize; 2]; LANES.ilog2() as usize],
}

/// Bits of a byte below the fp4 in it: PTX wants `0b00xxxx00`.
const CENTRE_OF_BYTE: u32 = 2;

impl Fragment {
    /// The fragment of a matrix with this number of rows. `thr_id` maps threads to lanes.
    ///
    /// Returns `None` if the layout does not name every element once.
    pub(crate) fn new(operand: &Operand, thr_id: &Layout<i64>, rows: usize, columns: usize) -> Option<Self> {
        let width = operand.element.bits();
        let registers = operand.registers();
        let threads = at_all(thr_id)?;
        let offset = if operand.bits == 8 && width == 4 { CENTRE_OF_BYTE } else { 0 };
        let mut bits = vec![u32::MAX; rows * columns];
        for (index, column_major) in at_all(&operand.layout)?.into_iter().enumerate() {
            let (thread, value) = (index % threads.len(), index / threads.len());
            let lane = threads[thread] as u32;
            let element = column_major as usize;
            let bit = bits.get_mut(element % rows * columns + element / rows)?;
            if *bit != u32::MAX {
                return None;
            }
            *bit = lane * registers as u32 * 32 + value as u32 * operand.bits + offset;
        }
        (!bits.contains(&u32::MAX)).then_some(Fragment { registers, bits, width })
    }

    /// The codes of all elements, row after row. Lanes count from `first`.
    pub(crate) fn gather(&self, registers: &[u32], first: usize) -> impl Iterator<Item = u64> {
        let base = first * self.registers;
        let mask = u64::MAX >> (64 - self.width);
        self.bits.iter().map(move |bit| {
            let word = base + (bit / 32) as usize;
            let high = if self.width > 32 { u64::from(registers[word + 1]) << 32 } else { 0 };
            (high | u64::from(registers[word])) >> (bit % 32) & mask
        })
    }

    /// Writes the codes of all elements, row after row, to their places. Registers are written
    /// whole, starting from zero.
    pub(crate) fn scatter(&self, codes: impl Iterator<Item = u64>, registers: &mut [u32], first: usize) {
        let base = first * self.registers;
        for (bit, code) in self.bits.iter().zip(codes) {
            let word = base + (bit / 32) as usize;
            registers[word] |= (code << (bit % 32)) as u32;
            if self.width > 32 {
                registers[word + 1] |= (code >> 32) as u32;
            }
        }
    }

    /// The elements in the registers of lane 0, lowest first, and the rows and columns that each
    /// bit of another lane's number adds. `columns`: elements of a row.
    ///
    /// Returns `None` if the places are not such sums.
    pub(crate) fn places(&self, columns: usize) -> Option<Places> {
        let of_lane = self.registers as u32 * 32;
        let at = |element: usize| [element / columns, element % columns];
        let find = |bit: u32| Some(at(self.bits.iter().position(|other| *other == bit)?));
        let mut own: Vec<(u32, [usize; 2])> = (0..self.bits.len())
            .filter(|element| self.bits[*element] < of_lane)
            .map(|element| (self.bits[element], at(element)))
            .collect();
        own.sort_unstable();
        let mut lanes = [[0; 2]; LANES.ilog2() as usize];
        for (bit, added) in lanes.iter_mut().enumerate() {
            *added = find(of_lane << bit)?;
        }
        let is_sum = self.bits.iter().enumerate().all(|(element, place)| {
            let (lane, within) = (place / of_lane, place % of_lane);
            let base = own.iter().find(|(bit, _)| *bit == within).map(|(_, at)| *at).unwrap_or_default();
            let sum = lanes.iter().enumerate().filter(|(bit, _)| lane >> bit & 1 != 0);
            sum.fold(base, |[row, column], (_, [r, c])| [row + r, column + c]) == at(element)
        });
        is_sum.then(|| Places { elements: own.into_iter().map(|(_, at)| at).collect(), lanes })
    }

    /// Words of all lanes.
    pub(crate) fn words(&self) -> usize {
        LANES * self.registers
    }
}

/// A layout at 0, 1, 2, ..: colexicographic, so of (thread, value) the thread is fastest.
pub(crate) fn at_all(layout: &Layout<i64>) -> Option<Vec<i64>> {
    let size = layout.shape().leaves().iter().product::<i64>();
    let at = |index| crd2idx(&Tuple::leaf(index).to_coord(), layout).ok()?.as_leaf().copied();
    (0..size).map(at).collect()
}
