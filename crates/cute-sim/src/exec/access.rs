//! Loads and stores: where an address is, whether the access may be there, and who else is.

use super::WARP;
use super::alu::{LaneFinding, lanes_of};
use super::atomic::one_at_a_time;
use super::block::Block;
use super::span::{Span, Spans};
use super::unknown::{Local, Unknown, local_place};
use super::warp::{MEETING, Warp};
use crate::finding::{AccessKind, CopyRole, FindingKind, Place};
use crate::memory::address::{CONSTANT, GLOBAL, LOCAL, SHARED, SHARED_BASE, parts};
use crate::memory::tracked::ByteState;
use crate::program::{Access, Slot};
use crate::race::{Reach, Who, Window};
use crate::value::int::mask;

impl Block<'_> {
    /// Finds the allocation of an access and checks that it holds all of it.
    pub(super) fn span(
        &self,
        locals: &[Local],
        address: u64,
        space: u32,
        bytes: u64,
        align: u64,
    ) -> Result<Span, FindingKind> {
        let parts = parts(address, space)?;
        let kernel = self.machine.kernel;
        let unmapped = || FindingKind::Unmapped { address };
        let index = parts.allocation as usize;
        let whole = |len: Option<usize>| Ok((parts.allocation, 0, len.ok_or_else(unmapped)? as u64));
        let (allocation, start, size) = match parts.space {
            GLOBAL => whole(self.machine.buffers.get(index).map(|b| b.len()))?,
            CONSTANT => whole(kernel.constants.get(index).map(|c| c.bytes.len()))?,
            LOCAL => whole(locals.get(index).map(|l| l.memory.len()))?,
            _ => self.shared_object(parts.allocation, parts.byte, bytes).ok_or_else(unmapped)?,
        };
        let offset = parts.byte - start as i64;
        if offset < 0 || (offset as u64).saturating_add(bytes) > size {
            let place = self.place(locals, parts.space, allocation);
            return Err(FindingKind::OutOfBounds { place, offset, bytes, size });
        }
        // Allocations are aligned to more than any access; shared objects lie at an address of their own.
        if !(parts.byte as u64).is_multiple_of(align) {
            return Err(FindingKind::Misaligned {
                place: self.place(locals, parts.space, allocation),
                offset,
                align,
            });
        }
        let base = if parts.space == SHARED { SHARED_BASE as i64 } else { 0 };
        Ok(Span { space: parts.space, allocation, offset, start: (parts.byte - base) as usize, size })
    }

    /// Number, address and size of a shared object: the one that the pointer names, or for a bare address (0) the one
    /// that lies there, else the whole window.
    fn shared_object(&self, number: u32, address: i64, bytes: u64) -> Option<(u32, u64, u64)> {
        let dynamic = u64::from(self.machine.launch.dynamic_shared);
        let object = |n: u32| {
            let object = self.machine.kernel.shared.get(n.checked_sub(1)? as usize)?;
            Some((n, object.address, object.size.unwrap_or(dynamic)))
        };
        if number > 0 {
            return object(number);
        }
        let holds = |(_, start, size): &(u32, u64, u64)| {
            u64::try_from(address).is_ok_and(|a| *start <= a && a.saturating_add(bytes) <= start + size)
        };
        let objects = 1..=self.machine.kernel.shared.len() as u32;
        let found = objects.filter_map(object).find(holds);
        Some(found.unwrap_or((0, SHARED_BASE, self.shared.len() as u64)))
    }

    /// An allocation; one of local memory is among `locals`.
    pub(super) fn place(&self, locals: &[Local], space: u32, allocation: u32) -> Place {
        let (kernel, index) = (self.machine.kernel, allocation as usize);
        match space {
            GLOBAL => {
                let name = self.machine.names.get(&allocation).cloned();
                Place::Buffer { number: allocation, name }
            }
            CONSTANT => {
                Place::Constant(kernel.constants.get(index).map(|c| c.name.clone()).unwrap_or_default())
            }
            LOCAL => local_place(kernel, locals.get(index).map_or(u32::MAX, |l| l.made)),
            _ => match index.checked_sub(1).and_then(|i| kernel.shared.get(i)) {
                Some(object) => {
                    Place::Shared { name: object.name.clone(), location: object.location.clone() }
                }
                None => Place::SharedWindow,
            },
        }
    }

    /// Up to 8 bytes at `delta` of the span.
    pub(super) fn read(&self, locals: &[Local], span: Span, delta: usize, bytes: usize) -> u64 {
        let (index, at) = (span.allocation as usize, span.start + delta);
        match span.space {
            GLOBAL => self.machine.buffers.get(index).map_or(0, |b| b.read(at, bytes)),
            CONSTANT => {
                let bytes =
                    self.machine.kernel.constants.get(index).and_then(|c| c.bytes.get(at..at + bytes));
                bytes.map_or(0, |b| b.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b)))
            }
            LOCAL => locals.get(index).map_or(0, |l| l.memory.read(at, bytes)),
            _ => self.shared.read(at, bytes),
        }
    }

    /// Writes up to 8 bytes at `delta` of the span.
    pub(super) fn write(&mut self, locals: &mut [Local], span: Span, delta: usize, bytes: usize, value: u64) {
        let (index, at) = (span.allocation as usize, span.start + delta);
        self.changes += u64::from(span.space != LOCAL);
        match span.space {
            GLOBAL => {
                if let Some(buffer) = self.machine.buffers.get(index) {
                    buffer.write(at, bytes, value);
                }
            }
            CONSTANT => {}
            LOCAL => {
                if let Some(local) = locals.get_mut(index) {
                    local.memory.write(at, bytes, value);
                }
            }
            _ => self.shared.write(at, bytes, value),
        }
    }
}

