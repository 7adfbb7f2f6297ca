//! Stores.

use super::spans::spans_of;
use super::together::store_together;
use crate::finding::{AccessKind, LaneFinding};
use crate::lanes::lanes_of;
use crate::machine::issuing::Issuing;
use crate::machine::parts::Parts;
use crate::machine::parts::value_at;
use crate::machine::rounding::{Replaced, is_near};
use crate::memory::address::{GLOBAL, LOCAL, SHARED};
use crate::memory::span::Spans;
use crate::program::{Access, Slot};
use crate::shared::SharedMemory;
use crate::update::one_at_a_time;
use cute_machine::int::mask;
use cute_machine::types::Leaf;

pub(super) fn store(
    parts: &mut Parts<'_, '_>,
    own: &mut Issuing<'_>,
    access: &Access,
    src: Slot,
    address: Slot,
) -> Result<(), LaneFinding> {
    let active = own.issuer.lanes;
    let spans = spans_of(parts, own, access, address)?;
    let (kernel, bytes) = (parts.machine().kernel, access.bytes as usize);
    let kind = if access.strong { AccessKind::Atomic } else { AccessKind::Write };
    let left = match &spans {
        Spans::Together(at) if !access.strong => store_together(parts, own, access, src, at, active),
        _ => active,
    };
    let Issuing { registers, stack, marks, issuer, .. } = own;
    let (registers, stack, issuer) = (&mut **registers, &mut **stack, *issuer);
    for lane in lanes_of(left) {
        let i = lane as usize;
        let span = spans.of(lane);
        if span.space != LOCAL {
            parts.can_write((&issuer, lane), span, bytes)?;
        }
        let _guard = (access.strong && span.space == GLOBAL).then(one_at_a_time);
        if access.strong {
            parts.meets(marks, (&issuer, lane), span);
        }
        for leaf in &access.leaves {
            match span.space {
                // Memory of the thread keeps the marks of bytes, but not of followed loads.
                LOCAL => registers.use_followed(src + leaf.slot, 1 << lane),
                _ => {
                    parts.journal.use_address(registers, &issuer.only(1 << lane), src + leaf.slot);
                    let stored = (src + leaf.slot, 8 * leaf.bytes);
                    registers.defined_bits(kernel, stored, 1 << lane, "stored value")?;
                }
            }
        }
        if matches!(span.space, SHARED | GLOBAL) && parts.machine().launch.check_races {
            let new = |l: &Leaf| registers.get(src + l.slot)[i] & mask(l.bytes * 8);
            let machine = parts.machine();
            let read = |shared: &SharedMemory, l: &Leaf| {
                value_at(machine, shared, &[], span, l.offset as usize, l.bytes as usize)
            };
            let holds = |shared: &SharedMemory| access.leaves.iter().all(|l| read(shared, l) == new(l));
            if !access.strong && !holds(parts.shared) {
                let old = |l: &Leaf| read(parts.shared, l);
                let stored =
                    |lane: u32, l: &Leaf| registers.get(src + l.slot)[lane as usize] & mask(l.bytes * 8);
                let all = |is: &dyn Fn(&Leaf) -> bool| access.leaves.iter().all(is);
                let rivals = lanes_of(active).filter(|lane| all(&|l| stored(*lane, l) == old(l)));
                let replaced = Replaced {
                    by: lane,
                    is_near: all(&|l| is_near(old(l), new(l), l.bytes as usize)),
                    rivals: rivals.fold(0, |lanes, lane| lanes | 1 << lane),
                };
                parts.journal.replaces(replaced);
            }
            let reach = (kind, access.reach(kind));
            parts.watch(registers, (&issuer, lane), (span, bytes), reach, Some(&holds));
        }
        for leaf in &access.leaves {
            let (at, n) = (leaf.offset as usize, leaf.bytes as usize);
            let value = registers.get(src + leaf.slot)[i];
            parts.write(stack.locals_mut(i), span, at, n, value);
            if let Some(unknown) = registers.unknown(src + leaf.slot, lane)
                && let Some(local) = stack.locals_mut(i).get_mut(span.allocation as usize)
            {
                local.forget(span.start + at, n, unknown);
            }
        }
        if access.strong {
            parts.publish((&issuer, lane), access, false, span);
        }
    }
    Ok(())
}
