//! Who knows what: vector clocks of the threads of a block, and of other blocks.

use std::collections::HashMap;
use std::rc::Rc;

/// What a synchronisation passes on: for each thread of the block the time up to which its accesses are known.
pub(crate) type Known = Rc<[u32]>;

/// The clocks of a block.
#[derive(Debug)]
pub(crate) struct Clocks {
    /// Accesses happen at this time; each synchronisation advances it.
    now: u32,
    /// All threads know all that happened up to here.
    floor: u32,
    /// What each thread knows beyond the floor; lanes that met share one.
    known: Vec<Option<Known>>,
    /// Up to which of their times other blocks are known, by their number. Kept for the block as a whole.
    foreign: HashMap<u32, u32>,
}

impl Clocks {
    pub(crate) fn new(threads: u32) -> Self {
        Clocks { now: 1, floor: 0, known: vec![None; threads as usize], foreign: HashMap::new() }
    }

    pub(crate) fn now(&self) -> u32 {
        self.now
    }

    /// Does `thread` know what `other`, of its block, did at `time`?
    pub(crate) fn knows(&self, thread: u32, other: u32, time: u32) -> bool {
        time <= self.floor
            || thread == other
            || self.known[thread as usize].as_ref().is_some_and(|known| time <= known[other as usize])
    }

    /// Is what happened in the block up to `time` known to all its threads?
    pub(crate) fn all_know(&self, time: u32) -> bool {
        time <= self.floor
    }

    /// Does this block know what another one did at `time`?
    pub(crate) fn knows_block(&self, block: u32, time: u32) -> bool {
        self.foreign.get(&block).is_some_and(|known| time <= *known)
    }

    /// At the last time there is, time stands still: a race may stay unseen then, but none is made up.
    fn advance(&mut self) {
        self.now = self.now.saturating_add(1);
    }

    /// A barrier of all threads.
    pub(crate) fn meet_all(&mut self) {
        self.floor = self.now;
        self.advance();
        self.known.fill(None);
    }

    /// A barrier of some threads: each learns what all of them know.
    pub(crate) fn meet(&mut self, threads: &[u32]) {
        self.meet_with(None, threads);
    }

    /// As [`meet`](Self::meet), with what threads passed on that did not wait.
    pub(crate) fn meet_with(&mut self, before: Option<&Known>, threads: &[u32]) {
        let known = self.release(before, threads);
        for thread in threads {
            self.known[*thread as usize] = Some(known.clone());
        }
    }

    /// What the threads know and did up to now, joined to what was passed on before.
    pub(crate) fn release(&mut self, before: Option<&Known>, threads: &[u32]) -> Known {
        let mut joined: Box<[u32]> = match before {
            Some(known) => known.iter().copied().collect(),
            None => vec![0; self.known.len()].into(),
        };
        let mut last: Option<&Known> = None;
        for thread in threads {
            if let Some(known) = &self.known[*thread as usize]
                && !last.is_some_and(|l| Rc::ptr_eq(l, known))
            {
                joined.iter_mut().zip(known.iter()).for_each(|(j, k)| *j = (*j).max(*k));
                last = Some(known);
            }
        }
        for thread in threads {
            joined[*thread as usize] = self.now;
        }
        self.advance();
        joined.into()
    }

    /// The thread learns what was passed on.
    pub(crate) fn acquire(&mut self, thread: u32, passed: &Known) {
        let own = &mut self.known[thread as usize];
        *own = Some(match own {
            Some(known) if Rc::ptr_eq(known, passed) => return,
            Some(known) => known.iter().zip(passed.iter()).map(|(a, b)| *a.max(b)).collect(),
            None => passed.clone(),
        });
    }

    /// The block's knowledge of others and of itself, for another block to learn.
    pub(crate) fn release_block(&mut self, own: u32) -> HashMap<u32, u32> {
        let mut known = self.foreign.clone();
        known.insert(own, self.now);
        self.advance();
        known
    }

    /// The block learns what another one released.
    pub(crate) fn acquire_block(&mut self, known: &HashMap<u32, u32>) {
        for (block, time) in known {
            let own = self.foreign.entry(*block).or_default();
            *own = (*own).max(*time);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_meeting_passes_on_what_others_passed_before() {
        let mut clocks = Clocks::new(4);
        let start = clocks.now();
        assert!(!clocks.knows(1, 0, start));
        clocks.meet(&[0, 1]);
        assert!(clocks.knows(1, 0, start) && !clocks.knows(1, 0, clocks.now()) && !clocks.knows(2, 0, start));
        clocks.meet(&[1, 2]);
        assert!(clocks.knows(2, 0, start) && !clocks.knows(0, 2, start) && !clocks.knows(3, 0, start));
        let before = clocks.now();
        clocks.meet_all();
        assert!((0..4).all(|a| (0..4).all(|b| clocks.knows(a, b, before))));
        assert!(!clocks.knows(3, 0, clocks.now()));
    }

    #[test]
    fn time_does_not_begin_anew() {
        let mut clocks = Clocks { now: u32::MAX - 3, ..Clocks::new(4) };
        for _ in 0..8 {
            let before = clocks.now();
            clocks.meet(&[0, 1]);
            assert!(clocks.now() >= before && clocks.knows(1, 0, before));
            clocks.meet_all();
            assert!((0..4).all(|a| (0..4).all(|b| clocks.knows(a, b, before))));
        }
    }

    #[test]
    fn an_arrival_passes_on_without_learning() {
        let mut clocks = Clocks::new(2);
        let start = clocks.now();
        let passed = clocks.release(None, &[0]);
        let later = clocks.now();
        clocks.acquire(1, &passed);
        assert!(clocks.knows(1, 0, start) && !clocks.knows(1, 0, later) && !clocks.knows(0, 1, start));
    }
}
