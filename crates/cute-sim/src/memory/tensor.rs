//! The tensor memory of a block: 128 lanes of 512 columns of 32 bits, which warps allocate by
//! columns.

use crate::race::Cell;
use crate::tensor::tmem::{Rect, TENSOR_COLUMNS, TENSOR_LANES};

/// Columns are allocated in units of this number.
pub(crate) const UNIT: u32 = 32;

/// The number of lanes that share a cell for each column. A bit of the cell's bytes represents two
/// of them.
const CELL_LANES: u32 = 16;

/// Columns that were allocated together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(crate) first: u32,
    pub(crate) count: u32,
    /// The instruction that allocated them, and the thread of the cluster.
    pub(crate) site: u32,
    pub(crate) thread: u32,
    /// Whether a pair of blocks allocated it.
    pub(crate) pair: bool,
    /// The time at which the allocation returned in that thread, if it has.
    pub(crate) returned: Option<u32>,
    /// The instruction that freed them, if one did.
    pub(crate) freed: Option<u32>,
}

/// The four bytes of a word.
pub(crate) const ALL_BYTES: u8 = 0xf;

#[derive(Debug)]
pub(crate) struct TensorMemory {
    words: Vec<u32>,
    /// The bytes of each word that are defined: a bit for each.
    defined: Vec<u8>,
    /// Cells by groups of lanes, and columns in them.
    pub(crate) cells: Vec<Cell>,
    /// All allocations so far, except those that were allocated again.
    pub(crate) columns: Vec<Columns>,
    /// The instruction that gave up the right to allocate.
    pub(crate) relinquished: Option<u32>,
}

/// The tensor memory of each block of a cluster, if it was used.
#[derive(Debug)]
pub(crate) struct TensorMemories(Vec<Option<Box<TensorMemory>>>);

impl TensorMemories {
    /// Those of this number of blocks, which have used none.
    pub(crate) fn new(blocks: u32) -> Self {
        TensorMemories((0..blocks).map(|_| None).collect())
    }

    /// That of the block with this rank, if it was used.
    pub(crate) fn get(&self, rank: u32) -> Option<&TensorMemory> {
        self.0[rank as usize].as_deref()
    }

    pub(crate) fn get_mut(&mut self, rank: u32) -> Option<&mut TensorMemory> {
        self.0[rank as usize].as_deref_mut()
    }

    /// That of the block with this rank, for whoever uses it.
    pub(crate) fn of(&mut self, rank: u32) -> &mut TensorMemory {
        self.0[rank as usize].get_or_insert_with(|| Box::new(TensorMemory::new()))
    }
}

/// The number of a word, of 512 in a lane.
pub(crate) fn word(lane: u32, column: u32) -> usize {
    (lane * TENSOR_COLUMNS + column) as usize
}

impl TensorMemory {
    fn new() -> Self {
        let words = (TENSOR_LANES * TENSOR_COLUMNS) as usize;
        TensorMemory {
            words: vec![0; words],
            defined: vec![0; words],
            cells: vec![Cell::default(); words / CELL_LANES as usize],
            columns: Vec::new(),
            relinquished: None,
        }
    }

    /// Approximate size on the host in bytes.
    pub(crate) fn bytes() -> u64 {
        let words = u64::from(TENSOR_LANES * TENSOR_COLUMNS);
        words * 5 + words / u64::from(CELL_LANES) * size_of::<Cell>() as u64
    }

    pub(crate) fn read(&self, word: usize) -> u32 {
        self.words[word]
    }

    /// Whether all of a word is defined.
    pub(crate) fn is_written(&self, word: usize) -> bool {
        self.defined[word] == ALL_BYTES
    }

    /// The bytes of a word that are defined: a bit for each.
    pub(crate) fn defined(&self, word: usize) -> u8 {
        self.defined[word]
    }

    /// Writes a word, with a value or without.
    pub(crate) fn write(&mut self, word: usize, value: u32, written: bool) {
        self.write_bytes(word, value, if written { ALL_BYTES } else { 0 });
    }

    /// Writes a word of which these bytes are defined.
    pub(crate) fn write_bytes(&mut self, word: usize, value: u32, defined: u8) {
        self.words[word] = value;
        self.defined[word] = defined;
    }

