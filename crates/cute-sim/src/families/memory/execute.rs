//! The effect of each operation on memory.

use super::atomic::atomic;
use super::load::load;
use super::op::MemoryOp;
use super::stack::{alloca, restore_stack, save_stack};
use super::store::store;
use crate::families::scalar::alu;
use crate::finding::LaneFinding;
use crate::machine::issuing::Issuing;
use crate::machine::parts::Parts;
use crate::machine::scene::Scene;
use crate::operand::Slot;
use crate::registers::Registers;

/// Executes an operation on memory.
#[inline]
pub(crate) fn access_memory(
    parts: &mut Parts<'_, '_>,
    own: &mut Issuing<'_>,
    op: &MemoryOp,
) -> Result<(), LaneFinding> {
    let kernel = parts.machine().kernel;
    match *op {
        MemoryOp::Load { dst, address, access } => {
            load(parts, own, &kernel.accesses[access as usize], dst, address)?;
        }
        MemoryOp::Store { src, address, access } => {
            store(parts, own, &kernel.accesses[access as usize], src, address)?;
        }
        MemoryOp::Atomic { .. } => atomic(parts, own, op)?,
        MemoryOp::IsInSpace { dst, address, space } => {
            is_in_space(own.registers, parts.scene(), (dst, address), space, own.issuer.lanes);
        }
        MemoryOp::Alloca { dst, count, size, generic } => alloca(kernel, own, dst, (count, size), generic)?,
        MemoryOp::StackSave { dst } => save_stack(own, dst),
        MemoryOp::StackRestore { src } => restore_stack(kernel, own, src)?,
    }
    Ok(())
}

/// Whether the addresses of the lanes are of a space.
fn is_in_space(
    registers: &mut Registers,
    scene: &Scene<'_>,
    (dst, address): (Slot, Slot),
    space: u32,
    active: u32,
) {
    let inside = alu::map(registers.get(address), |address| scene.is_in_space(address, space).into());
    registers.set_from(dst, active, &inside, &[address]);
}
