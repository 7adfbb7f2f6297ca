//! Accesses of memory by any instruction: the place of an address, the validity of the access, and
//! races with other threads.

use super::span::Span;
use crate::block::BlockId;
use crate::families::mbarrier::barrier::BYTES;
use crate::finding::{AccessKind, CopyRole, FindingKind, LaneFinding};
use crate::machine::cluster::{Cluster, Same};
use crate::machine::journal::races::Orders;
use crate::machine::warp::Warp;
use crate::memory::address::{CONSTANT, GLOBAL, LOCAL, SHARED, SHARED_BASE, parts};
use crate::memory::tracked::ByteState;
use crate::program::{Access, Op};
use crate::race::{Reach, Who};
use crate::registers::unknown::Local;
use cute_machine::int::mask;
use cute_machine::place::SourcePlace;

impl Cluster<'_> {
    /// Finds the allocation of an access and checks that it holds all of it.
    pub(crate) fn span(
        &self,
        locals: &[Local],
        address: u64,
        space: u32,
        bytes: u64,
        align: u64,
    ) -> Result<Span, FindingKind> {
        let parts = parts(address, space)?;
        let (rank, byte) = self.scene().block_and_byte(&parts);
        let unmapped = || FindingKind::Unmapped { address };
        let index = parts.allocation as usize;
        let whole = |len: Option<usize>| {
            Ok::<_, FindingKind>((parts.allocation, 0, len.ok_or_else(unmapped)? as u64))
        };
        let (allocation, start, size) = match parts.space {
            GLOBAL => whole(self.machine.buffers.get(index).filter(|b| b.is_at(address)).map(|b| b.len()))?,
            CONSTANT => whole(self.machine.constants.get(index).map(|c| c.bytes.len()))?,
            LOCAL => whole(locals.get(index).map(|l| l.memory.len()))?,
            _ => self.scene().shared_object(parts.allocation, byte, bytes).ok_or_else(unmapped)?,
        };
        let offset = byte - start as i64;
        let base =
            if parts.space == SHARED { SHARED_BASE as i64 - self.shared.window(rank) as i64 } else { 0 };
        let span = Span { space: parts.space, allocation, offset, start: (byte - base) as usize, size };
        if parts.space == SHARED && rank != self.scene().block().rank {
            self.may_reach(rank, space, span)?;
        }
        if offset < 0 || (offset as u64).saturating_add(bytes) > size {
            let place = self.scene().place(locals, span);
            return Err(FindingKind::OutOfBounds { place, offset, bytes, size });
        }
        // Allocations are aligned more strictly than any access; shared objects have their own
        // addresses.
        if !(byte as u64).is_multiple_of(align) {
            return Err(FindingKind::Misaligned { place: self.scene().place(locals, span), offset, align });
        }
        Ok(span)
    }

    /// Checks that an access through a pointer of address space `space` may use the memory of
    /// another block.
    #[cold]
    fn may_reach(&self, rank: u32, space: u32, span: Span) -> Result<(), FindingKind> {
        let place = self.scene().place(&[], span);
        if space == SHARED {
            return Err(FindingKind::OtherBlock { place });
        }
        if self.exited >> rank & 1 != 0 {
            return Err(FindingKind::Exited { place, commit: None });
        }
        if self.machine.launch.check_races && !self.knows_of(self.scene().block().rank, rank) {
            // The access goes on: what follows from it is reported, too.
            self.journal.meets_stranger(place);
        }
        Ok(())
    }

    /// The location where the barrier at this place was initialised.
    pub(crate) fn barrier_at(&self, at: usize) -> Option<SourcePlace> {
        Some(self.scene().site(self.engine.barriers.get(at)?.site()).1)
    }

    /// Up to 8 bytes at `delta` of the span.
    pub(crate) fn read(&self, locals: &[Local], span: Span, delta: usize, bytes: usize) -> u64 {
        let (index, at) = (span.allocation as usize, span.start + delta);
        match span.space {
            GLOBAL => self.machine.buffers.get(index).map_or(0, |b| b.read(at, bytes)),
            CONSTANT => {
                let bytes = self.machine.constants.get(index).and_then(|c| c.bytes.get(at..at + bytes));
                bytes.map_or(0, |b| b.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b)))
            }
            LOCAL => locals.get(index).map_or(0, |l| l.memory.read(at, bytes)),
            _ => self.shared.bytes().read(at, bytes),
        }
    }

    /// Whether the bytes at `delta` of the span have this value, so that a write of it changes
    /// nothing.
    #[cold]
    fn has(&self, span: Span, delta: usize, bytes: usize, value: u64) -> bool {
        let is_written = span.space != SHARED || self.shared.bytes().is_written(span.start + delta, bytes);
        is_written && self.read(&[], span, delta, bytes) == value & mask(8 * bytes as u32)
    }

    /// Writes up to 8 bytes at `delta` of the span.
    pub(crate) fn write(&mut self, locals: &mut [Local], span: Span, delta: usize, bytes: usize, value: u64) {
        let (index, at) = (span.allocation as usize, span.start + delta);
        if span.space != LOCAL {
            self.journal.changes(1);
            if self.journal.compares() && self.has(span, delta, bytes, value) {
                self.journal.changes_nothing();
            }
        }
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
            _ => self.shared.bytes_mut().write(at, bytes, value),
        }
    }

    /// The reason why a byte `delta` bytes into the span does not have the state that the access
    /// needs.
    pub(crate) fn state_finding(
        &self,
        locals: &[Local],
        span: Span,
        delta: usize,
        state: ByteState,
    ) -> FindingKind {
        let place = self.scene().place(locals, span);
        let offset = span.offset + delta as i64;
        match state {
            ByteState::Barrier => self.barrier_at((span.start + delta) / BYTES * BYTES).map_or_else(
                || FindingKind::Uninitialised { place: place.clone(), offset },
                |barrier| FindingKind::BarrierStorage { place: place.clone(), offset, location: barrier },
            ),
            ByteState::InFlight => {
                FindingKind::InFlight { place, offset, role: CopyRole::Target, copy: None }
            }
            _ => FindingKind::Uninitialised { place, offset },
        }
    }
}

