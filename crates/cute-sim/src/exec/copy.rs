//! `cp.async`: bytes leave global memory when the copy is issued and arrive in shared memory when their group is waited
//! for. In between the destination is nobody's: reading or writing it is an error.

use super::alu::{LaneFinding, lanes_of};
use super::span::Span;
use crate::finding::{AccessKind, CopyRole, FindingKind, PendingCopy};
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::memory::address::{GLOBAL, SHARED};
use crate::memory::tracked::ByteState;
use crate::program::Slot;
use crate::race::Reach;
use crate::report::Traffic;
use std::collections::VecDeque;

#[derive(Debug, Clone, PartialEq)]
struct Copy {
    site: u32,
    lane: u32,
    to: Span,
    bytes: [u8; 16],
    len: usize,
    /// Where the bytes came from, for as long as they may not be overwritten.
    from: Option<(Span, usize)>,
}

impl Copy {
    /// Where it reads or writes, and how many bytes.
    fn span(&self, role: CopyRole) -> Option<(Span, usize)> {
        match role {
            CopyRole::Source => self.from,
            CopyRole::Target => Some((self.to, self.len)),
        }
    }
}

/// Asynchronous copies of the lanes of a warp.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Copies {
    /// Issued and not committed.
    open: Vec<Copy>,
    /// Committed and not waited for, oldest first, each lane's on its own.
    groups: [VecDeque<Vec<Copy>>; 32],
}

impl Copies {
    pub(crate) fn commit(&mut self, active: u32) {
        for lane in lanes_of(active) {
            self.groups[lane as usize].push_back(self.open.extract_if(.., |c| c.lane == lane).collect());
        }
    }

    /// Is any copy under way?
    pub(crate) fn any(&self) -> bool {
        !self.open.is_empty() || self.groups.iter().any(|groups| !groups.is_empty())
    }

    /// The copies under way, and how many groups their thread has committed behind theirs.
    fn pending(&self) -> impl Iterator<Item = (&Copy, Option<u32>)> {
        let committed = self.groups.iter().flat_map(|groups| groups.iter().rev().zip(0..));
        let committed = committed.flat_map(|(group, younger)| group.iter().map(move |c| (c, Some(younger))));
        self.open.iter().map(|copy| (copy, None)).chain(committed)
    }

    /// The first of these bytes, by its offset in the allocation, that a copy of the lane may still read.
    pub(crate) fn source(&self, lane: u32, span: Span, bytes: usize) -> Option<i64> {
        let own = self.pending().filter(|(copy, _)| copy.lane == lane);
        let overlaps = own.filter_map(|(copy, _)| {
            let (from, len) = copy.from.filter(|(from, _)| from.allocation == span.allocation)?;
            let first = from.offset.max(span.offset);
            (first < (from.offset + len as i64).min(span.offset + bytes as i64)).then_some(first)
        });
        overlaps.min()
    }
}

impl Cluster<'_> {
    /// Completes a finding about a byte of a copy under way with what copy that is: one of the thread itself if there is.
    pub(crate) fn name_copy(&self, warps: &[Warp], user: u32, kind: &mut FindingKind) {
        let FindingKind::InFlight { place, offset, role, copy: named } = kind else { return };
        let copies = warps.iter().flat_map(|warp| warp.copies.pending().map(move |c| (warp, c)));
        let found = copies.filter_map(|(warp, (copy, younger))| {
            let (span, len) = copy.span(*role)?;
            let within = (span.offset..span.offset + len as i64).contains(offset);
            (within && self.place(&[], span) == *place).then(|| (warp.thread(copy.lane), copy.site, younger))
        });
        *named = found.min_by_key(|(thread, ..)| *thread != user).map(|(thread, site, younger)| {
            let (op, location) = self.site(site);
            Box::new(PendingCopy {
                op,
                location,
                thread: self.thread(thread),
                younger,
                foreign: thread != user,
            })
        });
    }
}

impl Warp {
    /// Issues a copy of `size` bytes of which `read` come from `src`; the others are zero.
    pub(crate) fn issue(
        &mut self,
        cluster: &mut Cluster<'_>,
        dst: Slot,
        src: Slot,
        size: u32,
        read: Option<Slot>,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let kernel = cluster.machine.kernel;
        self.defined(kernel, dst, active, "address")?;
        self.defined(kernel, src, active, "address")?;
        read.map_or(Ok(()), |slot| self.defined(kernel, slot, active, "number of bytes"))?;
        let size = u64::from(size);
        let (mut targets, mut sources, mut reading) = ([0; 32], [0; 32], 0);
        for lane in lanes_of(active) {
            let i = lane as usize;
            let at = |kind| LaneFinding { lane, kind };
            let asked = read.map_or(size, |slot| self.get(slot)[i]);
            if asked > size {
                return Err(at(FindingKind::CopySize { asked, size }));
            }
            let to = cluster.span(&[], self.get(dst)[i], SHARED, size, size).map_err(at)?;
            let mut copy = Copy { site: self.at, lane, to, bytes: [0; 16], len: size as usize, from: None };
            if asked > 0 {
                let from = cluster.span(&[], self.get(src)[i], GLOBAL, asked, size).map_err(at)?;
                self.watch(
                    cluster,
                    lane,
                    from,
                    asked as usize,
                    (AccessKind::Read, Reach::default()),
                    self.at,
                    false,
                );
                for (at, byte) in copy.bytes[..asked as usize].iter_mut().enumerate() {
                    *byte = cluster.read(&[], from, at, 1) as u8;
                }
                (sources[i], reading) = (from.address(), reading | 1 << lane);
                copy.from = Some((from, asked as usize));
            }
            targets[i] = to.address();
            self.watch(cluster, lane, to, copy.len, (AccessKind::Copy, Reach::default()), self.at, false);
            cluster.changes += 1;
            cluster.shared.mark(to.start, copy.len, ByteState::InFlight);
            self.copies.open.push(copy);
        }
        cluster.counters.access(self.at, Traffic::Shared, &targets, active, size);
        cluster.counters.access(self.at, Traffic::Global, &sources, reading, size);
        Ok(())
    }

    /// Completes all groups of each lane but the `pending` youngest.
    pub(crate) fn wait_copies(&mut self, cluster: &mut Cluster<'_>, pending: u32, active: u32) {
        for lane in lanes_of(active) {
            while self.copies.groups[lane as usize].len() > pending as usize {
                let group = self.copies.groups[lane as usize].pop_front().unwrap_or_default();
                for copy in group {
                    if let Some((from, len)) = copy.from {
                        self.watch(
                            cluster,
                            lane,
                            from,
                            len,
                            (AccessKind::Read, Reach::default()),
                            copy.site,
                            false,
                        );
                    }
                    cluster.changes += 1;
                    cluster.shared.write_slice(copy.to.start, &copy.bytes[..copy.len]);
                    self.watch(
                        cluster,
                        lane,
                        copy.to,
                        copy.len,
                        (AccessKind::Copy, Reach::default()),
                        copy.site,
                        false,
                    );
                }
            }
        }
    }
}
