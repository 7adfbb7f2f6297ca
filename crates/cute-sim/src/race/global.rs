//! Shadows of global memory, which blocks on several host threads reach at once, and what atomic operations pass on
//! between blocks.

use super::{Cell, Clocks, Record, Who};
use crate::finding::AccessKind;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Words of a page; only pages that are touched take memory.
const PAGE: usize = 256;

type Page = Mutex<Box<[Cell]>>;

/// The cells of all buffers.
#[derive(Debug)]
pub(crate) struct GlobalShadow {
    buffers: Vec<Box<[OnceLock<Page>]>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl GlobalShadow {
    /// For buffers of these lengths in bytes.
    pub(crate) fn new(lengths: impl Iterator<Item = usize>) -> Self {
        let pages = |len: usize| (0..len.div_ceil(4 * PAGE)).map(|_| OnceLock::new()).collect();
        GlobalShadow { buffers: lengths.map(pages).collect() }
    }

    /// Notes an access of `bytes` bytes at `at`. Answers the first byte, from there, that it races at, and with whom.
    pub(crate) fn access(
        &self,
        buffer: u32,
        at: usize,
        bytes: usize,
        who: Who,
        kind: AccessKind,
        clocks: &Clocks,
    ) -> Option<(usize, Record)> {
        let pages = self.buffers.get(buffer as usize)?;
        let mut race = None;
        let mut word = at / 4;
        let end = (at + bytes).div_ceil(4);
        while word < end {
            let page = pages.get(word / PAGE)?.get_or_init(|| Mutex::new(vec![Cell::default(); PAGE].into()));
            let mut cells = lock(page);
            let stop = end.min((word / PAGE + 1) * PAGE);
            for (w, cell) in (word..stop).zip(&mut cells[word % PAGE..]) {
                let mask = byte_mask(w, at, bytes);
                if let Some(record) = cell.access(who, kind, mask, clocks)
                    && race.is_none()
                {
                    race = Some((first_byte(w, mask & record.bytes, at), record));
                }
            }
            word = stop;
        }
        race
    }
}

/// The bytes of word `word` that an access of `bytes` bytes at `at` touches.
pub(super) fn byte_mask(word: usize, at: usize, bytes: usize) -> u8 {
    let from = at.max(word * 4) - word * 4;
    let to = (at + bytes).min(word * 4 + 4) - word * 4;
    ((1u8 << to) - 1) & !((1u8 << from) - 1)
}

/// The first of the bytes in the mask, counted from `at`.
pub(super) fn first_byte(word: usize, mask: u8, at: usize) -> usize {
    word * 4 + mask.trailing_zeros() as usize - at
}

/// What atomic operations pass on: by buffer and byte, which block is known up to which time.
#[derive(Debug, Default)]
pub(crate) struct SyncTable(Mutex<HashMap<(u32, usize), HashMap<u32, u32>>>);

impl SyncTable {
    /// An atomic operation of a block both learns what others passed on at the address, and passes on what it knows.
    pub(crate) fn meet(&self, buffer: u32, at: usize, block: u32, clocks: &mut Clocks) {
        let mut table = lock(&self.0);
        let passed = table.entry((buffer, at)).or_default();
        clocks.acquire_block(passed);
        for (block, time) in clocks.release_block(block) {
            let known = passed.entry(block).or_default();
            *known = (*known).max(time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_access_covers_bytes_of_several_words() {
        assert_eq!([0, 1, 2].map(|w| byte_mask(w, 3, 6)), [0b1000, 0b1111, 0b0001]);
        assert_eq!(byte_mask(5, 20, 4), 0b1111);
        assert_eq!(first_byte(1, 0b0100, 3), 3);
    }
}
