//! Cells of consecutive words, and accesses of bytes of them.

use super::{Acting, Cell, Clocks, Gap, Race, Record, Who};
use std::ops::Range;

/// The bytes of each word among these of the window.
fn words(bytes: Range<usize>) -> impl Iterator<Item = (usize, u8)> {
    let (start, len) = (bytes.start, bytes.len());
    (start / 4..bytes.end.div_ceil(4)).map(move |word| (word, byte_mask(word, start, len)))
}

pub(crate) struct Window<'a> {
    pub(crate) cells: &'a mut [Cell],
    /// Number of the first word.
    pub(crate) first: usize,
}

impl Window<'_> {
    /// Nothing may use these bytes, which are in no allocation of the heap.
    pub(super) fn forbid(&mut self, bytes: Range<usize>) {
        words(bytes).for_each(|(word, mask)| self.cells[word - self.first].forbid(mask));
    }

    /// These bytes are a new allocation of the heap.
    pub(super) fn permit(&mut self, bytes: Range<usize>) {
        words(bytes).for_each(|(word, mask)| self.cells[word - self.first].clear(mask));
    }

    /// Records an access of `bytes` bytes at `at`, as far as it is in the window. Returns the first
    /// byte, from `at` on, at which it races, and the other access.
    pub(crate) fn access(
        &mut self,
        at: usize,
        bytes: usize,
        who: &Who,
        lanes: u32,
        clocks: &Clocks,
    ) -> Option<(usize, Race)> {
        let mut race = None;
        let from = (at / 4).max(self.first);
        let to = (at + bytes).div_ceil(4);
        for (word, cell) in (from..to).zip(self.cells.get_mut(from - self.first..)?) {
            let mask = byte_mask(word, at, bytes);
            let found = cell.race(who, lanes, mask, clocks);
            race = race.or_else(|| found.map(|r| (first_byte(word, mask & r.record.bytes, at), r)));
            cell.note(who, lanes, mask, clocks);
        }
        race
    }

    /// The words of some bytes that are in the window: the number, the bytes among these, the cell.
    pub(super) fn words(&self, at: usize, bytes: usize) -> impl Iterator<Item = (usize, u8, &Cell)> {
        let from = (at / 4).max(self.first);
        let cells = self.cells.get(from - self.first..).into_iter().flatten();
        let words = from..(at + bytes).div_ceil(4);
        words.zip(cells).map(move |(word, cell)| (word, byte_mask(word, at, bytes), cell))
    }

    /// Records an access of `bytes` bytes at `at`, by an agent at its own time if there is one,
    /// without checking for races.
    pub(crate) fn note(
        &mut self,
        at: usize,
        bytes: usize,
        who: &Who,
        lanes: u32,
        agent: Option<(u32, u32)>,
        clocks: &Clocks,
    ) {
        let words = at / 4..(at + bytes).div_ceil(4);
        let cells = words.start.checked_sub(self.first).and_then(|from| self.cells.get_mut(from..));
        for (word, cell) in words.zip(cells.into_iter().flatten()) {
            let mask = byte_mask(word, at, bytes);
            match agent {
                Some(agent) => cell.note_agent(who, lanes, mask, agent),
                None => cell.note(who, lanes, mask, clocks),
            }
        }
    }

    /// Like [`access`](Self::access), by the async proxy.
    pub(crate) fn transfer(
        &mut self,
        at: usize,
        bytes: usize,
        acting: &Acting<'_>,
        clocks: &Clocks,
    ) -> Option<(usize, Race)> {
        let mut race: Option<(usize, Race)> = None;
        // Adjacent words mostly have the same history.
        let mut quiet = None;
        let from = (at / 4).max(self.first);
        let to = (at + bytes).div_ceil(4);
        for (word, cell) in (from..to).zip(self.cells.get_mut(from - self.first..)?) {
            let mask = byte_mask(word, at, bytes);
            let is_error = |(_, race): &(usize, Race)| !race.gap.is_some_and(Gap::is_remark);
            if !race.as_ref().is_some_and(is_error) {
                let found = cell.race_of(acting, mask, clocks, &mut quiet, |_| false);
                let found = found.map(|r| (first_byte(word, mask & r.record.bytes, at), r));
                race = if found.as_ref().is_some_and(is_error) { found } else { race.or(found) };
            }
            cell.note_acting(acting, mask);
        }
        race
    }

    /// The writes by threads of some bytes, word by word.
    pub(crate) fn written(&self, at: usize, bytes: usize) -> impl Iterator<Item = &Record> {
        let from = (at / 4).max(self.first);
        let words = from..(at + bytes).div_ceil(4);
        let cells = self.cells.get(from - self.first..).unwrap_or_default();
        words.zip(cells).flat_map(move |(word, cell)| cell.written(byte_mask(word, at, bytes)))
    }

    /// Records accesses of `bytes` bytes at each lane's start, lane after lane, up to the first
    /// that races or leaves the window, which is not recorded. Returns the remaining lanes.
    pub(crate) fn quiet(
        &mut self,
        starts: &[u64; 32],
        bytes: usize,
        who: &Who,
        lanes: u32,
        clocks: &Clocks,
    ) -> u32 {
        let mut left = lanes;
        while left != 0 {
            let at = starts[left.trailing_zeros() as usize] as usize;
            let lanes =
                if who.kind.is_read() { all_at_the_first(starts, left) } else { left & left.wrapping_neg() };
            if !self.access_quietly(at, bytes, who, lanes, clocks) {
                break;
            }
            left &= !lanes;
        }
        left
    }

    #[inline]
    fn access_quietly(&mut self, at: usize, bytes: usize, who: &Who, lanes: u32, clocks: &Clocks) -> bool {
        let words = at / 4..(at + bytes).div_ceil(4);
        let Some(from) = words.start.checked_sub(self.first) else { return false };
        let Some(cells) = self.cells.get_mut(from..from + words.len()) else { return false };
        let mask = |word| byte_mask(word, at, bytes);
        if let [cell] = cells {
            let mask = mask(words.start);
            let quiet = cell.is_quiet(who, lanes, mask, clocks);
            if quiet {
                cell.note(who, lanes, mask, clocks);
            }
            return quiet;
        }
        let quiet = words.clone().zip(&*cells).all(|(word, c)| c.is_quiet(who, lanes, mask(word), clocks));
        if quiet {
            words.zip(cells).for_each(|(word, c)| c.note(who, lanes, mask(word), clocks));
        }
        quiet
    }
}

