//! The issue of a copy of `cp.async`, and copies that are under way as findings name them.

use super::complete::wait;
use super::op::CpAsyncOp;
use super::queue::{Copies, Copy, Request, Work};
use crate::events::{self, Event, Task};
use crate::finding::{AccessKind, FindingKind, LaneFinding, PendingCopy};
use crate::lanes::lanes_of;
use crate::machine::issuer::Issuer;
use crate::machine::parts::Parts;
use crate::machine::scene::Scene;
use crate::memory::address::{GLOBAL, SHARED};
use crate::memory::tracked::ByteState;
use crate::program::Slot;
use crate::race::Reach;
use crate::registers::Registers;
use crate::report::Traffic;
use cute_arch::WARP;

impl Copies {
    /// Completes a finding about a byte of a pending copy with the copy itself, preferably one of
    /// the thread's own.
    pub(crate) fn name_copy(&self, scene: &Scene<'_>, user: u32, kind: &mut FindingKind) {
        let FindingKind::InFlight { place, offset, role, copy: named } = kind else { return };
        let queues = (0..).zip(self.queues());
        let requests = queues.flat_map(|(warp, queue)| queue.pending().map(move |r| (warp, r)));
        let found = requests.filter_map(|(warp, (request, younger)): (u32, _)| {
            let (span, len) = request.span(*role)?;
            let within = (span.offset..span.offset + len as i64).contains(offset);
            (within && scene.place(&[], span) == *place)
                .then(|| (warp * WARP + request.lane, request.site, younger))
        });
        *named = found.min_by_key(|(thread, ..)| *thread != user).map(|(thread, site, younger)| {
            let (op, location) = scene.site(site);
            let foreign = thread != user;
            Box::new(PendingCopy { op, location, thread: scene.thread(thread), younger, foreign })
        });
    }
}

/// Executes an operation of copies.
#[inline]
pub(crate) fn cp_async(
    parts: &mut Parts<'_, '_>,
    registers: &Registers,
    issuer: &Issuer,
    op: CpAsyncOp,
) -> Result<(), LaneFinding> {
    match op {
        CpAsyncOp::Copy { dst, src, size, read } => {
            issue(parts, registers, issuer, (dst, src), (size.into(), read))?;
        }
        CpAsyncOp::Commit => {
            parts.journal.tell(|_| Event::Orders { act: issuer.act() });
            parts.engine.copies.of_mut(issuer.warp_of_cluster() as usize).commit(issuer.lanes);
        }
        CpAsyncOp::Wait { pending } => wait(parts, registers, issuer, pending),
    }
    Ok(())
}

/// Issues a copy of `size` bytes of which `read` come from `src`; the others are zero.
fn issue(
    parts: &mut Parts<'_, '_>,
    registers: &Registers,
    issuer: &Issuer,
    (dst, src): (Slot, Slot),
    (size, read): (u64, Option<Slot>),
) -> Result<(), LaneFinding> {
    let (kernel, active, site) = (parts.machine().kernel, issuer.lanes, issuer.site);
    registers.defined(kernel, dst, active, "address")?;
    registers.defined(kernel, src, active, "address")?;
    parts.journal.use_address(registers, issuer, dst);
    read.map_or(Ok(()), |slot| registers.defined(kernel, slot, active, "number of bytes"))?;
    let (mut targets, mut sources, mut reading) = ([0; 32], [0; 32], 0);
    for lane in lanes_of(active) {
        let i = lane as usize;
        let at = |kind| LaneFinding { lane, kind };
        let asked = read.map_or(size, |slot| registers.get(slot)[i]);
        if asked > size {
            return Err(at(FindingKind::CopySize { asked, size }));
        }
        let to = parts.span(&[], registers.get(dst)[i], SHARED, size, size).map_err(at)?;
        let mut copy = Copy { to, bytes: [0; 16], len: size as usize, from: None };
        if asked > 0 {
            parts.journal.use_address(registers, &issuer.only(1 << lane), src);
            let from = parts.span(&[], registers.get(src)[i], GLOBAL, asked, size).map_err(at)?;
            let source = (from, asked as usize);
            parts.watch(registers, (issuer, lane), source, (AccessKind::Read, Reach::default()), None);
            let who = (issuer.thread(lane), site);
            parts.journal.note_undefined(who, from.allocation, (from.start, asked as usize));
            for (at, byte) in copy.bytes[..asked as usize].iter_mut().enumerate() {
                *byte = parts.read(&[], from, at, 1) as u8;
            }
            (sources[i], reading) = (from.address(), reading | 1 << lane);
            copy.from = Some(source);
        }
        if let Some((delta, ByteState::Barrier)) = parts.shared.bytes().taken(to.start, copy.len) {
            return Err(at(parts.state_finding((to, delta), ByteState::Barrier)));
        }
        targets[i] = to.address();
        let target = (to, copy.len);
        parts.watch(registers, (issuer, lane), target, (AccessKind::Copy, Reach::default()), None);
        parts.journal.changes(1);
        parts.shared.bytes_mut().mark(to.start, copy.len, ByteState::InFlight);
        let copies = &mut parts.engine.copies;
        let request = Request { site, lane, number: copies.number(), work: Work::Copy(copy) };
        copies.of_mut(issuer.warp_of_cluster() as usize).issue(request);
    }
    let requests = active.count_ones();
    let Parts { engine, journal, .. } = parts;
    journal.tell(|_| Event::Issues {
        act: issuer.act(),
        task: Task::Async(engine.copies.issued() + 1 - u64::from(requests)),
        work: events::Work::Async,
        requests,
        bytes: size * u64::from(requests),
        barrier: None,
        subject: Box::default(),
    });
    journal.counters_mut().access(site, Traffic::Shared, &targets, active, size);
    journal.counters_mut().access(site, Traffic::Global, &sources, reading, size);
    Ok(())
}
