//! The effect of each instruction on a warp.

use crate::families::bulk::issue::bulk;
use crate::families::collective::run::collective;
use crate::families::wgmma::wait::wgmma;
use crate::finding::LaneFinding;
use crate::machine::cluster::Cluster;
use crate::machine::warp::{Flow, Warp};
use crate::program::Op;

impl Warp {
    pub(crate) fn step(
        &mut self,
        op: &Op,
        active: u32,
        cluster: &mut Cluster<'_>,
    ) -> Result<Flow, LaneFinding> {
        match *op {
            Op::Scalar(ref op) => self.compute(op, active, cluster)?,
            Op::Control(ref op) => return self.go(op, active, cluster),
            Op::Memory(ref op) => self.access_memory(op, active, cluster)?,
            Op::System(ref op) => self.call_system(op, active, cluster)?,
            Op::Barrier(op) => return self.at_barrier(cluster, op, active),
            Op::Cluster(ref op) => return self.cluster_operation(cluster, op, active),
            Op::Matrix(ref op) => return self.matrices(cluster, op, active),
            Op::CpAsync(op) => self.cp_async(cluster, op, active)?,
            Op::Bulk(ref op) => {
                let issuer = self.issuer(active);
                bulk(&mut cluster.parts(), &self.registers, &mut self.sent, &issuer, op)?;
            }
            Op::Wgmma(ref op) if op.is_of_group() => return Ok(self.await_group(cluster, active)),
            Op::Wgmma(ref op) => {
                return self.together(cluster, None, active, |own, cluster| {
                    wgmma(&mut cluster.parts(), own, op);
                    Ok(())
                });
            }
            Op::Mbarrier(op) => return self.mbarrier(cluster, op, active),
            Op::Launch(op) => self.launch_operation(cluster, op, active)?,
            Op::Tcgen05(ref op) => return self.tcgen05(cluster, op, active),
            Op::TensorMap(op) => return self.tensor_map(cluster, op, active),
            Op::Fence(op) => self.execute_fence(cluster, op, active),
            Op::SetRegisters(_) => return Ok(self.await_group(cluster, active)),
            Op::Collective(ref op) => {
                let excused = if op.excuses_returned() { self.lanes.done() } else { 0 };
                let election = cluster.machine.launch.election();
                return self.together_but(excused, cluster, op.mask, active, |own, _| {
                    collective(own.registers, op, own.issuer.lanes, election);
                    Ok(())
                });
            }
        }
        Ok(Flow::Next)
    }
}
