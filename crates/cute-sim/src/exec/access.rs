//! Accesses of memory by any instruction: the place of an address, the validity of the access, and
//! races with other threads.

use super::span::Span;
use crate::finding::{AccessKind, CopyRole, FindingKind, LaneFinding};
use crate::machine::cluster::Cluster;
use crate::machine::issuer::Issuer;
use crate::machine::parts::Same;
use crate::machine::warp::Warp;
use crate::memory::address::{CONSTANT, GLOBAL, LOCAL, SHARED};
use crate::memory::tracked::ByteState;
use crate::program::Access;
use crate::race::{Reach, Who};
use crate::registers::unknown::Local;
use cute_machine::int::mask;

impl Cluster<'_> {
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
        Issuer { site, ..self.issuer(0) }.who(cluster.scene(), space, kind, reach)
    }

    /// Records the access, and checks for races. `same` tells whether the bytes equal the old ones,
    /// so that two writes agree. Returns whether there was a race.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    pub(crate) fn watch(
        &self,
        cluster: &mut Cluster<'_>,
        lane: u32,
        span: Span,
        bytes: usize,
        access: (AccessKind, Reach),
        site: u32,
        same: Same<'_>,
    ) -> bool {
        let issuer = Issuer { site, ..self.issuer(1 << lane) };
        cluster.parts().watch(&self.registers, (&issuer, lane), (span, bytes), access, same)
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
        let raced = self.watch(cluster, lane, span, bytes, (kind, access.reach(kind)), self.lanes.at(), None);
        let locals = self.stack.locals(lane as usize);
        let tracked = match span.space {
            LOCAL if kind == AccessKind::Atomic => locals.get(span.allocation as usize).map(|l| &l.memory),
            SHARED if !raced => Some(cluster.shared.bytes()),
            GLOBAL if !raced && cluster.machine.begins_undefined(span.allocation) => {
                for leaf in &access.leaves {
                    let at = span.start + leaf.offset as usize;
                    let issuer = (self.thread(lane), self.lanes.at());
                    let bytes = (at, leaf.bytes as usize);
                    cluster.journal.note_undefined(issuer, span.allocation, bytes);
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
            cluster.journal.note_empty_read((self.thread(lane), self.lanes.at()), at, kind);
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
