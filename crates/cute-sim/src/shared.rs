//! The shared memory of a cluster: the windows of its blocks, one after the other, with the shadow
//! in which races are found.

use crate::memory::address::SHARED_BASE;
use crate::memory::tracked::Tracked;
use crate::race::{Cell, SyncTable, Window};

/// Where the windows of blocks lie in the shared memory of their cluster.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Windows {
    /// Bytes between adjacent windows.
    stride: usize,
}

impl Windows {
    pub(crate) fn new(stride: usize) -> Self {
        Windows { stride }
    }

    /// Bytes between adjacent windows, which are at least 1.
    #[inline]
    pub(crate) fn stride(self) -> usize {
        self.stride.max(1)
    }

    /// The place where the window of a block begins.
    #[inline]
    pub(crate) fn start(self, rank: u32) -> usize {
        rank as usize * self.stride
    }

    /// The rank of the block whose window has a place.
    #[inline]
    pub(crate) fn rank_of(self, at: usize) -> u32 {
        (at / self.stride()) as u32
    }

    /// The address in its block of a place.
    #[inline]
    pub(crate) fn address_of(self, at: usize) -> u64 {
        SHARED_BASE + (at % self.stride()) as u64
    }
}

pub(crate) struct SharedMemory {
    /// The windows of all blocks, one after the other; each begins at `SHARED_BASE`.
    bytes: Tracked,
    windows: Windows,
    /// Blocks whose threads are all done, by rank.
    ended: u32,
    /// A cell for each word of the windows, or none if races are not checked.
    cells: Vec<Cell>,
    /// The knowledge that atomic and volatile accesses publish.
    sync: SyncTable,
}

impl SharedMemory {
    /// Windows of `stride` bytes, with cells if races are checked.
    pub(crate) fn new(stride: usize, blocks: u32, check_races: bool) -> Self {
        let bytes = stride * blocks as usize;
        let cells = if check_races { bytes.div_ceil(4) } else { 0 };
        let windows = Windows::new(stride);
        SharedMemory {
            bytes: Tracked::new(bytes),
            windows,
            ended: 0,
            cells: vec![Cell::default(); cells],
            sync: SyncTable::default(),
        }
    }

    #[inline]
    pub(crate) fn bytes(&self) -> &Tracked {
        &self.bytes
    }

    #[inline]
    pub(crate) fn bytes_mut(&mut self) -> &mut Tracked {
        &mut self.bytes
    }

    /// All bytes from a place on.
    pub(crate) fn bytes_from(&self, at: usize) -> &[u8] {
        self.bytes.slice(at, self.bytes.len() - at)
    }

    /// All threads of this block are done.
    pub(crate) fn end(&mut self, rank: u32) {
        self.ended |= 1 << rank;
    }

    /// Whether all threads of a block are done.
    pub(crate) fn has_ended(&self, rank: u32) -> bool {
        self.ended >> rank & 1 != 0
    }

    /// The shadow of all windows.
    #[inline]
    pub(crate) fn shadow(&mut self) -> Window<'_> {
        Window { cells: &mut self.cells, first: 0 }
    }

    /// The shadow of a word.
    pub(crate) fn cell(&self, word: usize) -> Option<&Cell> {
        self.cells.get(word)
    }

    /// The first word of a block's window, and the shadow of all its words.
    pub(crate) fn cells_of(&self, rank: u32) -> Option<(usize, &[Cell])> {
        let words = self.windows.stride / 4;
        let start = rank as usize * words;
        Some((start, self.cells.get(start..start + words)?)).filter(|_| !self.cells.is_empty())
    }

    /// Bytes between adjacent windows, which are at least 1.
    #[inline]
    pub(crate) fn stride(&self) -> usize {
        self.windows.stride()
    }

    /// The knowledge that atomic and volatile accesses publish.
    pub(crate) fn sync(&mut self) -> &mut SyncTable {
        &mut self.sync
    }

    /// The place where the window of a block begins.
    #[inline]
    pub(crate) fn window(&self, rank: u32) -> usize {
        self.windows.start(rank)
    }

    /// The rank of the block whose window has a place.
    #[inline]
    pub(crate) fn rank_of(&self, at: usize) -> u32 {
        self.windows.rank_of(at)
    }

    /// The address in its block of a place.
    #[inline]
    pub(crate) fn address_of(&self, at: usize) -> u64 {
        self.windows.address_of(at)
    }
}
