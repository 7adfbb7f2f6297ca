//! The places of addresses: the allocation of an access, and whether it may use it.

use crate::finding::FindingKind;
use crate::machine::device::Machine;
use crate::machine::journal::Journal;
use crate::memory::address::{CONSTANT, GLOBAL, LOCAL, SHARED, SHARED_BASE, parts};
use crate::memory::span::Span;
use crate::race::Clocks;
use crate::registers::unknown::Local;
use crate::shared::SharedMemory;

/// The parts that tell where an address leads. The journal notes that it leads to a block that may
/// not have begun.
#[derive(Clone, Copy)]
pub(crate) struct Addresses<'c, 'm> {
    pub(crate) shared: &'c SharedMemory,
    pub(crate) clocks: &'c Clocks,
    pub(crate) journal: &'c Journal<'m>,
}

impl Addresses<'_, '_> {
    /// Finds the allocation of an access and checks that it holds all of it.
    pub(crate) fn span(
        &self,
        locals: &[Local],
        address: u64,
        space: u32,
        bytes: u64,
        align: u64,
    ) -> Result<Span, FindingKind> {
        let scene = self.journal.scene();
        let machine = scene.machine();
        let parts = parts(address, space)?;
        let (rank, byte) = scene.block_and_byte(&parts);
        let unmapped = || FindingKind::Unmapped { address };
        let index = parts.allocation as usize;
        let whole = |len: Option<usize>| {
            Ok::<_, FindingKind>((parts.allocation, 0, len.ok_or_else(unmapped)? as u64))
        };
        let (allocation, start, size) = match parts.space {
            GLOBAL => whole(machine.buffers.get(index).filter(|b| b.is_at(address)).map(|b| b.len()))?,
            CONSTANT => whole(machine.constants.get(index).map(|c| c.bytes.len()))?,
            LOCAL => whole(locals.get(index).map(|l| l.memory.len()))?,
            _ => scene.shared_object(parts.allocation, byte, bytes).ok_or_else(unmapped)?,
        };
        let offset = byte - start as i64;
        let base =
            if parts.space == SHARED { SHARED_BASE as i64 - self.shared.window(rank) as i64 } else { 0 };
        let span = Span { space: parts.space, allocation, offset, start: (byte - base) as usize, size };
        if parts.space == SHARED && rank != scene.block().rank {
            self.may_reach(rank, space, span)?;
        }
        if offset < 0 || (offset as u64).saturating_add(bytes) > size {
            let place = scene.place(locals, span);
            return Err(FindingKind::OutOfBounds { place, offset, bytes, size });
        }
        // Allocations are aligned more strictly than any access; shared objects have their own
        // addresses.
        if !(byte as u64).is_multiple_of(align) {
            return Err(FindingKind::Misaligned { place: scene.place(locals, span), offset, align });
        }
        Ok(span)
    }

    /// Checks that an access through a pointer of address space `space` may use the memory of
    /// another block.
    #[cold]
    fn may_reach(&self, rank: u32, space: u32, span: Span) -> Result<(), FindingKind> {
        let scene = self.journal.scene();
        let place = scene.place(&[], span);
        if space == SHARED {
            return Err(FindingKind::OtherBlock { place });
        }
        if self.shared.has_ended(rank) {
            return Err(FindingKind::Exited { place, commit: None });
        }
        if scene.machine().launch.check_races && !self.clocks.knows_block(scene.block().rank, rank) {
            // The access goes on: what follows from it is reported, too.
            self.journal.meets_stranger(place);
        }
        Ok(())
    }
}

/// Up to 8 bytes at `delta` of a span.
pub(crate) fn value_at(
    machine: &Machine<'_>,
    shared: &SharedMemory,
    locals: &[Local],
    span: Span,
    delta: usize,
    bytes: usize,
) -> u64 {
    let (index, at) = (span.allocation as usize, span.start + delta);
    match span.space {
        GLOBAL => machine.buffers.get(index).map_or(0, |b| b.read(at, bytes)),
        CONSTANT => {
            let bytes = machine.constants.get(index).and_then(|c| c.bytes.get(at..at + bytes));
            bytes.map_or(0, |b| b.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b)))
        }
        LOCAL => locals.get(index).map_or(0, |l| l.memory.read(at, bytes)),
        _ => shared.bytes().read(at, bytes),
    }
}
