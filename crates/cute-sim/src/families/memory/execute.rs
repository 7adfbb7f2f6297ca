//! The effect of each operation on memory.

use super::op::MemoryOp;
use crate::families::scalar::alu;
use crate::finding::LaneFinding;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;

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
                let addresses = *self.registers.get(address);
                let inside =
                    alu::map(&addresses, |address| cluster.scene().is_in_space(address, space).into());
                self.registers.set_from(dst, active, &inside, &[address]);
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
