//! `cp.async`: bytes leave global memory when the copy is issued, and arrive in shared memory when
//! a thread waits for their group, or before a barrier receives the arrival that follows them. In
//! between, the destination must not be used: reading or writing it is an error.

use super::alu::{LaneFinding, lanes_of};
use crate::engine::{Copy, Request, Work};
use crate::events::{self, Event, Task};
use crate::finding::{AccessKind, FindingKind, PendingCopy};
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
                    self.at,
                    None,
                );
                self.note_undefined(cluster, lane, from.allocation, from.start, asked as usize);
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
            self.watch(cluster, lane, to, copy.len, (AccessKind::Copy, Reach::default()), self.at, None);
            cluster.journal.changes(1);
            cluster.shared.bytes_mut().mark(to.start, copy.len, ByteState::InFlight);
            let number = cluster.engine.number();
            let request = Request { site: self.at, lane, number, work: Work::Copy(copy) };
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
        cluster.journal.counters_mut().access(self.at, Traffic::Shared, &targets, active, size);
        cluster.journal.counters_mut().access(self.at, Traffic::Global, &sources, reading, size);
        Ok(())
    }

    /// Completes all groups of each lane except the `pending` youngest.
    pub(crate) fn wait_copies(&mut self, cluster: &mut Cluster<'_>, pending: u32, active: u32) {
        cluster.journal.tell(|_| Event::Completes { act: self.act(active) });
        for lane in lanes_of(active) {
            while let Some(group) = self.queue_mut(cluster).take(lane, pending) {
                for request in group {
                    match request.work {
                        Work::Copy(copy) => {
                            self.queue_mut(cluster).waited[lane as usize] = cluster.clocks.now();
                            self.deliver(cluster, lane, request.site, &copy, None);
                            cluster.journal.tell(|_| Event::Done { task: Task::Async(request.number) });
                        }
                        Work::Done { agent, time } => cluster.clocks.learn(self.thread(lane), agent, time),
                    }
                }
            }
        }
    }
}
