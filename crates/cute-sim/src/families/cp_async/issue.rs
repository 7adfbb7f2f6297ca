//! The issue of a copy of `cp.async`, and copies that are under way as findings name them.

use super::op::CpAsyncOp;
use super::queue::{Copy, Request, Work};
use crate::events::{self, Event, Task};
use crate::finding::{AccessKind, FindingKind, LaneFinding, PendingCopy};
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::memory::address::{GLOBAL, SHARED};
use crate::memory::tracked::ByteState;
use crate::program::Slot;
use crate::race::Reach;
use crate::report::Traffic;

impl Cluster<'_> {
    /// Completes a finding about a byte of a pending copy with the copy itself, preferably one of
    /// the thread's own.
    pub(crate) fn name_copy(&self, warps: &[Warp], user: u32, kind: &mut FindingKind) {
        let FindingKind::InFlight { place, offset, role, copy: named } = kind else { return };
        let queues = warps.iter().zip(&self.engine.queues);
        let requests = queues.flat_map(|(warp, queue)| queue.pending().map(move |r| (warp, r)));
        let found = requests.filter_map(|(warp, (request, younger))| {
            let (span, len) = request.span(*role)?;
            let within = (span.offset..span.offset + len as i64).contains(offset);
            (within && self.scene().place(&[], span) == *place)
                .then(|| (warp.thread(request.lane), request.site, younger))
        });
        *named = found.min_by_key(|(thread, ..)| *thread != user).map(|(thread, site, younger)| {
            let (op, location) = self.scene().site(site);
            Box::new(PendingCopy {
                op,
                location,
                thread: self.scene().thread(thread),
                younger,
                foreign: thread != user,
            })
        });
    }
}

impl Warp {
    #[inline]
    pub(crate) fn cp_async(
        &mut self,
        cluster: &mut Cluster<'_>,
        op: CpAsyncOp,
        active: u32,
    ) -> Result<(), LaneFinding> {
        match op {
            CpAsyncOp::Copy { dst, src, size, read } => {
                self.issue_copies(cluster, (dst, src), size, read, active)?;
            }
            CpAsyncOp::Commit => {
                self.tells_order(cluster, active);
                self.queue_mut(cluster).commit(active);
            }
            CpAsyncOp::Wait { pending } => self.wait_copies(cluster, pending, active),
        }
        Ok(())
    }

    /// Issues a copy of `size` bytes of which `read` come from `src`; the others are zero.
    fn issue_copies(
        &mut self,
        cluster: &mut Cluster<'_>,
        (dst, src): (Slot, Slot),
        size: u32,
        read: Option<Slot>,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let kernel = cluster.machine.kernel;
        self.registers.defined(kernel, dst, active, "address")?;
        self.registers.defined(kernel, src, active, "address")?;
        self.use_address(cluster, dst, active);
        read.map_or(Ok(()), |slot| self.registers.defined(kernel, slot, active, "number of bytes"))?;
        let size = u64::from(size);
        let (mut targets, mut sources, mut reading) = ([0; 32], [0; 32], 0);
        for lane in lanes_of(active) {
            let i = lane as usize;
            let at = |kind| LaneFinding { lane, kind };
            let asked = read.map_or(size, |slot| self.registers.get(slot)[i]);
            if asked > size {
                return Err(at(FindingKind::CopySize { asked, size }));
            }
            let to = cluster.span(&[], self.registers.get(dst)[i], SHARED, size, size).map_err(at)?;
            let mut copy = Copy { to, bytes: [0; 16], len: size as usize, from: None };
            if asked > 0 {
                self.use_address(cluster, src, 1 << lane);
                let from = cluster.span(&[], self.registers.get(src)[i], GLOBAL, asked, size).map_err(at)?;
                self.watch(
                    cluster,
                    lane,
                    from,
                    asked as usize,
                    (AccessKind::Read, Reach::default()),
                    self.lanes.at(),
                    None,
                );
                let issuer = (self.thread(lane), self.lanes.at());
                cluster.journal.note_undefined(issuer, from.allocation, (from.start, asked as usize));
                for (at, byte) in copy.bytes[..asked as usize].iter_mut().enumerate() {
                    *byte = cluster.read(&[], from, at, 1) as u8;
                }
                (sources[i], reading) = (from.address(), reading | 1 << lane);
                copy.from = Some((from, asked as usize));
            }
            if let Some((delta, ByteState::Barrier)) = cluster.shared.bytes().taken(to.start, copy.len) {
                return Err(at(cluster.state_finding(&[], to, delta, ByteState::Barrier)));
            }
            targets[i] = to.address();
            self.watch(
                cluster,
                lane,
                to,
                copy.len,
                (AccessKind::Copy, Reach::default()),
                self.lanes.at(),
                None,
            );
            cluster.journal.changes(1);
            cluster.shared.bytes_mut().mark(to.start, copy.len, ByteState::InFlight);
            let number = cluster.engine.number();
            let request = Request { site: self.lanes.at(), lane, number, work: Work::Copy(copy) };
            self.queue_mut(cluster).issue(request);
        }
        let requests = active.count_ones();
        cluster.journal.tell(|_| Event::Issues {
            act: self.act(active),
            task: Task::Async(cluster.engine.issued + 1 - u64::from(requests)),
            work: events::Work::Async,
            requests,
            bytes: size * u64::from(requests),
            barrier: None,
            subject: Box::default(),
        });
        cluster.journal.counters_mut().access(self.lanes.at(), Traffic::Shared, &targets, active, size);
        cluster.journal.counters_mut().access(self.lanes.at(), Traffic::Global, &sources, reading, size);
        Ok(())
    }
}
