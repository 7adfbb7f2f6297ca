//! The instructions that only go together: those that meet at a barrier, and those of one
//! `mbarrier`.

use crate::{
    prove::Events,
    trace::{Event, What},
};
use std::collections::{BTreeMap, BTreeSet};

/// An instruction of the program.
type Pc = u32;

/// An `mbarrier`: its cluster, and its place there.
type Of = (usize, u64);

/// The instructions that work on an `mbarrier`.
#[derive(Debug, Default)]
pub struct Uses {
    /// Each with the count.
    pub inits: BTreeMap<Pc, i64>,
    /// Each with the number of its arrivals.
    pub arrivals: BTreeMap<Pc, i64>,
    pub waits: BTreeSet<Pc>,
    /// Whether bytes or other work arrive, too.
    pub has_others: bool,
}

/// The uses of all `mbarrier`s.
pub fn uses(events: &Events) -> BTreeMap<Of, Uses> {
    let mut all: BTreeMap<Of, Uses> = BTreeMap::new();
    for (number, cluster) in events.iter().enumerate() {
        for Event { pc, what, .. } in cluster.iter().flat_map(|(_, events)| events) {
            let barrier = match what {
                What::Init { barrier, .. }
                | What::Invalidate { barrier }
                | What::Expect { barrier, .. }
                | What::Arrive { barrier, .. }
                | What::Follow { barrier, .. }
                | What::Wait { barrier, .. }
                | What::Copy { barrier, .. } => *barrier,
                _ => continue,
            };
            let own = all.entry((number, barrier)).or_default();
            match what {
                What::Init { count, .. } => {
                    own.inits.insert(*pc, i64::from(*count));
                }
                What::Arrive { count, .. } | What::Follow { count, .. } => {
                    *own.arrivals.entry(*pc).or_default() += i64::from(*count);
                }
                What::Wait { .. } => {
                    own.waits.insert(*pc);
                }
                _ => {}
            }
            own.has_others |= !matches!(what, What::Init { .. } | What::Arrive { .. } | What::Wait { .. });
        }
    }
    all
}

/// The sets of instructions that meet at barriers of the block or of the cluster: one that goes
/// alone would leave the others waiting.
pub fn meetings(events: &Events) -> Vec<BTreeSet<Pc>> {
    // For each barrier, the instructions of each warp there, in order.
    let mut all: BTreeMap<(usize, u32, u32), BTreeMap<usize, Vec<Pc>>> = BTreeMap::new();
    for (number, cluster) in events.iter().enumerate() {
        for (warp, (rank, events)) in cluster.iter().enumerate() {
            for Event { pc, what, .. } in events {
                match what {
                    What::Block { id, .. } => {
                        all.entry((number, *rank, *id)).or_default().entry(warp).or_default().push(*pc);
                    }
                    What::ClusterArrive { .. } | What::ClusterWait => {
                        let key = (number, u32::MAX, u32::from(matches!(what, What::ClusterWait)));
                        all.entry(key).or_default().entry(warp).or_default().push(*pc);
                    }
                    _ => {}
                }
            }
        }
    }
    let mut sets: Vec<BTreeSet<Pc>> = Vec::new();
    for warps in all.values() {
        let longest = warps.values().map(Vec::len).max().unwrap_or(0);
        let is_of_all = warps.values().all(|own| own.len() == longest);
        match is_of_all {
            true => (0..longest).for_each(|i| join(&mut sets, warps.values().map(|own| own[i]))),
            // Which of them meet is not known.
            false => join(&mut sets, warps.values().flatten().copied()),
        }
    }
    // The arrival and the wait of a warp belong together.
    for ((number, _, _), warps) in all.iter().filter(|((_, rank, kind), _)| (*rank, *kind) == (u32::MAX, 0)) {
        let waits = all.get(&(*number, u32::MAX, 1));
        for (warp, arrivals) in warps {
            let waits = waits.and_then(|waits| waits.get(warp)).map_or(&[][..], Vec::as_slice);
            arrivals.iter().zip(waits).for_each(|(a, b)| join(&mut sets, [*a, *b].into_iter()));
        }
    }
    sets
}

/// Unites the sets of some instructions.
fn join(sets: &mut Vec<BTreeSet<Pc>>, some: impl Iterator<Item = Pc>) {
    let mut joined: BTreeSet<Pc> = some.collect();
    if joined.is_empty() {
        return;
    }
    let (touched, rest): (Vec<_>, Vec<_>) = sets.drain(..).partition(|set| !set.is_disjoint(&joined));
    joined.extend(touched.into_iter().flatten());
    *sets = rest;
    sets.push(joined);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(pc: Pc, id: u32) -> Event {
        Event { pc, lanes: u32::MAX, what: What::Block { id, threads: 64, waits: true } }
    }

    #[test]
    fn instructions_that_meet_are_in_one_set() {
        // Two warps meet at 1 and 2 of different code, then both at 3; later at another barrier.
        let first = vec![block(1, 0), block(3, 0), block(5, 1)];
        let second = vec![block(2, 0), block(3, 0), block(6, 1)];
        let events = vec![vec![(0, first), (0, second)]];
        let sets = [[1, 2].into(), [3].into(), [5, 6].into()];
        assert_eq!(meetings(&events), sets);
        // A warp that is there more often.
        let events = vec![vec![(0, vec![block(1, 0), block(3, 0)]), (0, vec![block(2, 0)])]];
        assert_eq!(meetings(&events), [BTreeSet::from([1, 2, 3])]);
    }

    #[test]
    fn the_uses_of_a_barrier_are_counted() {
        let event = |pc, what| Event { pc, lanes: 1, what };
        let arrive = || event(2, What::Arrive { barrier: 8, count: 2, relaxed: false, together: false });
        let init = event(1, What::Init { barrier: 8, count: 4 });
        let wait = event(3, What::Wait { barrier: 8, parity: false, relaxed: false, tested: false });
        let events = vec![vec![(0, vec![init, arrive(), wait]), (0, vec![arrive()])]];
        let uses = uses(&events);
        let own = &uses[&(0, 8)];
        assert_eq!((own.inits[&1], own.arrivals[&2], own.has_others), (4, 4, false));
        assert_eq!(own.waits, [3].into());
    }
}
