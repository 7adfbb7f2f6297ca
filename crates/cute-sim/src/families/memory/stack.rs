//! Local memory that threads allocate and free: the stack of each.

use crate::finding::FindingKind;
use crate::finding::LaneFinding;
use crate::lanes::lanes_of;
use crate::machine::issuing::Issuing;
use crate::memory::address::{LOCAL, MAX_ALLOCATIONS, Parts, cast as cast_address, parts, pointer};
use crate::program::{Kernel, Slot};
use cute_arch::Target;

/// Local memory of a thread in bytes.
const MAX_LOCAL: u64 = Target::MAX_LOCAL_MEMORY as u64;

pub(super) fn alloca(
    kernel: &Kernel,
    own: &mut Issuing<'_>,
    dst: Slot,
    (count, size): (Slot, u64),
    generic: bool,
) -> Result<(), LaneFinding> {
    let active = own.issuer.lanes;
    own.registers.defined(kernel, count, active, "size")?;
    for lane in lanes_of(active) {
        let i = lane as usize;
        let bytes = own.registers.get(count)[i].saturating_mul(size);
        let (used, number) = own.stack.used(i);
        let used = used.saturating_add(bytes);
        if used > MAX_LOCAL || number >= MAX_ALLOCATIONS as usize {
            let kind = FindingKind::LocalMemory { bytes: used, limit: MAX_LOCAL };
            return Err(LaneFinding { lane, kind });
        }
        let local = pointer(LOCAL, number as u32, 0);
        own.stack.allocate(i, bytes, own.issuer.site);
        let address = if generic { cast_address(local, LOCAL, 0) } else { Ok(local) };
        let address = address.map_err(|kind| LaneFinding { lane, kind })?;
        own.registers.set_lane(dst, lane, address);
    }
    Ok(())
}

/// The stack pointer is the address of the last allocation, or 0 if there is none.
pub(super) fn save_stack(own: &mut Issuing<'_>, dst: Slot) {
    for lane in lanes_of(own.issuer.lanes) {
        let last = own.stack.locals(lane as usize).len().checked_sub(1);
        own.registers.set_lane(dst, lane, last.map_or(0, |last| pointer(LOCAL, last as u32, 0)));
    }
}

/// Frees what was allocated after the stack pointer was saved. A function cannot free what its
/// callers allocated.
pub(super) fn restore_stack(kernel: &Kernel, own: &mut Issuing<'_>, src: Slot) -> Result<(), LaneFinding> {
    let active = own.issuer.lanes;
    own.registers.defined(kernel, src, active, "stack pointer")?;
    for lane in lanes_of(active) {
        let i = lane as usize;
        let address = own.registers.get(src)[i];
        let kept = match parts(address, LOCAL) {
            _ if address == 0 => Some(0),
            Ok(Parts { allocation, byte: 0, .. }) => Some(allocation as usize + 1),
            _ => None,
        };
        if !kept.is_some_and(|kept| own.stack.free(i, kept)) {
            return Err(LaneFinding { lane, kind: FindingKind::StackPointer { address } });
        }
    }
    Ok(())
}
