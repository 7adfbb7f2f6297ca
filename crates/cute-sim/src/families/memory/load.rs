//! Loads.

use super::spans::spans_of;
use super::together::load_together;
use crate::finding::{AccessKind, LaneFinding};
use crate::lanes::lanes_of;
use crate::machine::issuer::Issuer;
use crate::machine::issuing::Issuing;
use crate::machine::journal::racy::EMPTY;
use crate::machine::parts::Parts;
use crate::memory::address::{GLOBAL, LOCAL, SHARED};
use crate::memory::span::{Span, Spans};
use crate::memory::tracked::ByteState;
use crate::program::{Access, Slot};
use crate::registers::Registers;
use crate::registers::unknown::{Origin, Unknown};
use crate::update::one_at_a_time;
use cute_machine::int::mask;
use cute_machine::types::Leaf;

pub(super) fn load(
    parts: &mut Parts<'_, '_>,
    own: &mut Issuing<'_>,
    access: &Access,
    dst: Slot,
    address: Slot,
) -> Result<(), LaneFinding> {
    let active = own.issuer.lanes;
    let spans = spans_of(parts, own, access, address)?;
    own.marks.read(own.issuer.site, active);
    let bytes = access.bytes as usize;
    let kind = if access.strong { AccessKind::AtomicRead } else { AccessKind::Read };
    let follows = parts.machine().follows(own.issuer.site);
    let left = match &spans {
        Spans::Together(at) if !access.strong && !follows => {
            load_together(parts, own, access, dst, at, active)
        }
        _ => active,
    };
    let Issuing { registers, stack, marks, issuer, .. } = own;
    let (registers, stack, issuer) = (&mut **registers, &**stack, *issuer);
    for lane in lanes_of(left) {
        let i = lane as usize;
        let span = spans.of(lane);
        let _guard = (access.strong && span.space == GLOBAL).then(one_at_a_time);
        for leaf in &access.leaves {
            let (at, n) = (leaf.offset as usize, leaf.bytes as usize);
            let value = parts.read(stack.locals(i), span, at, n);
            registers.set_lane(dst + leaf.slot, lane, value & mask(leaf.bits));
            if span.space == LOCAL
                && let Some(local) = stack.locals(i).get(span.allocation as usize)
                && let Some(unknown) = local.unknown(span.start + at, n, issuer.site)
            {
                let bits = unknown.bits & mask(leaf.bits);
                let (slot, unknown) = (dst + leaf.slot, Unknown { bits, ..unknown });
                match parts.engine.warpgroups.arrived_late(&issuer, unknown, lane) {
                    Some((value, unknown)) => {
                        registers.set_lane(slot, lane, value);
                        registers.set_unknown(slot, lane, unknown);
                    }
                    None => registers.set_unknown(slot, lane, Some(unknown)),
                }
            }
        }
        if access.strong {
            parts.meets(marks, (&issuer, lane), span);
            parts.observe((&issuer, lane), access, access.order.acquire, span);
        }
        if follows && span.space != LOCAL {
            follow(parts, registers, &issuer, access, (dst, span), lane);
        }
        if span.space != LOCAL {
            parts.can_read((registers, stack), (&issuer, lane), access, (span, bytes), kind)?;
        }
        if follows && span.space == SHARED {
            follow_empty(parts, registers, &issuer, access, (dst, span), lane);
        }
    }
    Ok(())
}

/// Marks what a lane has loaded from bytes that nothing has written.
#[cold]
fn follow_empty(
    parts: &mut Parts<'_, '_>,
    registers: &mut Registers,
    issuer: &Issuer,
    access: &Access,
    (dst, span): (Slot, Span),
    lane: u32,
) {
    let load = (lane, issuer.site | EMPTY);
    let is_empty = |leaf: &&Leaf| {
        let found = parts.shared.bytes().unwritten(span.start + leaf.offset as usize, leaf.bytes as usize);
        found.is_some_and(|(_, state)| state == ByteState::Empty)
    };
    let empty: Vec<&Leaf> = access.leaves.iter().filter(is_empty).collect();
    if empty.is_empty() {
        return;
    }
    parts.journal.loads_at((issuer.thread(lane), load.1), (span.space, span.allocation, span.start));
    let empty_load = registers.doubts().of(load);
    registers.doubts().renew(load);
    for leaf in empty {
        let slot = dst + leaf.slot;
        let set = match registers.unknown(slot, lane) {
            Some(Unknown { origin: Origin::Doubt(set), .. }) => registers.doubts().both(set, empty_load),
            _ => empty_load,
        };
        let unknown = Unknown { origin: Origin::Doubt(set), bits: mask(leaf.bits) };
        registers.set_unknown(slot, lane, Some(unknown));
    }
}

/// Marks what a lane has loaded, so that its uses are noticed.
#[cold]
fn follow(
    parts: &mut Parts<'_, '_>,
    registers: &mut Registers,
    issuer: &Issuer,
    access: &Access,
    (dst, span): (Slot, Span),
    lane: u32,
) {
    let load = (lane, issuer.site);
    let thread = issuer.thread(lane);
    parts.journal.loads_at((thread, load.1), (span.space, span.allocation, span.start));
    let set = registers.doubts().of(load);
    registers.doubts().renew(load);
    for leaf in &access.leaves {
        let unknown = Unknown { origin: Origin::Doubt(set), bits: mask(leaf.bits) };
        registers.set_unknown(dst + leaf.slot, lane, Some(unknown));
    }
}
