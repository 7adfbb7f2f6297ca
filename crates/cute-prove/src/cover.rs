//! Sizes whose run is that of a smaller one, with some iterations more.
//!
//! The events of a warp at size `n` are `A B C`, and those at the smaller size `m` are `A C`, up to
//! the parities of barriers: `A B` begins as `A C` does for as long as `A`, and `C` is at least
//! twice the iterations of `B`. At the end of `A B` and of `A`, the states of the barriers and what
//! each warp knows are the same, with all times moved by those of `B`. Then two accesses of `n`
//! that touch the same bytes are ordered as two of `m` are: those before the cut are at the same
//! places of `m`, and those after it, with what is at most `B` before it, are `B` earlier there.
//! What is earlier than that was ordered before, and knowledge only grows.

use crate::{
    protocol::Run,
    trace::{Event, What},
    walk::Walked,
};
use cute_sim::Launch;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    rc::Rc,
};

/// The events of a warp by their numbers in a [`Table`].
pub type List = Vec<u32>;

/// Numbers of events, with those that differ in the parity of a wait only.
#[derive(Debug, Default)]
pub(crate) struct Table {
    numbers: HashMap<Rc<Event>, u32>,
    events: Vec<Rc<Event>>,
    /// The number of the same event with the parity 0.
    plain: Vec<u32>,
}

impl Table {
    fn number(&mut self, event: &Event) -> u32 {
        if let Some(number) = self.numbers.get(event) {
            return *number;
        }
        let number = self.events.len() as u32;
        let event = Rc::new(event.clone());
        self.numbers.insert(event.clone(), number);
        self.events.push(event.clone());
        self.plain.push(number);
        let plain = match event.what {
            What::Wait { barrier, parity: true, relaxed, tested } => {
                Some(What::Wait { barrier, parity: false, relaxed, tested })
            }
            What::Peek { barrier, parity: true } => Some(What::Peek { barrier, parity: false }),
            _ => None,
        };
        if let Some(what) = plain {
            self.plain[number as usize] = self.number(&Event { what, ..(*event).clone() });
        }
        number
    }

    /// The numbers of the events of a warp.
    pub fn list<'e>(&mut self, events: impl Iterator<Item = &'e Event>) -> List {
        events.map(|event| self.number(event)).collect()
    }

    fn of_barriers<'t>(&'t self, list: &[u32]) -> Vec<&'t Event> {
        let all = list.iter().map(|number| &*self.events[*number as usize]);
        all.filter(|event| event.what.is_of_barriers()).collect()
    }

    /// Whether the run of the warps of a cluster is that of a smaller size. `warps` are those of a
    /// block, and `threads` those of the cluster.
    pub fn covers(
        &self,
        (warps, threads): (usize, u32),
        step: usize,
        smaller: &[List],
        larger: &[List],
    ) -> bool {
        let plain = |list: &[u32], at: usize| self.plain[list[at] as usize];
        // The events of each warp before which the cut may be, from a first to a last one; those
        // without a loop are where others need them.
        let mut cuts: Vec<(usize, usize)> = Vec::new();
        for (small, large) in smaller.iter().zip(larger) {
            let Some(more) = large.len().checked_sub(small.len()) else { return false };
            let same = small.iter().zip(large).take_while(|(a, b)| a == b).count();
            let at_end = (1..=small.len())
                .take_while(|i| plain(small, small.len() - i) == plain(large, large.len() - i))
                .count();
            if large.len() - at_end + more > same {
                return false;
            }
            cuts.push(if more == 0 { (0, large.len()) } else { (large.len() - at_end + more, same) });
        }
        let events = |lists: &[List]| -> Vec<Vec<&Event>> {
            lists.iter().map(|list| self.of_barriers(list)).collect()
        };
        let (small, large) = (events(smaller), events(larger));
        let masks =
            |(a, b): (&Vec<&Event>, &Vec<&Event>)| a.iter().chain(b).map(|event| event.lanes).collect();
        let masks: Vec<BTreeSet<u32>> = small.iter().zip(&large).map(masks).collect();
        let start = Run::new(&masks, warps, threads);
        // No warp goes beyond the cut, so that it does not matter which one went first.
        let at_cut = |lists: &[Vec<&Event>], cut: &[usize]| {
            let lists: Vec<Vec<&Event>> =
                lists.iter().zip(cut).map(|(list, cut)| list[..*cut].to_vec()).collect();
            let mut run = start.clone();
            run.go(&lists, &mut vec![0; lists.len()], cut).ok()?;
            run.cut(cut);
            Some(run)
        };
        let count = |warp: usize, cut: usize| self.of_barriers(&larger[warp][..cut]).len();
        // All warps about an iteration before the last place, so that none has to go on for others.
        let cut = |(warp, (first, last)): (usize, &(usize, usize))| {
            let (first, last) = (count(warp, *first), count(warp, *last));
            let iteration = (large[warp].len() - small[warp].len()).div_ceil(step);
            (if iteration == 0 { 0 } else { last.saturating_sub(iteration).max(first) }, last)
        };
        let (targets, most): (Vec<usize>, Vec<usize>) = cuts.iter().enumerate().map(cut).unzip();
        let (mut run, mut at) = (start.clone(), vec![0; large.len()]);
        let settled = run.go(&large, &mut at, &targets).and_then(|()| run.settle(&large, &mut at));
        if settled.is_err() || at.iter().zip(&most).any(|(at, most)| at > most) {
            return false;
        }
        let less = |warp: usize| (at[warp] + small[warp].len()).checked_sub(large[warp].len());
        let Some(less) = (0..at.len()).map(less).collect::<Option<Vec<usize>>>() else { return false };
        let (Some(now), Some(then)) = (at_cut(&large, &at), at_cut(&small, &less)) else { return false };
        let rest: Vec<&[&Event]> = at.iter().zip(&large).map(|(at, list)| &list[*at..]).collect();
        let Some(turned) = now.knows_as(&then, &rest) else { return false };
        // Waits for barriers whose parity differs have another one, and others the same.
        (0..at.len()).all(|warp| {
            let rest = small[warp][less[warp]..].iter().zip(&large[warp][at[warp]..]);
            rest.into_iter().all(|(a, b)| match (&a.what, &b.what) {
                (What::Wait { barrier, parity, .. }, What::Wait { parity: other, .. })
                | (What::Peek { barrier, parity }, What::Peek { parity: other, .. }) => {
                    (parity != other) == turned.contains(barrier)
                }
                _ => true,
            })
        })
    }
}

