//! Bulk copies from shared memory are executed: read, and then written.

use super::outbox::{Group, Leaving, Outbox, Outboxes};
use crate::events::{Event, Task};
use crate::machine::journal::Journal;
use crate::memory::words::Words;
use crate::race::Clocks;
use crate::schedule::Turns;
use crate::shared::SharedMemory;
use std::ops::Range;

/// The maximum number of groups per thread that have read their sources but not written yet.
const MOST_READ: usize = 64;

impl Leaving {
    /// Executes the reads.
    fn depart(&mut self, shared: &SharedMemory) {
        if self.read.is_none() && !self.done {
            self.read = Some(self.rows.collect(shared));
        }
    }

    /// Executes the copy. Answers whether it wrote anything.
    fn leave(&mut self, shared: &SharedMemory, buffers: &[Words]) -> bool {
        self.depart(shared);
        self.done = true;
        let bytes = self.read.take().unwrap_or_default();
        self.rows.send(bytes, self.reduce, buffers)
    }
}

/// Executes a copy.
pub(super) fn leave(copy: &mut Leaving, shared: &SharedMemory, journal: &mut Journal<'_>) {
    if copy.done {
        return;
    }
    journal.acts();
    journal.tell(|_| Event::Done { task: Task::Bulk(copy.issued.time) });
    let has_written = copy.leave(shared, journal.machine().buffers);
    journal.changes(has_written.into());
}

impl Outbox {
    /// Executes the reads of all groups except the `pending` youngest and, unless only reads are
    /// requested, their writes.
    pub(super) fn settle(
        &mut self,
        (pending, read): (usize, bool),
        shared: &SharedMemory,
        journal: &mut Journal<'_>,
    ) {
        let count = self.groups.len().saturating_sub(pending);
        for group in self.groups.iter_mut().take(count) {
            for copy in &mut group.copies {
                if read { copy.depart(shared) } else { leave(copy, shared, journal) }
            }
            if !read {
                group.copies.clear();
            }
            self.waited.0 = self.waited.0.max(group.time);
        }
        if !read {
            let done = self.groups.drain(..count).map(|group| group.time).max();
            self.waited.1 = self.waited.1.max(done.unwrap_or(0)).max(self.finished);
        }
        // A thread that waits only for reads keeps its groups to the end.
        while self.groups.len() > pending.max(MOST_READ) {
            let Some(Group { mut copies, time }) = self.groups.pop_front() else { break };
            copies.iter_mut().for_each(|copy| leave(copy, shared, journal));
            self.finished = time;
        }
    }
}

impl Outboxes {
    /// Executes the copies that the schedule selects, or their reads.
    #[cold]
    pub(crate) fn send_some(&mut self, turns: &mut Turns, shared: &SharedMemory, journal: &mut Journal<'_>) {
        for copy in self.all_mut().flat_map(Outbox::copies) {
            match turns.below(8) {
                0 => copy.depart(shared),
                1 => leave(copy, shared, journal),
                _ => {}
            }
        }
    }

    /// Completes the copies of the threads of a block, or of all threads. Returns whether there
    /// were any.
    pub(crate) fn send_all(
        &mut self,
        threads: Range<u32>,
        shared: &SharedMemory,
        journal: &mut Journal<'_>,
    ) -> bool {
        let mut any = false;
        for copy in self.of_threads(threads).flat_map(Outbox::copies) {
            any |= !copy.done;
            leave(copy, shared, journal);
        }
        any
    }
}

impl Outbox {
    /// A thread that shares the outbox learns of the copies for which it was waited.
    pub(super) fn teach(&self, clocks: &mut Clocks, thread: u32) {
        clocks.learn(thread, self.agents.0, self.waited.0);
        clocks.learn(thread, self.agents.1, self.waited.1);
        if let Some(maps) = self.maps {
            clocks.learn(thread, maps, self.waited.0);
        }
    }
}