    /// The allocation that contains all of these columns, if one does, whether current or already
    /// freed.
    pub(crate) fn holds(&self, first: u32, count: u32) -> Option<Columns> {
        let inside = |own: &&Columns| own.first <= first && first + count <= own.first + own.count;
        self.columns.iter().find(inside).copied()
    }

    /// The allocation for this thread has returned.
    pub(crate) fn returns(&mut self, thread: u32, time: u32) {
        let is_it = |own: &&mut Columns| own.thread == thread && own.freed.is_none();
        if let Some(own) = self.columns.iter_mut().rev().find(is_it) {
            own.returned = Some(time);
        }
    }

    /// Allocates columns, if enough adjacent ones are free.
    pub(crate) fn allocate(&mut self, count: u32, site: u32, thread: u32, pair: bool) -> Option<u32> {
        let first = self.room(count)?;
        let all = first..first + count;
        self.columns.retain(|own| !(own.first < all.end && all.start < own.first + own.count));
        self.columns.push(Columns { first, count, site, thread, pair, returned: None, freed: None });
        for lane in 0..TENSOR_LANES {
            self.defined[word(lane, first)..word(lane, first) + count as usize].fill(0);
        }
        let rect = Rect { lane: 0, lanes: TENSOR_LANES, column: first, columns: count };
        cells(rect).for_each(|(cell, _)| self.cells[cell] = Cell::default());
        Some(first)
    }

    /// A place for this number of free columns. Blocks of a power of two begin at multiples of
    /// their size.
    pub(crate) fn room(&self, count: u32) -> Option<u32> {
        let is_free = |first: &u32| {
            let live = self.columns.iter().filter(|own| own.freed.is_none());
            live.clone().all(|own| first + count <= own.first || own.first + own.count <= *first)
        };
        (0..TENSOR_COLUMNS).step_by(count.max(UNIT) as usize).find(is_free)
    }

    /// The columns that are allocated.
    pub(crate) fn live(&self) -> impl Iterator<Item = &Columns> {
        self.columns.iter().filter(|own| own.freed.is_none())
    }
}

/// The cells of some words, and the bytes of each cell that represent them.
pub(crate) fn cells(rect: Rect) -> impl Iterator<Item = (usize, u8)> {
    let Rect { lane, lanes, column, columns } = rect;
    let (first, end) = (lane, lane + lanes);
    (first / CELL_LANES..end.div_ceil(CELL_LANES)).flat_map(move |group| {
        let from = first.max(group * CELL_LANES) - group * CELL_LANES;
        let to = end.min((group + 1) * CELL_LANES) - group * CELL_LANES;
        let bytes = (u16::MAX << (from / 2) & ((1u16 << to.div_ceil(2)) - 1)) as u8;
        (column..column + columns).map(move |column| ((group * TENSOR_COLUMNS + column) as usize, bytes))
    })
}

/// The lane and the column of a byte of a cell.
pub(crate) fn place(cell: usize, bytes: u8) -> (u32, u32) {
    let group = cell as u32 / TENSOR_COLUMNS;
    (group * CELL_LANES + 2 * bytes.trailing_zeros(), cell as u32 % TENSOR_COLUMNS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_for_sixteen_lanes_of_a_column() {
        let rect = |lane, lanes, column, columns| Rect { lane, lanes, column, columns };
        let all: Vec<_> = cells(rect(0, 32, 5, 2)).collect();
        assert_eq!(all, [(5, 0xff), (6, 0xff), (517, 0xff), (518, 0xff)]);
        let one: Vec<_> = cells(rect(35, 1, 0, 1)).collect();
        assert_eq!(one, [(1024, 0b10)]);
        assert_eq!(place(1024, 0b10), (34, 0));
    }

    #[test]
    fn columns_are_allocated_side_by_side_and_used_again() {
        let mut memory = TensorMemory::new();
        assert_eq!(memory.allocate(256, 0, 0, false), Some(0));
        assert_eq!(memory.allocate(128, 1, 0, false), Some(256));
        assert_eq!(memory.allocate(256, 2, 0, false), None);
        assert_eq!(memory.holds(250, 6).map(|own| own.site), Some(0));
        assert_eq!(memory.holds(250, 7), None);
        memory.columns[0].freed = Some(9);
        assert_eq!(memory.allocate(128, 3, 0, false), Some(0));
        assert_eq!(memory.live().count(), 2);
    }
}
