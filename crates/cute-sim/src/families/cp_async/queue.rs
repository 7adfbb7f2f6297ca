//! The requests of a warp's threads: open ones, and groups, which each thread commits separately;
//! and the arrivals that follow requests.

use super::rules::CopyRole;
use crate::course::Past;
use crate::lanes::lanes_of;
use crate::memory::span::Span;
use std::collections::VecDeque;
use std::rc::Rc;

/// An operation that a thread issued and that is not known to be complete.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Request {
    pub(crate) site: u32,
    /// The lane of the warp that issued it.
    pub(crate) lane: u32,
    /// Requests are numbered in the order of their issue.
    pub(crate) number: u64,
    pub(crate) work: Work,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Work {
    /// `cp.async`.
    Copy(Copy),
    /// Executed by an agent, at this time of its clock. The thread does not know it yet.
    Done { agent: u32, time: u32 },
}

/// A copy of a few bytes from global to shared memory.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Copy {
    pub(crate) to: Span,
    pub(crate) bytes: [u8; 16],
    pub(crate) len: usize,
    /// The source of the bytes, as long as it must not be overwritten.
    pub(crate) from: Option<(Span, usize)>,
}

impl Request {
    /// The place that it reads or writes, and the number of bytes.
    pub(crate) fn span(&self, role: CopyRole) -> Option<(Span, usize)> {
        match (&self.work, role) {
            (Work::Copy(copy), CopyRole::Source) => copy.from,
            (Work::Copy(copy), CopyRole::Target) => Some((copy.to, copy.len)),
            (Work::Done { .. }, _) => None,
        }
    }
}

/// An arrival at a barrier that follows the requests of a thread: `cp.async.mbarrier.arrive`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Trigger {
    pub(crate) site: u32,
    /// The warp in the cluster, and the lane.
    pub(crate) warp: usize,
    pub(crate) lane: u32,
    /// The requests up to this one.
    pub(crate) upto: u64,
    /// The time of the thread's own last wait.
    pub(crate) waited: u32,
    /// The place of the barrier.
    pub(crate) barrier: usize,
    /// The past of the thread.
    pub(crate) past: Option<Rc<Past>>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Queue {
    /// Issued and not committed.
    open: Vec<Request>,
    /// Committed and not waited for, oldest first, each lane's on its own.
    groups: [VecDeque<Vec<Request>>; 32],
    /// The time of each lane's last wait for a group that was not empty.
    pub(crate) waited: [u32; 32],
}

impl Queue {
    pub(crate) fn issue(&mut self, request: Request) {
        self.open.push(request);
    }

    pub(crate) fn commit(&mut self, active: u32) {
        for lane in lanes_of(active) {
            self.groups[lane as usize].push_back(self.open.extract_if(.., |r| r.lane == lane).collect());
        }
    }

    /// The oldest group of the lane, if there are more than `pending`.
    pub(crate) fn take(&mut self, lane: u32, pending: u32) -> Option<Vec<Request>> {
        let groups = &mut self.groups[lane as usize];
        if groups.len() > pending as usize { groups.pop_front() } else { None }
    }

    /// Whether any request is pending.
    pub(crate) fn any(&self) -> bool {
        !self.open.is_empty() || self.groups.iter().any(|groups| !groups.is_empty())
    }

    /// The pending requests, and the number of groups that their thread has committed after theirs.
    pub(crate) fn pending(&self) -> impl Iterator<Item = (&Request, Option<u32>)> {
        let committed = self.groups.iter().flat_map(|groups| groups.iter().rev().zip(0..));
        let committed = committed.flat_map(|(group, younger)| group.iter().map(move |r| (r, Some(younger))));
        self.open.iter().map(|request| (request, None)).chain(committed)
    }

    /// The requests of a lane up to number `upto`, which stay in their groups.
    pub(crate) fn upto(&mut self, lane: u32, upto: u64) -> impl Iterator<Item = &mut Request> {
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
