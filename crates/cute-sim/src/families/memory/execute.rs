//! The effect of each operation on memory.

use super::op::MemoryOp;
use crate::families::scalar::alu;
use crate::finding::LaneFinding;
use crate::machine::cluster::Cluster;
use crate::machine::scene::Scene;
use crate::machine::warp::Warp;
use crate::operand::Slot;
use crate::registers::Registers;

impl Warp {
    #[inline]
    pub(crate) fn access_memory(
        &mut self,
        op: &MemoryOp,
        active: u32,
        cluster: &mut Cluster<'_>,
    ) -> Result<(), LaneFinding> {
        let kernel = cluster.machine.kernel;
        match *op {
            MemoryOp::Load { dst, address, access } => {
                self.load(cluster, &kernel.accesses[access as usize], dst, address, active)?;
            }
            MemoryOp::Store { src, address, access } => {
                self.store(cluster, &kernel.accesses[access as usize], src, address, active)?;
            }
            MemoryOp::Atomic { .. } => self.atomic(cluster, op, active)?,
            MemoryOp::IsInSpace { dst, address, space } => {
                is_in_space(&mut self.registers, cluster.scene(), (dst, address), space, active);
            }
            MemoryOp::Alloca { dst, count, size, generic } => {
                self.alloca(cluster, dst, count, size, generic, active)?;
            }
            MemoryOp::StackSave { dst } => self.save_stack(dst, active),
            MemoryOp::StackRestore { src } => self.restore_stack(cluster, src, active)?,
        }
        Ok(())
    }
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
