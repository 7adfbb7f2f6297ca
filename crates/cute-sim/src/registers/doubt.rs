//! Loads whose values are followed to their uses: a load that races is not a mistake if nothing
//! uses its value.
//!
//! A register that holds such a value, or one computed from it, is marked like an undefined one,
//! with a set of loads as its origin.

use std::collections::{BTreeSet, HashMap};

/// A load that is followed: a lane of the warp, and the instruction.
pub(crate) type Load = (u32, u32);

/// The sets of followed loads that values of a warp depend on, by number, and the loads whose
/// values have been used.
#[derive(Debug, Clone, Default)]
pub(crate) struct Doubts {
    sets: Vec<Box<[Load]>>,
    numbers: HashMap<Box<[Load]>, u32>,
    /// Those since the last [`take`](Self::take).
    used: Vec<Load>,
    known: BTreeSet<Load>,
}

impl Doubts {
    /// The number of the set of one load.
    pub(crate) fn of(&mut self, load: Load) -> u32 {
        self.number(vec![load])
    }

    /// The number of the union of two sets.
    pub(crate) fn both(&mut self, a: u32, b: u32) -> u32 {
        if a == b {
            return a;
        }
        let all: BTreeSet<Load> =
            [a, b].into_iter().flat_map(|n| self.sets[n as usize].iter().copied()).collect();
        self.number(all.into_iter().collect())
    }

    fn number(&mut self, set: Vec<Load>) -> u32 {
        let set = set.into_boxed_slice();
        if let Some(number) = self.numbers.get(&set) {
            return *number;
        }
        let number = self.sets.len() as u32;
        self.sets.push(set.clone());
        self.numbers.insert(set, number);
        number
    }

    /// A value that depends on this set is used.
    pub(crate) fn use_set(&mut self, number: u32) {
        for load in &self.sets[number as usize] {
            if self.known.insert(*load) {
                self.used.push(*load);
            }
        }
    }

    /// Whether loads have been used since the last [`take`](Self::take).
    #[inline]
    pub(crate) fn has_news(&self) -> bool {
        !self.used.is_empty()
    }

    /// The loads that have been used since the last call.
    pub(crate) fn take(&mut self) -> Vec<Load> {
        std::mem::take(&mut self.used)
    }

    /// The load is executed, and its new value is unused.
    pub(crate) fn renew(&mut self, load: Load) {
        self.known.remove(&load);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_of_a_sum_uses_both_loads_once() {
        let mut doubts = Doubts::default();
        let (a, b) = (doubts.of((0, 7)), doubts.of((0, 9)));
        let both = doubts.both(a, b);
        assert_eq!((doubts.both(b, a), doubts.both(both, a), doubts.of((0, 7))), (both, both, a));
        doubts.use_set(both);
        assert_eq!(doubts.take(), [(0, 7), (0, 9)]);
        doubts.use_set(a);
        assert_eq!(doubts.take(), []);
        doubts.renew((0, 7));
        doubts.use_set(both);
        assert_eq!(doubts.take(), [(0, 7)]);
    }
}