impl Warp {
    /// The warp in the form that the race detector uses.
    pub(crate) fn who(
        &self,
        cluster: &Cluster<'_>,
        space: u32,
        site: u32,
        kind: AccessKind,
        reach: Reach,
    ) -> Who {
        let alone = space == SHARED && cluster.scene().is_alone();
        let BlockId { number: block, rank, .. } = self.block;
        let op = cluster.machine.kernel.code.get(site as usize);
        let is_update = || op.and_then(Op::memory).is_some_and(|op| op.is_atomic());
        let updates = kind == AccessKind::Atomic && is_update();
        Who { block, rank, warp: self.number, site, kind, alone, reach, updates }
    }

    /// Records the access, and checks for races. `same` tells whether the bytes equal the old ones,
    /// so that two writes agree. Returns whether there was a race.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn watch(
        &self,
        cluster: &mut Cluster<'_>,
        lane: u32,
        span: Span,
        bytes: usize,
        (kind, reach): (AccessKind, Reach),
        site: u32,
        same: Same<'_>,
    ) -> bool {
        if !cluster.machine.launch.check_races || bytes == 0 {
            return false;
        }
        let who = self.who(cluster, span.space, site, kind, reach);
        if !cluster.machine.launch.followed_loads.is_empty() {
            return self.watch_each(cluster, lane, span, bytes, &who, same);
        }
        let race = match span.space {
            GLOBAL => cluster.machine.shadow.access(
                span.allocation,
                span.start,
                bytes,
                &who,
                1 << lane,
                &cluster.clocks,
            ),
            SHARED => {
                let mut window = cluster.shared.shadow();
                window.access(span.start, bytes, &who, 1 << lane, &cluster.clocks)
            }
            _ => None,
        };
        let Some((delta, race)) = race else { return false };
        let place = cluster.scene().place(&[], span);
        if !race.record.is_of_heap() && cluster.agrees(&race, same) {
            cluster.note_same_value(&who, lane, place, span.offset + delta as i64, &race);
            return false;
        }
        cluster.note_race(&who, lane, place, span.offset + delta as i64, race);
        true
    }

    /// Like [`watch`](Self::watch), where loads are followed: the race of one whose value nothing
    /// uses must not hide another one.
    #[cold]
    fn watch_each(
        &self,
        cluster: &mut Cluster<'_>,
        lane: u32,
        span: Span,
        bytes: usize,
        who: &Who,
        same: Same<'_>,
    ) -> bool {
        // The store may use loads that race with an earlier one.
        cluster.note_uses(self);
        let (start, lanes) = (span.start, 1 << lane);
        let number = cluster.machine.followed_number(who.site).filter(|_| who.kind == AccessKind::Read);
        let width = number.map_or(who.reach.width, |number| (number % usize::from(u8::MAX)) as u8 + 1);
        let who = &Who { reach: Reach { width, ..who.reach }, ..*who };
        let races = match span.space {
            GLOBAL => {
                let (shadow, buffer) = (&cluster.machine.shadow, span.allocation);
                let races = shadow.races(buffer, start, bytes, who, lanes, &cluster.clocks);
                shadow.access(buffer, start, bytes, who, lanes, &cluster.clocks);
                races
            }
            SHARED => {
                let mut window = cluster.shared.shadow();
                let races = window.races(start, bytes, who, lanes, &cluster.clocks);
                window.access(start, bytes, who, lanes, &cluster.clocks);
                races
            }
            _ => return false,
        };
        let mut raced = false;
        let at = (span.space, span.allocation, start);
        for (delta, race) in races {
            let (place, offset) = (cluster.scene().place(&[], span), span.offset + delta as i64);
            let agrees = cluster.agrees(&race, same);
            if agrees {
                cluster.note_same_value(who, lane, place.clone(), offset, &race);
            }
            let Cluster { journal, clocks, engine, .. } = &mut *cluster;
            let orders = Orders { clocks, engine };
            if agrees || journal.follows_race(orders, (who, lane), (&place, offset, at), &race) || raced {
                continue;
            }
            // The first of those that are reported at once is enough.
            raced = true;
            cluster.note_race(who, lane, place, offset, race);
        }
        raced
    }

    /// Checks that all bytes of a read are initialised. An uninitialised byte of shared memory is
    /// recorded, because its writer may be late. One of local memory makes an undefined value,
    /// except for an atomic operation.
    pub(crate) fn can_read(
        &self,
        cluster: &mut Cluster<'_>,
        access: &Access,
        lane: u32,
        span: Span,
        bytes: usize,
        kind: AccessKind,
    ) -> Result<(), LaneFinding> {
        if span.space == LOCAL && kind != AccessKind::Atomic {
            return Ok(());
        }
        let raced = self.watch(cluster, lane, span, bytes, (kind, access.reach(kind)), self.at, None);
        let locals = &self.locals[lane as usize];
        let tracked = match span.space {
            LOCAL if kind == AccessKind::Atomic => locals.get(span.allocation as usize).map(|l| &l.memory),
            SHARED if !raced => Some(cluster.shared.bytes()),
            GLOBAL if !raced && cluster.begins_undefined(span.allocation) => {
                for leaf in &access.leaves {
                    let at = span.start + leaf.offset as usize;
                    self.note_undefined(cluster, lane, span.allocation, at, leaf.bytes as usize);
                }
                None
            }
            _ => None,
        };
        let Some(tracked) = tracked else { return Ok(()) };
        // Padding between leaves does not count.
        let unwritten = access.leaves.iter().find_map(|leaf| {
            let (at, n) = (leaf.offset as usize, leaf.bytes as usize);
            tracked.unwritten(span.start + at, n).map(|(i, state)| (at + i, state))
        });
        let Some((delta, state)) = unwritten else { return Ok(()) };
        let kind = cluster.state_finding(locals, span, delta, state);
        if span.space == SHARED && state == ByteState::Empty {
            let at = (span.space, span.allocation, span.start);
            cluster.journal.note_empty_read((self.thread(lane), self.at), at, kind);
            return Ok(());
        }
        Err(LaneFinding { lane, kind })
    }

    /// Checks that all bytes may be written.
    pub(crate) fn can_write(
        &self,
        cluster: &Cluster<'_>,
        lane: u32,
        span: Span,
        bytes: usize,
    ) -> Result<(), LaneFinding> {
        let at = |kind| LaneFinding { lane, kind };
        match span.space {
            CONSTANT => Err(at(FindingKind::ReadOnly { place: cluster.scene().place(&[], span) })),
            SHARED => match cluster.shared.bytes().taken(span.start, bytes) {
                Some((delta, state)) => Err(at(cluster.state_finding(&[], span, delta, state))),
                None => Ok(()),
            },
            GLOBAL => match self.queue(cluster).source(lane, span, bytes) {
                Some(offset) => {
                    let place = cluster.scene().place(&[], span);
                    Err(at(FindingKind::InFlight { place, offset, role: CopyRole::Source, copy: None }))
                }
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}
