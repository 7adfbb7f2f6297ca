//! The effect of each instruction that computes.

use super::compute::compute;
use super::op::ScalarOp;
use super::special::special;
use crate::finding::LaneFinding;
use crate::machine::device::Machine;
use crate::machine::issuer::Issuer;
use crate::machine::scene::Scene;
use crate::operand::Slot;
use crate::program::Special;
use crate::registers::Registers;

/// Executes an operation that only computes.
#[inline(always)]
pub(crate) fn scalar(
    registers: &mut Registers,
    machine: &Machine<'_>,
    op: &ScalarOp,
    active: u32,
) -> Result<(), LaneFinding> {
    compute(registers, machine.kernel, op, active, machine.launch.check_overflow)
}

/// Gives the lanes a value of the machine.
pub(crate) fn give(
    registers: &mut Registers,
    scene: &Scene<'_>,
    issuer: &Issuer,
    (dst, of): (Slot, Special),
) {
    let value = std::array::from_fn(|lane| special(scene, issuer, of, lane as u32).into());
    registers.set(dst, issuer.lanes, &value, 0);
}
