//! Accesses of memory by any instruction: values, the validity of an access, and its races.

use super::{Parts, state_finding, value_at};
use crate::finding::{AccessKind, CopyRole, FindingKind, LaneFinding};
use crate::machine::issuer::Issuer;
use crate::machine::stack::Stack;
use crate::memory::address::{CONSTANT, GLOBAL, LOCAL, SHARED};
use crate::memory::span::Span;
use crate::memory::tracked::ByteState;
use crate::program::Access;
use crate::registers::Registers;
use crate::registers::unknown::Local;
use cute_machine::int::mask;

impl Parts<'_, '_> {
    /// Up to 8 bytes at `delta` of the span.
    #[inline]
    pub(crate) fn read(&self, locals: &[Local], span: Span, delta: usize, bytes: usize) -> u64 {
        value_at(self.machine(), self.shared, locals, span, delta, bytes)
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
                if let Some(buffer) = self.machine().buffers.get(index) {
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

    /// Checks that all bytes of a read are initialised. An uninitialised byte of shared memory is
    /// recorded, because its writer may be late. One of local memory makes an undefined value,
    /// except for an atomic operation.
    pub(crate) fn can_read(
        &mut self,
        (registers, stack): (&Registers, &Stack),
        (issuer, lane): (&Issuer, u32),
        access: &Access,
        (span, bytes): (Span, usize),
        kind: AccessKind,
    ) -> Result<(), LaneFinding> {
        if span.space == LOCAL && kind != AccessKind::Atomic {
            return Ok(());
        }
        let raced = self.watch(registers, (issuer, lane), (span, bytes), (kind, access.reach(kind)), None);
        let locals = stack.locals(lane as usize);
        let who = (issuer.thread(lane), issuer.site);
        let tracked = match span.space {
            LOCAL if kind == AccessKind::Atomic => locals.get(span.allocation as usize).map(|l| &l.memory),
            SHARED if !raced => Some(self.shared.bytes()),
            GLOBAL if !raced && self.machine().begins_undefined(span.allocation) => {
                for leaf in &access.leaves {
                    let at = span.start + leaf.offset as usize;
                    self.journal.note_undefined(who, span.allocation, (at, leaf.bytes as usize));
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
        let kind = state_finding(self.scene(), &self.engine.barriers, locals, (span, delta), state);
        if span.space == SHARED && state == ByteState::Empty {
            self.journal.note_empty_read(who, (span.space, span.allocation, span.start), kind);
            return Ok(());
        }
        Err(LaneFinding { lane, kind })
    }

    /// Checks that all bytes may be written.
    pub(crate) fn can_write(
        &self,
        (issuer, lane): (&Issuer, u32),
        span: Span,
        bytes: usize,
    ) -> Result<(), LaneFinding> {
        let at = |kind| LaneFinding { lane, kind };
        match span.space {
            CONSTANT => Err(at(FindingKind::ReadOnly { place: self.scene().place(&[], span) })),
            SHARED => match self.shared.bytes().taken(span.start, bytes) {
                Some((delta, state)) => Err(at(self.state_finding((span, delta), state))),
                None => Ok(()),
            },
            GLOBAL => match self.engine.copies.of(issuer.warp_of_cluster()).source(lane, span, bytes) {
                Some(offset) => {
                    let place = self.scene().place(&[], span);
                    Err(at(FindingKind::InFlight { place, offset, role: CopyRole::Source, copy: None }))
                }
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}
