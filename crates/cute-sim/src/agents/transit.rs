//! The execution of bulk copies.

use crate::engine::bulk::{Far, Group, Issued, Landing, Leaving, Outbox, Payload};
use crate::events::{Event, Task, Work};
use crate::finding::{Completion, CopyRole, FindingKind, MbarrierMisuse, Place};
use crate::machine::WARP;
use crate::machine::cluster::{Cluster, Stop};
use crate::race::Record;
use crate::schedule::{Schedule, Turns};
use crate::update::{apply_in_global, one_at_a_time};
use std::collections::BTreeSet;

/// The maximum number of groups per thread that have read their sources but not written yet.
const MOST_READ: usize = 64;

impl Outbox {
    /// Like [`issue`](Self::issue), for a copy that has been executed.
    pub(crate) fn issue_done(&mut self, issued: Issued) {
        (self.opened, self.last) = (issued.time, Some(issued));
    }
}

impl Cluster<'_> {
    /// An agent for copies that a barrier counts, which is busy now.
    pub(crate) fn lander(&mut self, barrier: usize) -> u32 {
        let agents = self.engine.landers.entry(barrier).or_default();
        match agents.iter_mut().find(|(_, busy)| !busy) {
            Some((agent, busy)) => {
                *busy = true;
                *agent
            }
            None => {
                let agent = self.clocks.agent();
                agents.push((agent, true));
                agent
            }
        }
    }

    /// The outgoing copies of a thread.
    pub(crate) fn outbox(&mut self, thread: u32) -> &mut Outbox {
        let clocks = &mut self.clocks;
        self.engine.outboxes.entry(thread).or_insert_with(|| Outbox::new((clocks.agent(), clocks.agent())))
    }

    /// The agent that reads the tensor map of a load that a thread issues now. The read is complete
    /// for threads that wait for the load, and for a thread that commits bulk groups after the load
    /// and waits for them, as CUTLASS's `tma_desc_wait_group` does before a map is changed.
    pub(crate) fn map_reader(&mut self, issued: Issued) -> u32 {
        let known = self.outbox(issued.thread).maps;
        let agent = known.unwrap_or_else(|| self.clocks.agent());
        let outbox = self.outbox(issued.thread);
        (outbox.maps, outbox.opened) = (Some(agent), issued.time);
        agent
    }

    /// A copy is on its way, or with the eager schedule there.
    pub(crate) fn deliver(&mut self, landing: Landing) -> Result<(), FindingKind> {
        let Landing { issued, payload, barrier, .. } = &landing;
        let work = match payload {
            Payload::Rows(_) => Work::Load,
            Payload::Values { .. } => Work::Values,
            Payload::Response { .. } => Work::Response,
        };
        let (bytes, task) = (payload.bytes() as u64, Task::Bulk(issued.time));
        self.tell_issue((issued.thread, issued.site), task, work, bytes, Some(*barrier));
        if let Some(course) = &mut self.engine.course {
            course.send(landing.agent, landing.issued.thread);
        }
        if self.engine.schedule == Schedule::Eager {
            return self.land(&landing);
        }
        self.engine.landings.push(landing);
        Ok(())
    }

    /// A copy arrives, and its barrier counts it.
    pub(crate) fn land(&mut self, landing: &Landing) -> Result<(), FindingKind> {
        let Landing { issued, payload, barrier: at, agent } = landing;
        self.steps += 1;
        self.tell(|_| Event::Done { task: Task::Bulk(issued.time) });
        match payload {
            Payload::Rows(rows) => self.fetch(rows),
            Payload::Values { values, scalar, update } => self.put(values, *scalar, *update),
            Payload::Response { at, response } => {
                self.changes += 1;
                self.shared.write_slice(*at, response);
            }
        }
        for (lander, busy) in self.engine.landers.entry(*at).or_default() {
            *busy &= lander != agent;
        }
        let Some(barrier) = self.engine.barriers.get(at) else {
            return Err(self.misused(*at, MbarrierMisuse::Uninitialised));
        };
        let mut passed = self.clocks.with_agent(barrier.passed.as_ref(), *agent, issued.time);
        if let Some(maps) = self.engine.outboxes.get(&issued.thread).and_then(|outbox| outbox.maps) {
            passed = self.clocks.with_agent(Some(&passed), maps, issued.time);
        }
        let landed = self.engine.landed.get_mut(agent).filter(|landed| landed.issued.time == issued.time);
        if let Some(landed) = landed {
            landed.phase = Some(barrier.phase);
        }
        if let Some(barrier) = self.engine.barriers.get_mut(at) {
            barrier.passed = Some(passed);
        }
        self.expect_bytes(*at, -(payload.bytes() as i64), None)?;
        let past = self.engine.course.as_mut().and_then(|course| course.arrives(*agent));
        self.follow(*at, past.as_ref());
        self.complete_phase(*at, (issued.thread, issued.site));
        Ok(())
    }

    /// Executes the reads of a copy.
    fn depart(&mut self, copy: &mut Leaving) {
        if copy.read.is_none() && !copy.done {
            copy.read = Some(self.collect(&copy.rows));
        }
    }

    /// Executes a copy.
    pub(crate) fn leave(&mut self, copy: &mut Leaving) {
        if copy.done {
            return;
        }
        self.depart(copy);
        copy.done = true;
        self.steps += 1;
        self.tell(|_| Event::Done { task: Task::Bulk(copy.issued.time) });
        let Far::Global(buffer) = copy.rows.far else { return };
        let Some(buffer) = self.machine.buffers.get(buffer as usize) else { return };
        let mut bytes = copy.read.take().unwrap_or_default();
        self.changes += 1;
        let mut left = &mut bytes[..];
        let _guard = copy.reduce.map(|_| one_at_a_time());
        for row in &copy.rows.list {
            let (own, rest) = left.split_at_mut(row.len);
            left = rest;
            if let Some((update, scalar)) = copy.reduce {
                let size = scalar.bytes() as usize;
                for (element, at) in own.chunks_exact_mut(size).zip((row.at..).step_by(size)) {
                    let value = element.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b));
                    let old = buffer.read(at, size);
                    let new = apply_in_global(update, scalar, old, value, 0).unwrap_or(old);
                    element.copy_from_slice(&new.to_le_bytes()[..size]);
                }
            }
            buffer.write_slice(row.at, own);
        }
    }

    /// Executes the reads of all groups except the `pending` youngest and, unless only reads are
    /// requested, their writes.
    pub(crate) fn settle_outbox(&mut self, outbox: &mut Outbox, pending: usize, read: bool) {
        let count = outbox.groups.len().saturating_sub(pending);
        for group in outbox.groups.iter_mut().take(count) {
            for copy in &mut group.copies {
                if read { self.depart(copy) } else { self.leave(copy) }
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

    /// How other threads can wait for an access by an agent.
    pub(crate) fn completion(&self, record: &Record) -> Option<Completion> {
        let agent = record.agent().filter(|_| self.clocks.first_of(record.made_by()).is_some())?;
        if let Some(landed) = self.engine.landed.get(&agent) {
            let (place, offset) = self.barrier_place(landed.barrier);
            let current = || self.engine.barriers.get(&landed.barrier).map(|barrier| barrier.phase);
            let phase = landed.phase.or_else(current).filter(|_| landed.issued.time == record.time);
            return Some(Completion::Mbarrier { place, offset, phase });
        }
        if self.engine.wgmma_queues.values().any(|queue| queue.agent == Some(agent)) {
            return Some(Completion::Wgmma);
        }
        if let Some(((_, stores), _)) = self.engine.tensor_warps.iter().find(|(_, own)| own.agent == agent) {
            return Some(Completion::TensorWait { stores: *stores });
        }
        if self.engine.tensor.values().any(|queue| [queue.multiplier.0, queue.copier.0].contains(&agent)) {
            return Some(Completion::TensorCommit);
        }
        let is_of = |o: &Outbox| o.agents.0 == agent || o.agents.1 == agent || o.maps == Some(agent);
        let sends = self.engine.outboxes.values().any(is_of);
        sends.then(|| Completion::Group { read: record.kind.is_read() })
    }

    /// Executes some of the pending copies, or all, or all of those that these mbarriers count.
    /// Returns whether there were any.
    pub(super) fn transit(
        &mut self,
        turns: &mut Turns,
        all: bool,
        counting: Option<&BTreeSet<usize>>,
    ) -> Result<bool, Stop> {
        let random = matches!(self.engine.schedule, Schedule::Random(_));
        let mut happened = false;
        let mut landings = std::mem::take(&mut self.engine.landings);
        if self.engine.schedule == Schedule::Reverse {
            landings.reverse();
        }
        for landing in landings {
            let all = all && counting.is_none_or(|barriers| barriers.contains(&landing.barrier));
            if all || random && turns.below(4) == 0 {
                let Issued { site, thread, block, .. } = landing.issued;
                self.run(block);
                self.land(&landing).map_err(|kind| (site, thread, kind))?;
                happened = true;
            } else {
                self.engine.landings.push(landing);
            }
        }
        if random && !self.engine.outboxes.is_empty() {
            let mut outboxes = std::mem::take(&mut self.engine.outboxes);
            for outbox in outboxes.values_mut() {
                let groups = outbox.groups.iter_mut().flat_map(|group| &mut group.copies);
                for copy in outbox.open.iter_mut().chain(groups) {
                    match turns.below(8) {
                        0 => self.depart(copy),
                        1 => self.leave(copy),
                        _ => {}
                    }
                }
            }
            self.engine.outboxes = outboxes;
        }
        Ok(happened)
    }

    /// Completes the copies of the threads of a block, or of all threads. Returns whether there
    /// were any.
    pub(crate) fn send_all(&mut self, threads: std::ops::Range<u32>) -> bool {
        let mut any = false;
        let threads: Vec<u32> = self.engine.outboxes.range(threads).map(|(thread, _)| *thread).collect();
        for thread in threads {
            let Some(mut outbox) = self.engine.outboxes.remove(&thread) else { continue };
            let groups = outbox.groups.iter_mut().flat_map(|group| &mut group.copies);
            for copy in outbox.open.iter_mut().chain(groups) {
                any |= !copy.done;
                self.leave(copy);
            }
            self.engine.outboxes.insert(thread, outbox);
        }
        any
    }

    /// Ends the shared memory of a block whose threads are all done, and completes its copies.
    /// Returns the first bulk copy to its shared memory that has not arrived, as far as the block
    /// knows. A copy from it that may not have been read is only a note, because NVIDIA's kernels
    /// return after `wait_group.read 1`.
    pub(crate) fn leaves_behind(&mut self, rank: u32) -> Option<Stop> {
        let per_block = self.machine.warps() * WARP;
        let threads = rank * per_block..(rank + 1) * per_block;
        let knows = |agent: u32, time: u32| threads.clone().any(|t| self.clocks.knows(t, agent, time));
        let landed = self.engine.landed.iter().filter(|(_, landed)| landed.rank == rank);
        let landing = landed.filter(|(agent, landed)| !knows(**agent, landed.issued.time));
        let first = landing.map(|(_, landed)| landed.issued).min_by_key(|issued| issued.time);
        // Operations of other blocks' tensor cores that may still access this block.
        let is_over = |agent: u32, time: u32| threads.clone().any(|t| self.clocks.knows_over(t, agent, time));
        let late = |((to, agent), (issued, _)): &(&(u32, u32), &(Issued, Option<usize>))| {
            *to == rank && !is_over(*agent, issued.time)
        };
        let reached = self.engine.reached.iter().filter(|at| late(at)).map(|(_, reached)| *reached);
        let reached = reached.min_by_key(|(issued, _)| issued.time);
        let sent = self
            .engine
            .outboxes
            .range(threads.clone())
            .filter_map(|(_, outbox)| outbox.last.filter(|issued| !knows(outbox.agents.0, issued.time)));
        if let Some(issued) = sent.min_by_key(|issued| issued.time) {
            let kind = FindingKind::Unfinished { role: CopyRole::Source };
            self.remark(issued.site, issued.thread, kind);
        }
        self.send_all(threads);
        if let Some((issued, barrier)) = reached {
            let (place, commit) = match barrier.map(|at| self.barrier_place(at)) {
                Some((place, offset)) => (place, Some(offset)),
                None => (Place::OfBlock { rank, place: Box::new(Place::SharedWindow) }, None),
            };
            return Some((issued.site, issued.thread, FindingKind::Exited { place, commit }));
        }
        if let Some(leaked) = self.leaked(rank) {
            return Some(leaked);
        }
        first.map(|issued| (issued.site, issued.thread, FindingKind::Unfinished { role: CopyRole::Target }))
    }
}
