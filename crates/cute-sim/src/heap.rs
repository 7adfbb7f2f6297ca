//! The device's heap, from which threads allocate by `malloc` and to which they return by `free`.
//!
//! It is one buffer of global memory, as large as a device's by default (CUDA C++ Programming
//! Guide, "Dynamic Global Memory Allocation and Operations"). Bytes between two allocations belong
//! to none, and freed ones are used again only when no others are left, so that an access of either
//! is found.

use crate::finding::{HeapAct, HeapBlock, HeapRule};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of the heap (`cudaLimitMallocHeapSize`).
pub(crate) const HEAP_BYTES: u64 = 8 << 20;

/// The alignment of an allocation, and the bytes behind it that belong to none.
const ALIGNMENT: u64 = 16;

/// The heap of a memory.
#[derive(Debug)]
pub(crate) struct Heap {
    /// The number of its buffer.
    pub(crate) buffer: u32,
    state: Mutex<State>,
}

impl Clone for Heap {
    fn clone(&self) -> Self {
        Heap { buffer: self.buffer, state: Mutex::new(self.state().clone()) }
    }
}

/// The allocations, by their first bytes.
#[derive(Debug, Clone, Default)]
struct State {
    live: BTreeMap<u64, HeapBlock>,
    /// Those that were freed, and by whom; their bytes are not in use again.
    freed: BTreeMap<u64, (HeapBlock, HeapAct)>,
    /// Bytes from here on have never been in use.
    fresh: u64,
}

/// The state of a byte of the heap that is in no allocation.
pub(crate) enum Lost {
    /// Its allocation was freed.
    Freed { block: HeapBlock, offset: u64, by: HeapAct },
    /// It is in none; the last one before it, and how far behind its end.
    Outside { before: Option<(HeapBlock, u64)> },
}

/// The bytes that an allocation takes.
fn taken(bytes: u64) -> u64 {
    bytes.next_multiple_of(ALIGNMENT) + ALIGNMENT
}

impl Heap {
    pub(crate) fn new(buffer: u32) -> Self {
        Heap { buffer, state: Mutex::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first byte of a new allocation; `None` if there is no room.
    pub(crate) fn allocate(&self, bytes: u64, made: HeapAct) -> Option<u64> {
        if bytes == 0 || bytes > HEAP_BYTES {
            return None;
        }
        let mut state = self.state();
        let needed = taken(bytes);
        let at = if state.fresh + needed <= HEAP_BYTES {
            state.fresh
        } else {
            // The first gap between allocations that are in use.
            let mut end = 0;
            let gap = state.live.iter().find_map(|(start, block)| {
                let before = std::mem::replace(&mut end, start + taken(block.bytes));
                (start - before >= needed).then_some(before)
            });
            gap.or((end + needed <= HEAP_BYTES).then_some(end))?
        };
        state.freed.retain(|start, (block, _)| start + taken(block.bytes) <= at || *start >= at + needed);
        state.fresh = state.fresh.max(at + needed);
        state.live.insert(at, HeapBlock { bytes, made });
        Some(at)
    }

    /// The bytes of the allocation that begins at a byte, which is free from now on.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn release(&self, at: u64, address: u64, by: HeapAct) -> Result<Range<u64>, HeapRule> {
        let mut state = self.state();
        if let Some(block) = state.live.remove(&at) {
            let range = at..at + block.bytes;
            state.freed.insert(at, (block, by));
            return Ok(range);
        }
        Err(match state.freed.get(&at) {
            Some((block, by)) => HeapRule::Twice { block: block.clone(), by: by.clone() },
            None => HeapRule::Foreign { address },
        })
    }

    /// The bytes among these that are in an allocation.
    pub(crate) fn live(&self, bytes: Range<u64>) -> Vec<Range<u64>> {
        let state = self.state();
        let before = state.live.range(..bytes.start).next_back();
        let all = before.into_iter().chain(state.live.range(bytes.clone()));
        let common = |(start, block): (&u64, &HeapBlock)| {
            (*start).max(bytes.start)..(start + block.bytes).min(bytes.end)
        };
        all.map(common).filter(|common| !common.is_empty()).collect()
    }

    /// The state of a byte that is in no allocation.
    pub(crate) fn lost(&self, at: u64) -> Lost {
        let state = self.state();
        let freed = state.freed.range(..=at).next_back();
        if let Some((start, (block, by))) = freed.filter(|(start, (block, _))| at - **start < block.bytes) {
            return Lost::Freed { block: block.clone(), offset: at - start, by: by.clone() };
        }
        let before = state.live.range(..=at).next_back();
        let behind =
            |(start, block): (&u64, &HeapBlock)| (block.clone(), at.saturating_sub(start + block.bytes));
        Lost::Outside { before: before.map(behind) }
    }

    /// The allocations that were never freed: their number, their bytes, and the first of them.
    pub(crate) fn left(&self) -> Option<(usize, u64, HeapBlock)> {
        let state = self.state();
        let (_, first) = state.live.first_key_value()?;
        Some((state.live.len(), state.live.values().map(|block| block.bytes).sum(), first.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn act() -> HeapAct {
        HeapAct { location: Default::default(), block: [0; 3], thread: [0; 3], launch: 1 }
    }

    #[test]
    fn freed_bytes_are_used_again_when_no_others_are_left() {
        let heap = Heap::new(0);
        let half = HEAP_BYTES / 2 - 64;
        let allocate = |bytes| heap.allocate(bytes, act());
        let (first, second) = (allocate(half).unwrap(), allocate(8).unwrap());
        assert_eq!((first, second), (0, half + 16));
        assert_eq!(heap.live(8..second + 4), [8..half, second..second + 4]);
        heap.release(first, 0, act()).unwrap();
        assert!(matches!(heap.release(first, 0, act()), Err(HeapRule::Twice { .. })));
        assert!(matches!(heap.release(4, 7, act()), Err(HeapRule::Foreign { address: 7 })));
        assert!(matches!(heap.lost(9), Lost::Freed { offset: 9, .. }));
        assert!(matches!(heap.lost(second + 9), Lost::Outside { before: Some((_, 1)) }));
        let third = allocate(half).unwrap();
        assert_eq!(third, second + 32);
        assert_eq!(allocate(half), Some(0), "the first one again");
        assert_eq!((allocate(half), allocate(0), allocate(u64::MAX)), (None, None, None));
        assert_eq!(heap.left().map(|(count, bytes, _)| (count, bytes)), Some((3, 2 * half + 8)));
    }
}