/// The sizes that need no run of their own.
pub struct Cover {
    period: i64,
    /// Warps of a block, threads of a block.
    warps: usize,
    threads: u32,
    table: Table,
    /// The lists of the sizes so far, of each cluster.
    lists: BTreeMap<i64, Vec<Vec<List>>>,
    /// The largest number of iterations that a size has more than that which covers it.
    pub step: i64,
}

impl Cover {
    pub fn new(period: i64, launch: &Launch) -> Self {
        let threads: u32 = launch.block.iter().product();
        let (table, lists) = Default::default();
        Cover { period, warps: threads.div_ceil(32) as usize, threads, table, lists, step: 0 }
    }

    /// Notes a size, of which the walks have `q` periods. Returns whether a smaller one covers it.
    /// Sizes come in order.
    pub fn has(&mut self, n: i64, walks: &[Vec<Walked>], q: i64) -> bool {
        let lists: Vec<Vec<List>> = walks
            .iter()
            .map(|cluster| cluster.iter().map(|walked| self.table.list(walked.trace.of(q))).collect())
            .collect();
        let covers = |step: i64, smaller: &Vec<Vec<List>>| {
            smaller.iter().zip(&lists).all(|(smaller, larger)| {
                let ranks = larger.len() / self.warps.max(1);
                self.table.covers((self.warps, self.threads * ranks as u32), step as usize, smaller, larger)
            })
        };
        let mut steps = (1..=self.period).filter(|step| self.period % step == 0);
        let step =
            steps.find(|step| self.lists.get(&(n - step)).is_some_and(|smaller| covers(*step, smaller)));
        self.lists.insert(n, lists);
        self.step = self.step.max(step.unwrap_or(0));
        step.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of two slots: the producer, and the consumer, with a last access of it.
    fn ring(n: u64, last: i128) -> Vec<Vec<Event>> {
        let event = |what| Event { pc: 0, lanes: u32::MAX, what };
        let wait = |barrier, parity| event(What::Wait { barrier, parity, relaxed: false, tested: false });
        let arrive = |barrier| event(What::Arrive { barrier, count: 1, relaxed: false, together: false });
        let touch = |at| event(What::Touch(vec![at]));
        let all = || event(What::Block { id: 0, threads: 64, waits: true });
        let mut producer: Vec<Event> =
            (0..4).map(|barrier| event(What::Init { barrier, count: 1 })).chain([all()]).collect();
        let mut consumer = vec![all()];
        for i in 0..n {
            let (slot, turn) = (i % 2, i / 2 % 2 == 1);
            producer.extend([wait(2 + slot, !turn), touch(slot.into()), arrive(slot)]);
            consumer.extend([wait(slot, turn), touch(slot.into()), arrive(2 + slot)]);
        }
        consumer.push(touch(last));
        vec![producer, consumer]
    }

    fn covers(step: usize, smaller: &[Vec<Event>], larger: &[Vec<Event>]) -> bool {
        let mut table = Table::default();
        let mut lists = |all: &[Vec<Event>]| -> Vec<List> {
            all.iter().map(|events| table.list(events.iter())).collect()
        };
        let (smaller, larger) = (lists(smaller), lists(larger));
        table.covers((2, 64), step, &smaller, &larger)
    }

    #[test]
    fn a_size_is_covered_once_the_ring_has_turned() {
        let of = |n| ring(n, 7);
        let first = (3..20).find(|n| covers(2, &of(n - 2), &of(*n)));
        assert!(first.is_some_and(|first| first > 4), "{first:?}");
        assert!((first.unwrap_or(20)..40).all(|n| covers(2, &of(n - 2), &of(n))));
        // Another slot is the last one.
        assert!(!covers(1, &of(30), &of(31)));
    }

    #[test]
    fn another_access_is_not_covered() {
        assert!(covers(2, &ring(30, 7), &ring(32, 7)));
        assert!(!covers(2, &ring(30, 7), &ring(32, 8)));
        // An access in the midst of the larger size alone.
        let mut odd = ring(32, 7);
        odd[1].insert(60, Event { pc: 1, lanes: 1, what: What::Touch(vec![3]) });
        assert!(!covers(2, &ring(30, 7), &odd));
        // And one more release than slots.
        let mut wrong = ring(32, 7);
        let release = wrong[1][49].clone();
        wrong[1].insert(50, release);
        assert!(!covers(2, &ring(30, 7), &wrong));
    }
}
