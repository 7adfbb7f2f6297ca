//! Bulk copies from shared memory are executed: read, and then written.

use super::outbox::{Group, Leaving, Outbox};
use crate::events::{Event, Task};
use crate::machine::cluster::Cluster;
use crate::machine::shared::SharedMemory;
use crate::memory::words::Words;
use crate::race::Clocks;
use crate::schedule::Turns;
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

impl Cluster<'_> {
    /// Executes a copy.
    pub(super) fn leave(&mut self, copy: &mut Leaving) {
        if copy.done {
            return;
        }
        self.journal.acts();
        self.journal.tell(|_| Event::Done { task: Task::Bulk(copy.issued.time) });
        let has_written = copy.leave(&self.shared, self.machine.buffers);
        self.journal.changes(has_written.into());
    }

    /// Executes the reads of all groups except the `pending` youngest and, unless only reads are
    /// requested, their writes.
    pub(super) fn settle_outbox(&mut self, outbox: &mut Outbox, pending: usize, read: bool) {
        let count = outbox.groups.len().saturating_sub(pending);
        for group in outbox.groups.iter_mut().take(count) {
            for copy in &mut group.copies {
                if read { copy.depart(&self.shared) } else { self.leave(copy) }
            }
            if !read {
                group.copies.clear();
            }
            outbox.waited.0 = outbox.waited.0.max(group.time);
        }
        if !read {
            let done = outbox.groups.drain(..count).map(|group| group.time).max();
            outbox.waited.1 = outbox.waited.1.max(done.unwrap_or(0)).max(outbox.finished);
        }
        // A thread that waits only for reads keeps its groups to the end.
        while outbox.groups.len() > pending.max(MOST_READ) {
            let Some(Group { mut copies, time }) = outbox.groups.pop_front() else { break };
            copies.iter_mut().for_each(|copy| self.leave(copy));
            outbox.finished = time;
        }
    }

    /// Executes the copies that the schedule selects, or their reads.
    #[cold]
    pub(crate) fn send_some(&mut self, turns: &mut Turns) {
        let mut outboxes = std::mem::take(&mut self.engine.outboxes);
        for copy in outboxes.all_mut().flat_map(Outbox::copies) {
            match turns.below(8) {
                0 => copy.depart(&self.shared),
                1 => self.leave(copy),
                _ => {}
            }
        }
        self.engine.outboxes = outboxes;
    }

    /// Completes the copies of the threads of a block, or of all threads. Returns whether there
    /// were any.
    pub(crate) fn send_all(&mut self, threads: Range<u32>) -> bool {
        let mut any = false;
        for thread in self.engine.outboxes.threads(threads) {
            let Some(mut outbox) = self.engine.outboxes.take(thread) else { continue };
            for copy in outbox.copies() {
                any |= !copy.done;
                self.leave(copy);
            }
            self.engine.outboxes.put(thread, outbox);
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
