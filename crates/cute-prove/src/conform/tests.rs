//! The comparison refuses a model in which one event is changed.

use super::*;
use crate::board::Board;
use crate::trace::{Event, Trace, What};
use crate::walk::Walk;
use crate::world::{At, Size, World};
use cute_assembler::module::{Reading, parse};
use cute_sim::events::Watcher;
use cute_sim::{Arg, Launch, Memory, Schedule};
use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

const RING: &str = include_str!("../../tests/ring.ptx");

/// Slots of the run.
const SLOTS: u32 = 6;

/// The walks of the two warps, and the events of a run.
fn ring(schedule: Schedule, check: impl FnOnce(&cute_sim::program::Kernel, &[Trace], &(Vec<Seen>, bool))) {
    let reading = Reading { file: "ring.ptx", strict: true };
    let program = parse(RING, reading).and_then(|file| file.program()).expect("the ring is PTX");
    let mut memory = Memory::new();
    let (a, d) = (memory.upload(&vec![1i32; 256 * SLOTS as usize]), memory.upload(&[0i32; 32]));
    let address = |buffer| memory.address(buffer).expect("a buffer of this memory").to_le_bytes().to_vec();
    let args = [address(a), address(d), SLOTS.to_le_bytes().to_vec()].map(Arg::Bytes);
    let seer = Seer::default();
    let mut launch = Launch::new("ring", [1; 3], [64, 1, 1]);
    (launch.schedule, launch.watcher) = (schedule, Some(Watcher::new(Arc::new(seer.clone()))));
    let start = program.start(&launch, &mut memory, &args).expect("it starts");
    let report = program.simulate(&launch, &mut memory, &args, |_| {}).expect("it runs");
    assert_eq!(report.error_count(), 0);
    let kernel = &program.kernels[0];
    let (samples, lasting) = ([At { n: SLOTS.into(), start }], kernel.lasting_waits());
    let world = World::new(kernel, &launch, &samples, Size::One, &lasting);
    let board = Board::default();
    let walk = |warp: u32| {
        let walk = Walk::new(
            &world,
            (0, [0; 3]),
            (warp, warp as usize),
            false,
            &board,
            Instant::now() + Duration::from_secs(60),
        );
        walk.run().map_err(|ended| ended.0).expect("it is walked").trace
    };
    check(kernel, &[walk(0), walk(1)], &seer.events().remove(&0).expect("a cluster"));
}

/// The comparison with other events in the place of one of a warp.
fn with(
    (kernel, traces): (&cute_sim::program::Kernel, &[Trace]),
    seen: &(Vec<Seen>, bool),
    (warp, at): (usize, usize),
    instead: &[Event],
) -> Result<BTreeSet<u32>, Difference> {
    let mut lists: Vec<Vec<&Event>> = traces.iter().map(|trace| trace.of(0).collect()).collect();
    lists[warp].splice(at..at + 1, instead.iter());
    let warps: Vec<_> = (0..).zip(lists).map(|(i, list)| ((0, i), list)).collect();
    replay(kernel, &warps, seen)
}

/// The same event with another number.
fn changed(what: &What) -> Option<What> {
    Some(match what.clone() {
        What::Init { barrier, count } => What::Init { barrier, count: count + 1 },
        What::Expect { barrier, bytes } => What::Expect { barrier, bytes: bytes + 16 },
        What::Arrive { barrier, count, relaxed, together } => {
            What::Arrive { barrier, count: count + 1, relaxed, together }
        }
        What::Wait { barrier, parity, relaxed, tested } => {
            What::Wait { barrier, parity: !parity, relaxed, tested }
        }
        What::Copy { barrier, bytes } => What::Copy { barrier, bytes: bytes - 16 },
        _ => return None,
    })
}

/// The same event at another barrier.
fn elsewhere(what: &What) -> Option<What> {
    Some(match what.clone() {
        What::Init { barrier, count } => What::Init { barrier: barrier + 8, count },
        What::Expect { barrier, bytes } => What::Expect { barrier: barrier ^ 8, bytes },
        What::Arrive { barrier, count, relaxed, together } => {
            What::Arrive { barrier: barrier ^ 8, count, relaxed, together }
        }
        What::Wait { barrier, parity, relaxed, tested } => {
            What::Wait { barrier: barrier ^ 8, parity, relaxed, tested }
        }
        What::Copy { barrier, bytes } => What::Copy { barrier: barrier ^ 8, bytes },
        _ => return None,
    })
}

#[test]
fn a_changed_model_is_refused() {
    for schedule in [Schedule::Lazy, Schedule::Eager, Schedule::Random(3)] {
        ring(schedule, |kernel, traces, seen| {
            let mut kinds = BTreeSet::new();
            for (warp, trace) in traces.iter().enumerate() {
                let events: Vec<&Event> = trace.of(0).collect();
                for (at, event) in events.iter().copied().enumerate() {
                    let same = with((kernel, traces), seen, (warp, at), std::slice::from_ref(event));
                    assert!(same.is_ok(), "{schedule}: {same:?}");
                    let shown = shown::shown(kernel, event, event.lanes.trailing_zeros());
                    let Some(shown) = shown else { continue };
                    let other = |what: Option<What>| what.map(|what| Event { what, ..event.clone() });
                    let mut others = vec![vec![], vec![event.clone(), event.clone()]];
                    others.extend(other(changed(&event.what)).map(|event| vec![event]));
                    others.extend(other(elsewhere(&event.what)).map(|event| vec![event]));
                    if event.lanes.count_ones() > 1 {
                        others.push(vec![Event { lanes: event.lanes & (event.lanes - 1), ..event.clone() }]);
                    }
                    for instead in others {
                        let own = with((kernel, traces), seen, (warp, at), &instead);
                        assert!(own.is_err(), "{schedule}: {instead:?} instead of {event:?} is not refused");
                    }
                    kinds.insert(format!("{shown:?}"));
                }
            }
            let kinds: Vec<String> = kinds.into_iter().collect();
            assert_eq!(kinds, ["Arrive", "Expect", "Init", "Load", "Order", "Wait"]);
        });
    }
}

#[test]
fn another_place_of_a_slot_is_refused() {
    ring(Schedule::Lazy, |kernel, traces, seen| {
        let events: Vec<&Event> = traces[0].of(0).collect();
        let copy = events.iter().position(|event| matches!(event.what, What::Copy { .. })).expect("a copy");
        let What::Touch(places) = &events[copy - 1].what else { panic!("the place of a copy") };
        let what = What::Touch(places.iter().map(|place| place + 1024).collect());
        let other = Event { what, ..events[copy - 1].clone() };
        let why = with((kernel, traces), seen, (0, copy - 1), &[other]).expect_err("another slot").why;
        assert!(why.starts_with("a copy at byte "), "{why}");
    });
}