/// Why a byte `delta` bytes into the span is not what the access needs it to be.
fn state_finding(
    block: &Block<'_>,
    locals: &[Local],
    span: Span,
    delta: usize,
    state: ByteState,
) -> FindingKind {
    let place = block.place(locals, span.space, span.allocation);
    let offset = span.offset + delta as i64;
    match state {
        ByteState::InFlight => FindingKind::InFlight { place, offset, role: CopyRole::Target, copy: None },
        _ => FindingKind::Uninitialised { place, offset },
    }
}

impl Warp {
    /// Notes who accesses what, and races. `same`: the bytes are what was there, so that two writes agree.
    /// Answers whether there was a race.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn watch(
        &self,
        block: &mut Block<'_>,
        lane: u32,
        span: Span,
        bytes: usize,
        (kind, reach): (AccessKind, Reach),
        site: u32,
        same: bool,
    ) -> bool {
        if !block.machine.launch.check_races || bytes == 0 {
            return false;
        }
        let alone = span.space == SHARED;
        let who = Who { block: block.number, warp: self.number, site, kind, alone, reach };
        let race = match span.space {
            GLOBAL => block.machine.shadow.access(
                span.allocation,
                span.start,
                bytes,
                &who,
                1 << lane,
                &block.clocks,
            ),
            SHARED => {
                let mut window = Window { cells: &mut block.cells, first: 0 };
                window.access(span.start, bytes, &who, 1 << lane, &block.clocks)
            }
            _ => None,
        };
        let Some((delta, race)) = race else { return false };
        if same && !race.record.kind.is_read() {
            return false;
        }
        let place = block.place(&[], span.space, span.allocation);
        block.note_race(&who, lane, place, span.offset + delta as i64, race);
        true
    }

    /// At an atomic access a thread learns what others passed on there, and passes on what it knows; if the kernel uses
    /// atomics for that. Whether it reads or writes is not told apart, nor which fence goes with which access: a race may
    /// stay unseen, but none is made up.
    pub(super) fn synchronise(&mut self, block: &mut Block<'_>, access: &Access, lane: u32, span: Span) {
        block.meets_others |= span.space == GLOBAL;
        self.turn = self.turn.saturating_sub(MEETING);
        if !block.machine.kernel.atomics_order || !matches!(span.space, GLOBAL | SHARED) {
            return;
        }
        if span.space == GLOBAL && !access.block_only {
            block.machine.sync.meet(span.allocation, span.start, block.number, &mut block.clocks);
        }
        let thread = self.thread(lane);
        let passed = block.passed.get(&(span.space, span.allocation, span.start));
        if let Some(known) = passed {
            block.clocks.acquire(thread, known);
        }
        let known = block.clocks.release(passed, &[thread]);
        block.passed.insert((span.space, span.allocation, span.start), known);
    }

    pub(super) fn load(
        &mut self,
        block: &mut Block<'_>,
        access: &Access,
        dst: Slot,
        address: Slot,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let spans = self.spans(block, access, address, active)?;
        self.last_read = (self.at, active.trailing_zeros(), self.executed);
        let bytes = access.bytes as usize;
        let kind = if access.strong { AccessKind::AtomicRead } else { AccessKind::Read };
        let left = match &spans {
            Spans::Together(at) if !access.strong => self.load_together(block, access, dst, at, active),
            _ => active,
        };
        for lane in lanes_of(left) {
            let i = lane as usize;
            let span = spans.of(lane);
            for leaf in &access.leaves {
                let (at, n) = (leaf.offset as usize, leaf.bytes as usize);
                let value = block.read(&self.locals[i], span, at, n);
                self.set_lane(dst + leaf.slot, lane, value & mask(leaf.bits));
                if span.space == LOCAL
                    && let Some(local) = self.locals[i].get(span.allocation as usize)
                    && let Some(unknown) = local.unknown(span.start + at, n, self.at)
                {
                    let bits = unknown.bits & mask(leaf.bits);
                    self.set_unknown(dst + leaf.slot, lane, Some(Unknown { bits, ..unknown }));
                }
            }
            if access.strong {
                self.synchronise(block, access, lane, span);
            }
            self.can_read(block, access, lane, span, bytes, kind)?;
        }
        Ok(())
    }

    /// Checks that all bytes of a read are there. An empty byte of shared memory is noted, since its writer may be late; one
    /// of local memory makes an undefined value, but for an atomic operation.
    pub(super) fn can_read(
        &self,
        block: &mut Block<'_>,
        access: &Access,
        lane: u32,
        span: Span,
        bytes: usize,
        kind: AccessKind,
    ) -> Result<(), LaneFinding> {
        let raced = self.watch(block, lane, span, bytes, (kind, access.reach(kind)), self.at, false);
        let locals = &self.locals[lane as usize];
        let tracked = match span.space {
            LOCAL if kind == AccessKind::Atomic => locals.get(span.allocation as usize).map(|l| &l.memory),
            SHARED if !raced => Some(&block.shared),
            _ => None,
        };
        let Some(tracked) = tracked else { return Ok(()) };
        // Padding between leaves is nobody's.
        let unwritten = access.leaves.iter().find_map(|leaf| {
            let (at, n) = (leaf.offset as usize, leaf.bytes as usize);
            tracked.unwritten(span.start + at, n).map(|(i, state)| (at + i, state))
        });
        let Some((delta, state)) = unwritten else { return Ok(()) };
        let kind = state_finding(block, locals, span, delta, state);
        if span.space == SHARED && state == ByteState::Empty {
            let finding = block.finding(self.at, self.number * WARP + lane, kind);
            block.findings.note_early_read(self.at, finding);
            return Ok(());
        }
        Err(LaneFinding { lane, kind })
    }

    pub(super) fn store(
        &mut self,
        block: &mut Block<'_>,
        access: &Access,
        src: Slot,
        address: Slot,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let spans = self.spans(block, access, address, active)?;
        let bytes = access.bytes as usize;
        let kind = if access.strong { AccessKind::Atomic } else { AccessKind::Write };
        let left = match &spans {
            Spans::Together(at) if !access.strong => self.store_together(block, access, src, at, active),
            _ => active,
        };
        for lane in lanes_of(left) {
            let i = lane as usize;
            let span = spans.of(lane);
            self.can_write(block, lane, span, bytes)?;
            let _guard = (access.strong && span.space == GLOBAL).then(one_at_a_time);
            if access.strong {
                self.synchronise(block, access, lane, span);
            }
            if span.space != LOCAL {
                for leaf in &access.leaves {
                    self.defined(block.machine.kernel, src + leaf.slot, 1 << lane, "stored value")?;
                }
            }
            if matches!(span.space, SHARED | GLOBAL) && block.machine.launch.check_races {
                let same = access.leaves.iter().all(|l| {
                    let (at, n) = (l.offset as usize, l.bytes as usize);
                    block.read(&[], span, at, n) == self.get(src + l.slot)[i] & mask(l.bytes * 8)
                });
                self.watch(block, lane, span, bytes, (kind, access.reach(kind)), self.at, same);
            }
            for leaf in &access.leaves {
                let (at, n) = (leaf.offset as usize, leaf.bytes as usize);
                let value = self.get(src + leaf.slot)[i];
                block.write(&mut self.locals[i], span, at, n, value);
                if let Some(unknown) = self.unknown(src + leaf.slot, lane)
                    && let Some(local) = self.locals[i].get_mut(span.allocation as usize)
                {
                    local.forget(span.start + at, n, unknown);
                }
            }
        }
        Ok(())
    }

    /// Checks that all bytes may be written.
    pub(super) fn can_write(
        &self,
        block: &Block<'_>,
        lane: u32,
        span: Span,
        bytes: usize,
    ) -> Result<(), LaneFinding> {
        let at = |kind| LaneFinding { lane, kind };
        match span.space {
            CONSTANT => {
                Err(at(FindingKind::ReadOnly { place: block.place(&[], span.space, span.allocation) }))
            }
            SHARED => match block.shared.in_flight(span.start, bytes) {
                Some(delta) => Err(at(state_finding(block, &[], span, delta, ByteState::InFlight))),
                None => Ok(()),
            },
            GLOBAL => match self.copies.source(lane, span, bytes) {
                Some(offset) => {
                    let place = block.place(&[], span.space, span.allocation);
                    Err(at(FindingKind::InFlight { place, offset, role: CopyRole::Source, copy: None }))
                }
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}
