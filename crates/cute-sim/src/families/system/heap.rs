//! `malloc` and `free` of threads.

use crate::finding::LaneFinding;
use crate::finding::{AccessKind, FindingKind, HeapAct, HeapRule};
use crate::heap::HEAP_BYTES;
use crate::lanes::lanes_of;
use crate::machine::issuing::Issuing;
use crate::machine::parts::Parts;
use crate::memory::address::{self, GLOBAL, pointer};
use crate::memory::span::Span;
use crate::program::Slot;
use crate::race::Reach;

/// `malloc`: each lane gets memory of its own, or null.
#[cold]
pub(super) fn heap_allocate(
    parts: &mut Parts<'_, '_>,
    own: &mut Issuing<'_>,
    dst: Slot,
    bytes: Slot,
) -> Result<(), LaneFinding> {
    let active = own.issuer.lanes;
    own.registers.defined(parts.machine().kernel, bytes, active, "number of bytes")?;
    let Some(heap) = parts.machine().heap.clone() else { return Ok(()) };
    for lane in lanes_of(active) {
        let bytes = own.registers.get(bytes)[lane as usize];
        let at = heap.allocate(bytes, heap_act(parts, own, lane));
        if let Some(at) = at {
            parts.machine().shadow.allocated(heap.buffer, at as usize..(at + bytes) as usize);
        }
        own.registers.set_lane(dst, lane, at.map_or(0, |at| pointer(GLOBAL, heap.buffer, at)));
        parts.journal.changes(1);
    }
    Ok(())
}

/// `free`: nothing may use the memory afterwards, and whatever has used it is ordered before.
#[cold]
pub(super) fn heap_release(
    parts: &mut Parts<'_, '_>,
    own: &mut Issuing<'_>,
    address: Slot,
) -> Result<(), LaneFinding> {
    let active = own.issuer.lanes;
    own.registers.defined(parts.machine().kernel, address, active, "address")?;
    let Some(heap) = parts.machine().heap.clone() else { return Ok(()) };
    for lane in lanes_of(active) {
        let address = own.registers.get(address)[lane as usize];
        if address == 0 {
            continue;
        }
        let given =
            address::parts(address, 0).ok().filter(|p| (p.space, p.allocation) == (GLOBAL, heap.buffer));
        let at = given.and_then(|parts| u64::try_from(parts.byte).ok());
        let range = at.ok_or(HeapRule::Foreign { address });
        let range = range.and_then(|at| heap.release(at, address, heap_act(parts, own, lane)));
        let range = range.map_err(|rule| {
            let kind = FindingKind::Heap { rule: Box::new(rule) };
            LaneFinding { lane, kind }
        })?;
        let (start, bytes) = (range.start as usize, (range.end - range.start) as usize);
        let allocation = heap.buffer;
        let span = Span { space: GLOBAL, allocation, offset: start as i64, start, size: HEAP_BYTES };
        let write = (AccessKind::Write, Reach::default());
        parts.watch(own.registers, (&own.issuer, lane), (span, bytes), write, None);
        parts.machine().shadow.freed(allocation, start..start + bytes);
        parts.journal.changes(1);
    }
    Ok(())
}

/// The call of a lane.
fn heap_act(parts: &Parts<'_, '_>, own: &Issuing<'_>, lane: u32) -> HeapAct {
    let (_, location) = parts.scene().site(own.issuer.site);
    let thread = parts.scene().thread(own.issuer.thread(lane));
    HeapAct { location, block: own.issuer.block.position, thread, launch: parts.machine().number }
}
