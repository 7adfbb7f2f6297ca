//! The requests of a warp's threads: open ones, and groups, which each thread commits separately;
//! and the arrivals that follow requests.

use super::rules::CopyRole;
use crate::course::Past;
use crate::lanes::lanes_of;
use crate::memory::span::Span;
use cute_arch::WARP;
use std::collections::VecDeque;
use std::rc::Rc;

/// An operation that a thread issued and that is not known to be complete.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Request {
    pub(super) site: u32,
    /// The lane of the warp that issued it.
    pub(super) lane: u32,
    /// Requests are numbered in the order of their issue.
    pub(super) number: u64,
    pub(super) work: Work,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Work {
    /// `cp.async`.
    Copy(Copy),
    /// Executed by an agent, at this time of its clock. The thread does not know it yet.
    Done { agent: u32, time: u32 },
}

/// A copy of a few bytes from global to shared memory.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Copy {
    pub(super) to: Span,
    pub(super) bytes: [u8; 16],
    pub(super) len: usize,
    /// The source of the bytes, as long as it must not be overwritten.
    pub(super) from: Option<(Span, usize)>,
}

impl Request {
    /// The place that it reads or writes, and the number of bytes.
    pub(super) fn span(&self, role: CopyRole) -> Option<(Span, usize)> {
        match (&self.work, role) {
            (Work::Copy(copy), CopyRole::Source) => copy.from,
            (Work::Copy(copy), CopyRole::Target) => Some((copy.to, copy.len)),
            (Work::Done { .. }, _) => None,
        }
    }
}

/// An arrival at a barrier that follows the requests of a thread: `cp.async.mbarrier.arrive`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Trigger {
    pub(super) site: u32,
    /// The warp in the cluster, and the lane.
    pub(super) warp: usize,
    pub(super) lane: u32,
    /// The requests up to this one.
    pub(super) upto: u64,
    /// The time of the thread's own last wait.
    pub(super) waited: u32,
    /// The place of the barrier.
    pub(super) barrier: usize,
    /// The past of the thread.
    pub(super) past: Option<Rc<Past>>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Queue {
    /// Issued and not committed.
    open: Vec<Request>,
    /// Committed and not waited for, oldest first, each lane's on its own.
    groups: [VecDeque<Vec<Request>>; 32],
    /// The time of each lane's last wait for a group that was not empty.
    waited: [u32; 32],
}

impl Queue {
    pub(super) fn issue(&mut self, request: Request) {
        self.open.push(request);
    }

    pub(super) fn commit(&mut self, active: u32) {
        for lane in lanes_of(active) {
            self.groups[lane as usize].push_back(self.open.extract_if(.., |r| r.lane == lane).collect());
        }
    }

    /// The oldest group of the lane, if there are more than `pending`.
    pub(super) fn take(&mut self, lane: u32, pending: u32) -> Option<Vec<Request>> {
        let groups = &mut self.groups[lane as usize];
        if groups.len() > pending as usize { groups.pop_front() } else { None }
    }

    /// A lane waits for a group that is not empty.
    pub(super) fn note_wait(&mut self, lane: u32, now: u32) {
        self.waited[lane as usize] = now;
    }

    /// Whether any request is pending.
    pub(crate) fn any(&self) -> bool {
        !self.open.is_empty() || self.groups.iter().any(|groups| !groups.is_empty())
    }

    /// The pending requests, and the number of groups that their thread has committed after theirs.
    pub(super) fn pending(&self) -> impl Iterator<Item = (&Request, Option<u32>)> {
        let committed = self.groups.iter().flat_map(|groups| groups.iter().rev().zip(0..));
        let committed = committed.flat_map(|(group, younger)| group.iter().map(move |r| (r, Some(younger))));
        self.open.iter().map(|request| (request, None)).chain(committed)
    }

    /// The requests of a lane up to number `upto`, which stay in their groups.
    pub(super) fn upto(&mut self, lane: u32, upto: u64) -> impl Iterator<Item = &mut Request> {
        let committed = self.groups[lane as usize].iter_mut().flatten();
        self.open
            .iter_mut()
            .filter(move |r| r.lane == lane)
            .chain(committed)
            .filter(move |r| r.number <= upto)
    }

    /// The first of these bytes, by its offset in the allocation, that a copy of the lane may still
    /// read.
    pub(crate) fn source(&self, lane: u32, span: Span, bytes: usize) -> Option<i64> {
        let own = self.pending().filter(|(request, _)| request.lane == lane);
        let overlaps = own.filter_map(|(request, _)| {
            let Work::Copy(copy) = &request.work else { return None };
            let (from, len) = copy.from.filter(|(from, _)| from.allocation == span.allocation)?;
            let first = from.offset.max(span.offset);
            (first < (from.offset + len as i64).min(span.offset + bytes as i64)).then_some(first)
        });
        overlaps.min()
    }
}

/// The copies that the warps of a cluster have issued, and the arrivals that follow them.
#[derive(Debug)]
pub(crate) struct Copies {
    /// By the number of the warp in the cluster.
    queues: Vec<Queue>,
    triggers: Vec<Trigger>,
    issued: u64,
}

impl Copies {
    /// Those of this number of warps, which have issued none.
    pub(crate) fn new(warps: u32) -> Self {
        let queues = std::iter::repeat_with(Queue::default).take(warps as usize).collect();
        Copies { queues, triggers: Vec::new(), issued: 0 }
    }

    /// Those of each warp.
    pub(crate) fn queues(&self) -> &[Queue] {
        &self.queues
    }

    /// Those of a warp.
    pub(crate) fn of(&self, warp: u32) -> &Queue {
        &self.queues[warp as usize]
    }

    pub(super) fn of_mut(&mut self, warp: usize) -> &mut Queue {
        &mut self.queues[warp]
    }

    /// A number for a request.
    pub(super) fn number(&mut self) -> u64 {
        self.issued += 1;
        self.issued
    }

    /// The number of the last request.
    pub(super) fn issued(&self) -> u64 {
        self.issued
    }

    /// The arrivals that have not been executed.
    pub(super) fn triggers(&mut self) -> &mut Vec<Trigger> {
        &mut self.triggers
    }

    /// A thread lets an arrival at a barrier, by this instruction, follow its requests.
    pub(crate) fn follow(&mut self, (thread, site): (u32, u32), barrier: usize, past: Option<Rc<Past>>) {
        let (warp, lane) = ((thread / WARP) as usize, thread % WARP);
        let (upto, waited) = (self.issued, self.queues[warp].waited[lane as usize]);
        self.triggers.push(Trigger { site, warp, lane, upto, waited, barrier, past });
    }

    /// The number of arrivals that follow requests.
    pub(crate) fn following(&self) -> usize {
        self.triggers.len()
    }

    /// The thread and the instruction of an arrival at a barrier that follows requests.
    pub(crate) fn follower_of(&self, barrier: usize) -> Option<(u32, u32)> {
        let found = self.triggers.iter().find(|trigger| trigger.barrier == barrier);
        found.map(|trigger| (trigger.warp as u32 * WARP + trigger.lane, trigger.site))
    }
}
