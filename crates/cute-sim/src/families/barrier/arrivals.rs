//! The threads that have arrived at the barriers of a block.

use crate::course::{Course, Past};
use crate::lanes::lanes_of;
use crate::race::{Clocks, Known};
use std::rc::Rc;

/// Barriers of a block (PTX `barrier`).
pub(super) const BARRIERS: u32 = 16;

/// Threads that arrived at each barrier without waiting, and the knowledge that they published.
#[derive(Debug, Default)]
pub(crate) struct Barriers([Arrivals; BARRIERS as usize]);

#[derive(Debug, Default)]
pub(super) struct Arrivals {
    threads: Vec<u32>,
    passed: Option<Known>,
    /// The waits that have returned before they arrived.
    past: Option<Rc<Past>>,
    /// The number of threads with which it completes according to the first of them, and the
    /// instruction of that thread.
    expects: Option<(u32, u32)>,
    /// The last use that did not take all threads of the block.
    last: Option<Last>,
}

/// A complete use of a barrier.
#[derive(Debug)]
pub(super) struct Last {
    /// The threads that did not wait, those that waited, both in their order, and the time.
    pub(super) arrived: Vec<u32>,
    pub(super) waited: Vec<u32>,
    pub(super) when: u32,
    /// The instruction at which the first of the threads waited.
    pub(super) site: u32,
}

/// The lanes of a warp that take part in a barrier.
pub(super) struct Partakers {
    /// The thread of lane 0.
    pub(super) first: u32,
    /// Lanes that are threads.
    pub(super) exists: u32,
    pub(super) active: u32,
    /// Whether they wait there.
    pub(super) waits: bool,
}

impl Barriers {
    /// The instruction of the first thread that has arrived at a barrier without waiting.
    pub(crate) fn arrival(&self, id: u32) -> Option<u32> {
        self.of(id).expects.map(|(_, site)| site)
    }

    /// The number of threads that have arrived at a barrier without waiting.
    pub(crate) fn arrived(&self, id: u32) -> usize {
        self.of(id).threads.len()
    }

    pub(super) fn of(&self, id: u32) -> &Arrivals {
        &self.0[id as usize]
    }

    pub(super) fn of_mut(&mut self, id: u32) -> &mut Arrivals {
        &mut self.0[id as usize]
    }

    /// The arrivals of a use that is complete. The next use begins without any.
    pub(super) fn complete(&mut self, id: u32) -> Arrivals {
        std::mem::take(self.of_mut(id))
    }
}

impl Arrivals {
    pub(super) fn threads(&self) -> &[u32] {
        &self.threads
    }

    /// The number of threads with which it completes, and the instruction of the first of them.
    pub(super) fn expects(&self) -> Option<(u32, u32)> {
        self.expects
    }

    /// The same, which a thread at this instruction sets if it is the first.
    pub(super) fn expect(&mut self, expected: u32, site: u32) -> (u32, u32) {
        *self.expects.get_or_insert((expected, site))
    }

    pub(super) fn passed(&self) -> Option<&Known> {
        self.passed.as_ref()
    }

    pub(super) fn past(&self) -> Option<&Rc<Past>> {
        self.past.as_ref()
    }

    /// Threads arrive, and publish what they know.
    pub(super) fn add(&mut self, members: &[u32], clocks: &mut Clocks, course: Option<&Course>) {
        self.threads.extend(members);
        self.passed = Some(clocks.release(self.passed.as_ref(), members));
        if let Some(course) = course {
            let own = course.of_all(members.iter().copied());
            self.past = Some(self.past.as_ref().map_or_else(|| own.clone(), |past| Past::both(past, &own)));
        }
    }

    /// Remembers a use that did not take all threads of the block.
    pub(super) fn remember(&mut self, last: Last) {
        self.last = Some(last);
    }

    /// Whether the lanes of a warp may take part again. They may not until one of them knows that
    /// the previous use of the barrier is complete, because they may count in that use; unless a
    /// warp needs to know nothing (`relaxes`). Otherwise returns such a lane, and the use if it is
    /// one without this lane.
    ///
    /// A lane that has arrived in this use may wait in it, and counts twice. Whoever takes part in
    /// the next use knows that this one is complete, so that both count in it in every order.
    pub(super) fn admits(
        &self,
        Partakers { first, exists, active, waits }: Partakers,
        clocks: &Clocks,
        relaxes: bool,
    ) -> Result<(), (u32, Option<&Last>)> {
        let thread = |lane: u32| first + lane;
        let has = |threads: &[u32], lane: u32| threads.binary_search(&thread(lane)).is_ok();
        let is_here = |lane: &u32| self.threads.contains(&thread(*lane));
        if let Some(lane) = lanes_of(active).find(is_here).filter(|_| !waits) {
            return Err((lane, None));
        }
        let Some(last) = &self.last else { return Ok(()) };
        let knows = |lane: u32| {
            has(&last.waited, lane)
                || last.waited.iter().any(|other| clocks.knows(thread(lane), *other, last.when))
        };
        if let Some(lane) = lanes_of(active).find(|lane| has(&last.arrived, *lane) && !knows(*lane)) {
            return Err((lane, None));
        }
        // A warp takes part as a whole.
        if last.waited.is_empty() || relaxes || lanes_of(exists).any(knows) {
            return Ok(());
        }
        Err((active.trailing_zeros(), Some(last)))
    }
}