/// The first of these lanes and those next to it that start at the same place.
fn all_at_the_first(starts: &[u64; 32], lanes: u32) -> u32 {
    let start = starts[lanes.trailing_zeros() as usize];
    let mut rest = lanes;
    while rest != 0 && starts[rest.trailing_zeros() as usize] == start {
        rest &= rest - 1;
    }
    lanes & !rest
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::AccessKind::{Read, Write};
    use crate::lanes::lanes_of;
    use crate::race::Reach;
    use fastrand::Rng;

    #[test]
    fn an_access_covers_bytes_of_several_words() {
        assert_eq!([0, 1, 2].map(|w| byte_mask(w, 3, 6)), [0b1000, 0b1111, 0b0001]);
        assert_eq!(byte_mask(5, 20, 4), 0b1111);
        assert_eq!(first_byte(1, 0b0100, 3), 3);
    }

    #[test]
    fn lanes_at_one_place_are_told_by_their_neighbours() {
        let mut starts = [8; 32];
        (starts[0], starts[5]) = (0, 0);
        assert_eq!(all_at_the_first(&starts, u32::MAX), 0b1);
        assert_eq!(all_at_the_first(&starts, !1), 0b11110);
        assert_eq!(all_at_the_first(&starts, 0b10_0001), 0b10_0001);
    }

    /// Recording lanes at once is equivalent to recording them one by one: the same lanes race. If
    /// there are several races of a lane, the two may name different ones, because records merge in
    /// another order.
    #[test]
    fn quiet_lanes_are_those_that_do_not_race() {
        let mut rng = Rng::with_seed(7);
        let mut random = |n: u64| rng.u64(..n);
        let mut raced = 0;
        for _ in 0..200 {
            let mut clocks = Clocks::new(0, 1, 96);
            let (mut one, mut other) = (vec![Cell::default(); 64], vec![Cell::default(); 64]);
            for _ in 0..20 {
                let bytes = [1, 2, 4, 8, 16][random(5) as usize];
                let (step, origin) = ([0, 1, 1, 1, 5][random(5) as usize], random(8));
                let starts: [u64; 32] = std::array::from_fn(|i| (origin + i as u64 * step) * bytes % 256);
                let lanes = [u32::MAX, 0xffff, 0x0f0f_0000, 1][random(4) as usize];
                let kind = if random(3) == 0 { Write } else { Read };
                let reach = Reach::default();
                let who = Who {
                    block: 0,
                    rank: 0,
                    warp: random(3) as u32,
                    site: 0,
                    kind,
                    alone: true,
                    reach,
                    updates: false,
                };
                match random(4) {
                    0 => clocks.meet_all(0),
                    1 => clocks.meet(&[0, 1, 2, 40, 41]),
                    _ => {}
                }
                let bytes = bytes as usize;
                let lane_by_lane = |cells: &mut [Cell], lanes: u32| -> Vec<_> {
                    let mut window = Window { cells, first: 0 };
                    let at = |lane: u32| starts[lane as usize] as usize;
                    let mut races =
                        |lane: &u32| window.access(at(*lane), bytes, &who, 1 << lane, &clocks).is_some();
                    lanes_of(lanes).filter(|lane| races(lane)).collect()
                };
                let races = lane_by_lane(&mut one, lanes);
                let left = Window { cells: &mut other, first: 0 }.quiet(&starts, bytes, &who, lanes, &clocks);
                assert_eq!(races, lane_by_lane(&mut other, left));
                raced += races.len();
            }
        }
        assert!(raced > 1000, "{raced}");
    }
}
