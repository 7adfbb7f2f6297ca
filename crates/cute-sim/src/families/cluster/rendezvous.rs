//! The barrier of a cluster, where all threads that have not exited arrive, and wait for each other
//! later.

use crate::course::{Course, Past};
use crate::race::{Clocks, Known};
use std::rc::Rc;

#[derive(Debug, Default)]
pub(crate) struct Rendezvous {
    /// The knowledge published by arrivals, except relaxed ones.
    passed: Option<Known>,
    /// The past of the threads that arrived.
    past: Rc<Past>,
    arrived: u32,
    /// The knowledge published by the last complete phase, and the time of its completion.
    complete: Option<Known>,
    complete_past: Rc<Past>,
    completed: u32,
}

impl Rendezvous {
    /// Threads arrive.
    pub(super) fn arrive(&mut self, members: &[u32], course: Option<&Course>) {
        self.arrived += members.len() as u32;
        if let Some(course) = course {
            self.past = Past::both(&self.past, &course.of_all(members.iter().copied()));
        }
    }

    /// Threads publish what they know.
    pub(super) fn publish(&mut self, members: &[u32], clocks: &mut Clocks) {
        self.passed = Some(clocks.release(self.passed.take().as_ref(), members));
    }

    /// A relaxed arrival passes on what the thread had published before.
    pub(super) fn pass_on(&mut self, known: &Known) {
        self.passed = Some(Clocks::both(self.passed.as_ref(), known));
    }

    /// The same, of what an agent had done by a time.
    pub(super) fn pass_on_agent(&mut self, clocks: &mut Clocks, (agent, time): (u32, u32)) {
        self.passed = Some(clocks.with_agent(self.passed.as_ref(), agent, time));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.arrived == 0
    }

    /// All threads have arrived.
    pub(super) fn complete(&mut self, clocks: &mut Clocks) {
        self.arrived = 0;
        self.complete = self.passed.take();
        self.complete_past = self.past.clone();
        self.completed = clocks.act();
    }

    /// The knowledge and the past of the threads that arrived in the last complete phase.
    pub(super) fn completed(&self) -> (Option<&Known>, &Rc<Past>) {
        (self.complete.as_ref(), &self.complete_past)
    }

    /// A block has waited for the last complete phase.
    pub(super) fn meet(&self, clocks: &mut Clocks, rank: u32) {
        clocks.note_met(rank, self.completed);
    }
}
