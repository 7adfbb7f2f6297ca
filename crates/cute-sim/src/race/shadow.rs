//! The accesses of a word that later ones must be ordered with.

use super::Clocks;
use crate::finding::AccessKind;
use smallvec::SmallVec;

/// Accesses of some lanes of a warp at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) block: u32,
    pub(crate) time: u32,
    /// The instruction.
    pub(crate) site: u32,
    pub(crate) lanes: u32,
    pub(crate) warp: u16,
    /// Bytes of the word, a bit each.
    pub(crate) bytes: u8,
    pub(crate) kind: AccessKind,
}

/// Who accesses now.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Who {
    pub(crate) block: u32,
    pub(crate) warp: u16,
    pub(crate) lane: u32,
    pub(crate) site: u32,
    /// No other block reaches the memory.
    pub(crate) alone: bool,
}

impl Who {
    fn thread(self) -> u32 {
        u32::from(self.warp) * 32 + self.lane
    }
}

/// Blocks other than the own one whose reads of a word are kept.
const OTHER_BLOCKS: usize = 2;

#[derive(Debug, Clone, Default)]
pub(crate) struct Cell {
    writes: SmallVec<[Record; 1]>,
    reads: SmallVec<[Record; 1]>,
}

impl Cell {
    /// Notes an access of some bytes of the word. Answers an earlier access that it races with.
    pub(crate) fn access(
        &mut self,
        who: Who,
        kind: AccessKind,
        bytes: u8,
        clocks: &Clocks,
    ) -> Option<Record> {
        let races = |r: &&Record| r.bytes & bytes != 0 && r.kind.conflicts(kind) && !ordered(r, who, clocks);
        let mut other = self.writes.iter().find(races).copied();
        if kind.is_read() {
            note(&mut self.reads, who, kind, bytes, clocks);
            return other;
        }
        other = other.or_else(|| self.reads.iter().find(races).copied());
        // Who is ordered with this access is ordered with all before it.
        forget(&mut self.reads, bytes);
        if kind != AccessKind::Atomic {
            forget(&mut self.writes, bytes);
        }
        note(&mut self.writes, who, kind, bytes, clocks);
        other
    }
}

fn ordered(r: &Record, who: Who, clocks: &Clocks) -> bool {
    if r.block != who.block {
        return clocks.knows_block(r.block, r.time);
    }
    if clocks.all_know(r.time) {
        return true;
    }
    let first = u32::from(r.warp) * 32;
    let mut lanes = r.lanes;
    while lanes != 0 {
        if !clocks.knows(who.thread(), first + lanes.trailing_zeros(), r.time) {
            return false;
        }
        lanes &= lanes - 1;
    }
    true
}

fn forget(records: &mut SmallVec<[Record; 1]>, bytes: u8) {
    records.retain(|r| {
        r.bytes &= !bytes;
        r.bytes != 0
    });
}

fn note(records: &mut SmallVec<[Record; 1]>, who: Who, kind: AccessKind, bytes: u8, clocks: &Clocks) {
    let (lane, time) = (1 << who.lane, clocks.now());
    let own = |r: &Record| r.block == who.block && r.warp == who.warp && r.bytes == bytes && r.kind == kind;
    if let Some(last) = records.last_mut()
        && own(last)
        && last.time == time
    {
        last.lanes |= lane;
        return;
    }
    let mut others = 0;
    let mut stale = false;
    for r in records.iter_mut() {
        if r.block != who.block {
            others += 1;
        } else if own(r) {
            if r.time == time {
                r.lanes |= lane;
                return;
            }
            // The later access of the lane stands for its earlier one.
            r.lanes &= !lane;
            stale |= r.lanes == 0;
        }
        stale |= who.alone && clocks.all_know(r.time);
    }
    if others > OTHER_BLOCKS
        && let Some(i) = records.iter().position(|r| r.block != who.block)
    {
        records.swap_remove(i);
    }
    if stale {
        records.retain(|r| r.lanes != 0 && !(who.alone && clocks.all_know(r.time)));
    }
    records.push(Record { block: who.block, time, site: who.site, lanes: lane, warp: who.warp, bytes, kind });
}

#[cfg(test)]
mod tests {
    use super::*;
    use AccessKind::{Atomic, Read, Write};

    fn who(thread: u32) -> Who {
        Who { block: 0, warp: (thread / 32) as u16, lane: thread % 32, site: thread, alone: false }
    }

    #[test]
    fn two_reads_agree_and_a_write_does_not() {
        let clocks = Clocks::new(64);
        let mut cell = Cell::default();
        assert_eq!(cell.access(who(0), Read, 0xf, &clocks), None);
        assert_eq!(cell.access(who(40), Read, 0xf, &clocks), None);
        let other = cell.access(who(0), Write, 0xf, &clocks).unwrap();
        assert_eq!((other.warp, other.lanes, other.kind), (1, 1 << 8, Read));
    }

    #[test]
    fn bytes_of_a_word_are_apart() {
        let clocks = Clocks::new(64);
        let mut cell = Cell::default();
        assert_eq!(cell.access(who(0), Write, 0b0011, &clocks), None);
        assert_eq!(cell.access(who(1), Write, 0b1100, &clocks), None);
        assert!(cell.access(who(2), Read, 0b1000, &clocks).is_some_and(|r| r.lanes == 1 << 1));
    }

    #[test]
    fn a_barrier_orders_and_atomics_order_themselves() {
        let mut clocks = Clocks::new(64);
        let mut cell = Cell::default();
        assert_eq!(cell.access(who(0), Atomic, 0xf, &clocks), None);
        assert_eq!(cell.access(who(1), Atomic, 0xf, &clocks), None);
        clocks.meet(&[0, 2]);
        // 2 knows of 0, not of 1.
        assert!(cell.access(who(2), Read, 0xf, &clocks).is_some_and(|r| r.lanes & 2 != 0));
        clocks.meet_all();
        assert_eq!(cell.access(who(2), Write, 0xf, &clocks), None);
    }

    #[test]
    fn blocks_are_ordered_by_nothing_but_what_they_learn() {
        let (mut one, mut two) = (Clocks::new(32), Clocks::new(32));
        let other = Who { block: 1, ..who(0) };
        let mut cell = Cell::default();
        assert_eq!(cell.access(who(0), Write, 0xf, &one), None);
        one.meet_all();
        assert!(cell.clone().access(other, Read, 0xf, &two).is_some());
        two.acquire_block(&one.release_block(0));
        assert_eq!(cell.access(other, Read, 0xf, &two), None);
    }
}
