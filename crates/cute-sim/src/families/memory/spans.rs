//! The places that the lanes of an access use.

use crate::finding::LaneFinding;
use crate::lanes::{Lanes, lanes_of};
use crate::machine::issuing::Issuing;
use crate::machine::parts::Parts;
use crate::memory::address::{GLOBAL, LOCAL, SHARED};
use crate::memory::span::{Span, Spans, Together};
use crate::program::{Access, Slot};
use crate::report::Traffic;

/// The spans of an access in the active lanes.
pub(crate) fn spans_of(
    parts: &mut Parts<'_, '_>,
    own: &Issuing<'_>,
    access: &Access,
    address: Slot,
) -> Result<Spans, LaneFinding> {
    let active = own.issuer.lanes;
    own.registers.defined(parts.machine().kernel, address, active, "address")?;
    parts.journal.use_address(own.registers, &own.issuer, address);
    let addresses = own.registers.get(address);
    let (mut shared, mut global) = (0, 0);
    if let Some(together) = together_from(parts, access, addresses, active) {
        let traffic = match together.space() {
            SHARED => Traffic::Shared,
            GLOBAL => Traffic::Global,
            _ => return Ok(Spans::Together(together)),
        };
        // Allocations begin at sectors and rows of banks, so their offsets determine these as
        // addresses do.
        let counters = parts.journal.counters_mut();
        counters.access(own.issuer.site, traffic, &together.starts, active, access.bytes);
        return Ok(Spans::Together(together));
    }
    if let Some(together) = together_in_local(parts, own, access, addresses, active) {
        return Ok(Spans::Together(together));
    }
    let mut spans = [Span::default(); 32];
    let mut passes: Lanes = [0; 32];
    for lane in lanes_of(active) {
        let i = lane as usize;
        let span = parts
            .span(own.stack.locals(i), addresses[i], access.space, access.bytes, access.align)
            .map_err(|kind| LaneFinding { lane, kind })?;
        match span.space {
            SHARED => shared |= 1 << lane,
            GLOBAL => global |= 1 << lane,
            _ => {}
        }
        passes[i] = span.address();
        spans[i] = span;
    }
    let counters = parts.journal.counters_mut();
    counters.access(own.issuer.site, Traffic::Shared, &passes, shared, access.bytes);
    counters.access(own.issuer.site, Traffic::Global, &passes, global, access.bytes);
    Ok(Spans::Apart(Box::new(spans)))
}

/// The spans, if all addresses are the same in local memory, such as that of a fragment.
fn together_in_local(
    parts: &Parts<'_, '_>,
    own: &Issuing<'_>,
    access: &Access,
    addresses: &Lanes,
    active: u32,
) -> Option<Together> {
    let lane = active.trailing_zeros() as usize;
    let first = *addresses.get(lane)?;
    let same = |lane: u32| addresses[lane as usize] == first;
    if !matches!(access.space, 0 | LOCAL) || !lanes_of(active).all(same) {
        return None;
    }
    let one = parts.span(own.stack.locals(lane), first, access.space, access.bytes, access.align).ok()?;
    let size = |lane: u32| {
        let local = own.stack.locals(lane as usize).get(one.allocation as usize)?;
        Some(local.memory.len() as u64)
    };
    let alike = one.space == LOCAL && lanes_of(active).all(|lane| size(lane) == Some(one.size));
    alike.then_some(Together { one, starts: [one.start as u64; 32] })
}

/// The spans, if all addresses are aligned and inside the allocation that the first of them
/// names.
fn together_from(parts: &Parts<'_, '_>, access: &Access, addresses: &Lanes, active: u32) -> Option<Together> {
    let first = *addresses.get(active.trailing_zeros() as usize)?;
    let one = parts.span(&[], first, access.space, access.bytes, access.align).ok()?;
    // Both are below the width of a pointer's byte field, so an offset inside the allocation
    // means the same allocation.
    let begin = first.wrapping_sub(one.offset as u64);
    let last = one.size.checked_sub(access.bytes)?;
    let mut starts = [0; 32];
    let (mut outside, mut low) = (false, 0);
    for (lane, address) in addresses.iter().enumerate() {
        let address = if active >> lane & 1 != 0 { *address } else { first };
        let offset = address.wrapping_sub(begin);
        outside |= offset > last;
        low |= address;
        starts[lane] = offset.wrapping_add(one.start as u64).wrapping_sub(one.offset as u64);
    }
    let aligned = access.align.is_power_of_two() && low & (access.align - 1) == 0;
    (one.is_named() && aligned && !outside).then_some(Together { one, starts })
}
