//! Random protocols, against an exhaustive search of all orders.

use super::*;
use fastrand::Rng;
use std::collections::HashSet;

/// A step of a warp: a wait for a parity, an arrival, bytes that are expected with an arrival, or
/// a copy of a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    Wait(usize, bool),
    Arrive(usize),
    Expect(usize),
    Copy(usize),
}

/// Some warps, and barriers with their counts.
#[derive(Debug)]
struct Protocol {
    counts: Vec<u32>,
    warps: Vec<Vec<Act>>,
}

/// A state of the search: the place of each warp; of each barrier what is pending, its bytes, and
/// its phase; and the copies under way.
type State = (Vec<usize>, Vec<(i64, i64, i64)>, Vec<usize>);

/// Whether all orders end, each arrival and each wait is of one phase in all orders, and no phase
/// has too many arrivals.
fn is_right(protocol: &Protocol) -> bool {
    let begin = protocol.counts.iter().map(|count| (i64::from(*count), 0, 0)).collect();
    let mut left: Vec<State> = vec![(vec![0; protocol.warps.len()], begin, Vec::new())];
    let mut seen: HashSet<State> = left.iter().cloned().collect();
    let mut phases: BTreeMap<(usize, usize), i64> = BTreeMap::new();
    while let Some((at, barriers, copies)) = left.pop() {
        let mut next: Vec<State> = Vec::new();
        for (i, barrier) in copies.iter().enumerate() {
            let (mut barriers, mut copies) = (barriers.clone(), copies.clone());
            copies.remove(i);
            barriers[*barrier].1 -= 1;
            end(&mut barriers[*barrier], protocol.counts[*barrier]);
            next.push((at.clone(), barriers, copies));
        }
        for (warp, list) in protocol.warps.iter().enumerate() {
            let Some(act) = list.get(at[warp]) else { continue };
            let (mut barriers, mut copies) = (barriers.clone(), copies.clone());
            let (Act::Wait(barrier, _) | Act::Arrive(barrier) | Act::Expect(barrier) | Act::Copy(barrier)) =
                *act;
            let own = &mut barriers[barrier];
            let phase = match act {
                Act::Wait(_, parity) => {
                    if (own.2 & 1 == 1) == *parity {
                        continue;
                    }
                    own.2 - 1
                }
                _ => own.2,
            };
            if *phases.entry((warp, at[warp])).or_insert(phase) != phase {
                return false;
            }
            match act {
                Act::Wait(..) => {}
                Act::Copy(_) => copies.push(barrier),
                Act::Arrive(_) | Act::Expect(_) => {
                    own.1 += i64::from(matches!(act, Act::Expect(_)));
                    own.0 -= 1;
                    if own.0 < 0 {
                        return false;
                    }
                    end(own, protocol.counts[barrier]);
                }
            }
            copies.sort_unstable();
            let mut at = at.clone();
            at[warp] += 1;
            next.push((at, barriers, copies));
        }
        if next.is_empty()
            && (at.iter().zip(&protocol.warps).any(|(at, list)| *at < list.len())
                || barriers.iter().any(|own| own.1 != 0))
        {
            return false;
        }
        left.extend(next.into_iter().filter(|state| seen.insert(state.clone())));
    }
    true
}

fn end(own: &mut (i64, i64, i64), count: u32) {
    if (own.0, own.1) == (0, 0) {
        *own = (count.into(), 0, own.2 + 1);
    }
}

/// The answer of the run of one order.
fn is_proved(protocol: &Protocol) -> bool {
    let event = |what| Event { pc: 0, lanes: u32::MAX, what };
    let place = |barrier: usize| barrier as Place;
    let init =
        (0..).zip(&protocol.counts).map(|(i, count)| event(What::Init { barrier: place(i), count: *count }));
    let mut all: Vec<Vec<Event>> = vec![init.collect()];
    for list in &protocol.warps {
        let mut own = Vec::new();
        for act in list {
            match *act {
                Act::Wait(at, parity) => {
                    own.push(event(What::Wait { barrier: place(at), parity, relaxed: false, tested: false }))
                }
                Act::Arrive(at) => own.push(event(What::Arrive {
                    barrier: place(at),
                    count: 1,
                    relaxed: false,
                    together: false,
                })),
                Act::Expect(at) => {
                    own.push(event(What::Expect { barrier: place(at), bytes: 1 }));
                    own.push(event(What::Arrive {
                        barrier: place(at),
                        count: 1,
                        relaxed: false,
                        together: false,
                    }));
                }
                Act::Copy(at) => own.push(event(What::Copy { barrier: place(at), bytes: 1 })),
            }
        }
        all.push(own);
    }
    let lists: Vec<Vec<&Event>> = all.iter().map(|list| list.iter().collect()).collect();
    let targets: Vec<usize> = lists.iter().map(Vec::len).collect();
    let masks = vec![BTreeSet::from([u32::MAX]); lists.len()];
    let mut run = Run::new(&masks, lists.len(), 32 * lists.len() as u32);
    run.go(&lists, &mut vec![0; lists.len()], &targets).is_ok() && run.rest().is_none()
}

/// A ring of some slots, with consumers, and then some changes.
fn ring(random: &mut Rng) -> Protocol {
    let (slots, consumers, rounds) = (random.usize(1..=2), random.usize(1..=2), random.usize(1..=4));
    let uses_copies = random.bool();
    let (mut producer, mut warps) = (Vec::new(), vec![Vec::new(); consumers]);
    for i in 0..rounds {
        let (slot, parity) = (i % slots, i / slots % 2 == 1);
        producer.push(Act::Wait(slots + slot, !parity));
        match uses_copies {
            true => producer.extend([Act::Expect(slot), Act::Copy(slot)]),
            false => producer.push(Act::Arrive(slot)),
        }
        for warp in &mut warps {
            warp.extend([Act::Wait(slot, parity), Act::Arrive(slots + slot)]);
        }
    }
    warps.insert(0, producer);
    let mut counts = vec![1; slots];
    counts.extend(vec![consumers as u32; slots]);
    for _ in 0..random.usize(0..=2) {
        let warp = random.usize(..warps.len());
        let at = random.usize(..warps[warp].len());
        match random.usize(..6) {
            0 => drop(warps[warp].remove(at)),
            1 => {
                let act = warps[warp][at];
                warps[warp].insert(at, act);
            }
            2 if at > 0 => warps[warp].swap(at, at - 1),
            3 => {
                if let Act::Wait(_, parity) = &mut warps[warp][at] {
                    *parity = !*parity;
                }
            }
            4 => {
                let at = random.usize(..counts.len());
                counts[at] = counts[at] % 2 + 1;
            }
            _ => {
                let to = random.usize(..counts.len());
                let (Act::Wait(own, _) | Act::Arrive(own) | Act::Expect(own) | Act::Copy(own)) =
                    &mut warps[warp][at];
                *own = to;
            }
        }
        if warps.iter().any(Vec::is_empty) {
            break;
        }
    }
    Protocol { counts, warps }
}

#[test]
fn no_random_ring_that_is_proved_has_an_order_that_fails() {
    let mut random = Rng::with_seed(61);
    let (mut proved, mut right) = (0, 0);
    for i in 0..1000 {
        let protocol = ring(&mut random);
        let (is_proved, is_right) = (is_proved(&protocol), is_right(&protocol));
        assert!(!is_proved || is_right, "{i}: {protocol:?}");
        proved += usize::from(is_proved);
        right += usize::from(is_right);
    }
    // The conditions refuse few that are right.
    assert!(proved > 300 && proved * 10 > right * 9, "{proved} of {right}");
}
