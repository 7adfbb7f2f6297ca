//! The effect of each instruction on a warp.

use super::alu::{self, LaneFinding};
use super::compute::compute;
use crate::machine::cluster::Cluster;
use crate::machine::warp::{Flow, Wait, Warp};
use crate::program::{MapOp, Op};

impl Warp {
    pub(crate) fn step(
        &mut self,
        op: &Op,
        active: u32,
        cluster: &mut Cluster<'_>,
    ) -> Result<Flow, LaneFinding> {
        let kernel = cluster.machine.kernel;
        match *op {
            Op::Int { .. }
            | Op::Overflowing { .. }
            | Op::IntCompare { .. }
            | Op::Float { .. }
            | Op::FloatCompare { .. }
            | Op::IntUnary { .. }
            | Op::FloatUnary { .. }
            | Op::Cast { .. }
            | Op::Fma { .. }
            | Op::Rounded { .. }
            | Op::Dot { .. }
            | Op::IntTernary { .. }
            | Op::Permute { .. }
            | Op::Convert { .. }
            | Op::Select { .. }
            | Op::Regroup { .. }
            | Op::Copy(_)
            | Op::Freeze(_)
            | Op::Coordinates(_)
            | Op::Extract { .. }
            | Op::Insert { .. }
            | Op::Gather { .. }
            | Op::Address { .. } => {
                let check_overflow = cluster.machine.launch.check_overflow;
                compute(&mut self.registers, kernel, op, active, check_overflow)?;
            }
            Op::Jump { .. }
            | Op::Branch { .. }
            | Op::Switch { .. }
            | Op::Return
            | Op::Call { .. }
            | Op::Back { .. }
            | Op::Unreachable
            | Op::Agree { .. }
            | Op::Nowhere { .. }
            | Op::Refused { .. }
            | Op::Trap { .. } => return self.go(op, active, cluster),
            Op::Barrier { .. }
            | Op::ClusterArrive { .. }
            | Op::ClusterWait { .. }
            | Op::Arrive { .. }
            | Op::WarpBarrier { .. } => return self.at_barrier(op, active, cluster),
            Op::Matrix(ref op) => return self.matrices(cluster, op, active),
            Op::BlockRank { dst, address, generic } => {
                self.block_rank(cluster, dst, address, generic, active)?;
            }
            Op::IsInSpace { dst, address, space } => {
                let addresses = *self.registers.get(address);
                let inside =
                    alu::map(&addresses, |address| cluster.scene().is_in_space(address, space).into());
                self.registers.set_from(dst, active, &inside, &[address]);
            }
            Op::Load { dst, address, access } => {
                self.load(cluster, &kernel.accesses[access as usize], dst, address, active)?;
            }
            Op::Store { src, address, access } => {
                self.store(cluster, &kernel.accesses[access as usize], src, address, active)?;
            }
            Op::Atomic { .. } => self.atomic(cluster, op, active)?,
            Op::Alloca { dst, count, size, generic } => {
                self.alloca(cluster, dst, count, size, generic, active)?
            }
            Op::StackSave { dst } => self.save_stack(dst, active),
            Op::StackRestore { src } => self.restore_stack(cluster, src, active)?,
            Op::Special { dst, special } => {
                let value =
                    std::array::from_fn(|lane| self.special(special, lane as u32, active, cluster).into());
                self.registers.set(dst, active, &value, 0);
            }
            Op::CpAsync(op) => self.cp_async(cluster, op, active)?,
            Op::Bulk(ref op) => self.bulk(cluster, op, active)?,
            Op::WgmmaCommit => {
                return self.together(cluster, None, active, |warp, cluster, lanes| {
                    warp.tells_order(cluster, lanes);
                    warp.commit_products(cluster);
                    Ok(())
                });
            }
            Op::WgmmaWait { pending } => {
                return self.together(cluster, None, active, |warp, cluster, _| {
                    warp.wait_for_products(cluster, pending)
                });
            }
            Op::Mbarrier(op) => return self.mbarrier(cluster, op, active),
            Op::Map(MapOp::Copy { to, from, scope }) => {
                return self.together(cluster, None, active, |warp, cluster, lanes| {
                    warp.copy_map(cluster, (to, from), scope, lanes)
                });
            }
            Op::Remote(ref remote) => self.send_values(cluster, remote, active)?,
            Op::Launch(op) => self.launch_control(cluster, op, active)?,
            Op::Tensor(ref op) => return self.tensor_operation(cluster, op, active),
            Op::Map(op) => self.map_operation(cluster, op, active)?,
            Op::Print { dst, format, arguments } => self.print(cluster, dst, format, arguments, active)?,
            Op::Allocate { dst, bytes } => self.heap_allocate(cluster, dst, bytes, active)?,
            Op::Release { address } => self.heap_release(cluster, address, active)?,
            Op::Fence(op) => self.execute_fence(cluster, op, active),
            Op::Nothing => {}
            Op::GridDependency { waits } => self.depend_on_grids(cluster, waits, active),
            Op::MapAddress { dst, address, rank } => self.map_address(cluster, dst, address, rank, active)?,
            Op::Group(_) => {
                self.tells_order(cluster, active);
                self.wait(active, |_| Wait::Group);
                return Ok(Flow::Apart);
            }
            Op::Collective(ref op) => return self.collective(cluster, op, active),
        }
        Ok(Flow::Next)
    }
}
