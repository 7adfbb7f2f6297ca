//! Branches on the answer of a test of a barrier: whether to wait for the phase.
//!
//! One way waits for the phase, the other one goes on, as the test has seen its end. Both get to
//! the same place. The way that waits stands for both: the other one knows at the test already what
//! this one learns at its wait.

use super::{Stop, Walk};
use crate::{
    registers::{Reg, lanes_of},
    trace::{Event, Part, Trace, What},
    value::Val,
};
use cute_sim::program::Slot;
use std::collections::HashMap;

/// Instructions on a way.
const MOST: u64 = 1 << 12;

impl Walk<'_> {
    /// The number of the test that decides a branch, and whether its condition is that it passes.
    pub(crate) fn tested(&self, condition: Slot, active: u32) -> Option<(u32, bool)> {
        let mut all = lanes_of(active).map(|lane| match self.get(condition).at(lane) {
            Val::Peek { number, no, yes } if (no == 0) != (yes == 0) => Some((number, yes != 0)),
            _ => None,
        });
        let first = all.next()??;
        all.all(|own| own == Some(first)).then_some(first)
    }

    /// Goes both ways up to where they meet.
    pub(crate) fn after_test(
        &mut self,
        pc: u32,
        number: u32,
        edges: [u32; 2],
        active: u32,
    ) -> Result<(), Stop> {
        let Some(join) = self.world.join(pc) else {
            return self.undecided(pc, "a test_wait or try_wait after whose answer a thread may end");
        };
        let [(waits, mut events), (passes, others)] =
            [self.way(pc, edges[0], join, active)?, self.way(pc, edges[1], join, active)?];
        let (barrier, parity) = self.notes.borrow().tests[number as usize];
        match (&mut events[..], &others[..]) {
            (
                [
                    Event {
                        lanes,
                        what: What::Wait { barrier: own, parity: of, relaxed: false, tested },
                        ..
                    },
                ],
                [],
            )
            | (
                [
                    Event {
                        lanes,
                        what: What::Wait { barrier: own, parity: of, relaxed: false, tested },
                        ..
                    },
                    Event { what: What::Meet, .. },
                ],
                [],
            ) if (*lanes, *own, *of) == (active, barrier, parity) => *tested = true,
            _ => {
                let what = "a test_wait or try_wait whose result decides more than whether the thread waits";
                return self.undecided(pc, what);
            }
        }
        for slot in 0..self.registers.len() {
            let (a, b) = (&waits[slot], &passes[slot]);
            if a == b && *a == self.registers[slot] {
                continue;
            }
            let merged = match a == b {
                true => a.clone(),
                false => Reg::of(|lane| match (a.at(lane), b.at(lane)) {
                    (a, b) if a == b => a,
                    (Val::Known(no), Val::Known(yes)) => Val::Peek { number, no, yes },
                    _ => Val::Unknown,
                }),
            };
            self.set(slot as u32, active, merged);
        }
        for event in events {
            self.trace.push(event);
        }
        lanes_of(active).for_each(|lane| self.pcs[lane as usize] = join);
        Ok(())
    }

    /// The registers at the end of a way, and the events on it.
    fn way(&mut self, pc: u32, edge: u32, join: u32, active: u32) -> Result<(Vec<Reg>, Vec<Event>), Stop> {
        let mut own = Walk {
            world: self.world,
            registers: self.registers.clone(),
            trace: Trace::default(),
            alive: active,
            parked: 0,
            visits: HashMap::new(),
            decisions: Vec::new(),
            open: HashMap::new(),
            reads: self.reads.clone(),
            notes: self.notes.clone(),
            ..*self
        };
        own.fork(pc, &[(active, edge)])?;
        while lanes_of(active).any(|lane| own.pcs[lane as usize] != join) {
            // Lanes that are there wait for the others.
            own.parked = lanes_of(active)
                .filter(|lane| own.pcs[*lane as usize] == join)
                .fold(0, |lanes, lane| lanes | 1 << lane);
            own.step()?;
            if own.steps - self.steps > MOST || own.alive != active {
                return self
                    .undecided(pc, "a test_wait or try_wait whose result decides where the thread goes");
            }
        }
        (self.bounds, self.fresh, self.steps) = (own.bounds, own.fresh, own.steps);
        let events = own.trace.parts.into_iter().flat_map(|part| match part {
            Part::Once(events) | Part::Times { body: events, .. } => events,
        });
        Ok((own.registers, events.collect()))
    }
}
