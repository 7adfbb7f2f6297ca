//! The order in which the clusters of a launch begin.
//!
//! A device may begin resident clusters in any order, and those that do not fit later. So clusters
//! begin group by group, and the schedule decides the order within a group: all that are resident
//! together. A cluster that waits for one with a lower number finds it resident, as on a device.

use crate::schedule::{Schedule, Turns};
use std::ops::Range;

/// A cluster that begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Start {
    /// Its place in the order of this launch.
    pub(crate) place: u32,
    /// Its number among those that run.
    pub(crate) number: u32,
}

/// Clusters that have not begun.
#[derive(Debug)]
pub(crate) struct Starts {
    schedule: Schedule,
    /// Clusters of a group, and of the launch.
    group: u32,
    count: u32,
    /// Their places.
    waiting: Range<u32>,
    /// The places of the group of the next one, mixed by a seed.
    mixed: Vec<u32>,
    turns: Turns,
}

impl Starts {
    /// That of `count` clusters, of which `group` are resident together.
    pub(crate) fn new(schedule: Schedule, count: u32, group: u32) -> Self {
        let turns = Turns::new(schedule, 0, 0);
        Starts { schedule, group: group.max(1), count, waiting: 0..count, mixed: Vec::new(), turns }
    }

    /// The number of those that are left.
    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The next one begins.
    pub(crate) fn next(&mut self) -> Option<Start> {
        let place = self.waiting.next()?;
        let first = place / self.group * self.group;
        let members = (self.count - first).min(self.group);
        let number = match self.schedule {
            Schedule::Lazy | Schedule::Eager => place,
            Schedule::Reverse => first + (members - 1 - (place - first)),
            Schedule::Random(_) => {
                if place == first {
                    self.mixed = self.turns.mixed(members);
                }
                first + self.mixed[(place - first) as usize]
            }
        };
        Some(Start { place, number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(schedule: Schedule) -> Vec<u32> {
        let mut starts = Starts::new(schedule, 10, 4);
        let order: Vec<Start> = std::iter::from_fn(|| starts.next()).collect();
        assert!(order.iter().map(|start| start.place).eq(0..10));
        assert_eq!(starts.len(), 0);
        order.iter().map(|start| start.number).collect()
    }

    #[test]
    fn clusters_begin_group_by_group() {
        assert_eq!(numbers(Schedule::Lazy), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(numbers(Schedule::Reverse), [3, 2, 1, 0, 7, 6, 5, 4, 9, 8]);
        let orders: Vec<_> = (0..20).map(|seed| numbers(Schedule::Random(seed))).collect();
        for order in &orders {
            for group in order.chunks(4) {
                let mut sorted = group.to_vec();
                sorted.sort_unstable();
                assert!(sorted.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{order:?}");
                assert_eq!(sorted[0] % 4, 0, "{order:?}");
            }
        }
        assert!(orders.iter().any(|order| *order != orders[0]));
        assert_eq!(numbers(Schedule::Random(7)), numbers(Schedule::Random(7)));
    }
}
