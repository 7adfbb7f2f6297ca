//! Atomic operations: lane after lane, each in one step.

use crate::finding::LaneFinding;
use crate::finding::{AccessKind, FindingKind};
use crate::lanes::lanes_of;
use crate::machine::issuing::Issuing;
use crate::machine::parts::Parts;
use crate::memory::address::{GLOBAL, LOCAL, SHARED};
use crate::program::{MemoryOp, Update};
use crate::report::Traffic;
use crate::update::{apply, apply_in_global, one_at_a_time};

pub(super) fn atomic(
    parts: &mut Parts<'_, '_>,
    own: &mut Issuing<'_>,
    op: &MemoryOp,
) -> Result<(), LaneFinding> {
    let active = own.issuer.lanes;
    let &MemoryOp::Atomic { update, scalar, address, access, value, expected, old, swapped } = op else {
        return Ok(());
    };
    let kernel = parts.machine().kernel;
    let access = &kernel.accesses[access as usize];
    own.registers.defined(kernel, address, active, "address")?;
    parts.journal.use_address(own.registers, &own.issuer, address);
    let bytes = access.bytes as usize;
    // A number of 128 bits is two words.
    let (words, width) = (bytes.div_ceil(8), bytes.min(8));
    for word in 0..words as u32 {
        let bits = 8 * width as u32;
        let role = "operand of the atomic operation";
        own.registers.defined_bits(kernel, (value + word, bits), active, role)?;
        own.registers.defined_bits(kernel, (expected + word, bits), active, "expected value")?;
    }
    own.marks.read(own.issuer.site, active);
    let (mut addresses, mut shared, mut global) = ([0; 32], 0, 0);
    for lane in lanes_of(active) {
        let i = lane as usize;
        let at = |kind| LaneFinding { lane, kind };
        let pointer = own.registers.get(address)[i];
        let span =
            parts.span(own.stack.locals(i), pointer, access.space, access.bytes, access.align).map_err(at)?;
        match span.space {
            SHARED => shared |= 1 << lane,
            GLOBAL => global |= 1 << lane,
            LOCAL => {}
            _ => {
                return Err(at(FindingKind::ReadOnly { place: parts.scene().place(&[], span) }));
            }
        }
        addresses[i] = span.address();
        parts.can_write((&own.issuer, lane), span, bytes)?;
        let guard = one_at_a_time();
        parts.meets(own.marks, (&own.issuer, lane), span);
        let word = |own: &Issuing<'_>, first: u32, word: usize| own.registers.get(first + word as u32)[i];
        let before: [u64; 2] = std::array::from_fn(|at| match at < words {
            true => parts.read(own.stack.locals(i), span, 8 * at, width),
            false => 0,
        });
        let fails =
            update == Update::CompareExchange && (0..words).any(|at| before[at] != word(own, expected, at));
        let acquires = if fails { access.order.failed } else { access.order.acquire };
        parts.observe((&own.issuer, lane), access, acquires, span);
        parts.can_read(
            (own.registers, own.stack),
            (&own.issuer, lane),
            access,
            (span, bytes),
            AccessKind::Atomic,
        )?;
        let mut after = before;
        for (n, after) in after.iter_mut().enumerate().take(words) {
            let (value, expected) = (word(own, value, n), word(own, expected, n));
            *after = match update {
                Update::CompareExchange if fails => *after,
                Update::CompareExchange => value,
                _ if span.space == GLOBAL => {
                    apply_in_global(update, scalar, *after, value, expected).map_err(at)?
                }
                _ => apply(update, scalar, *after, value, expected).map_err(at)?,
            };
        }
        let changes = parts.journal.changes_so_far();
        for (at, value) in after.into_iter().enumerate().take(words) {
            parts.write(own.stack.locals_mut(i), span, 8 * at, width, value);
        }
        if !fails {
            parts.publish((&own.issuer, lane), access, true, span);
        }
        drop(guard);
        // A lock that is taken stays so however often it is taken.
        if after == before {
            parts.journal.forget_changes_since(changes);
        }
        if let Some(slot) = swapped {
            own.registers.set_lane(slot, lane, (!fails).into());
        }
        for (slot, value) in (old..).zip(before).take(words) {
            own.registers.set_lane(slot, lane, value);
        }
    }
    let counters = parts.journal.counters_mut();
    counters.access(own.issuer.site, Traffic::Shared, &addresses, shared, access.bytes);
    counters.access(own.issuer.site, Traffic::Global, &addresses, global, access.bytes);
    Ok(())
}
