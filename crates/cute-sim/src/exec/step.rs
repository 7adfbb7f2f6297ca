//! The effect of each instruction on a warp: each family receives the parts that it may touch.

use crate::families::barrier::act::at_barrier;
use crate::families::bulk::issue::bulk;
use crate::families::cluster::act::{at_rendezvous, elsewhere};
use crate::families::collective::run::collective;
use crate::families::control::flow::go;
use crate::families::cp_async::issue::cp_async;
use crate::families::fence::act::execute as fence;
use crate::families::launch::control::launch;
use crate::families::matrix::act::matrices;
use crate::families::mbarrier::lanes::mbarrier;
use crate::families::memory::execute::access_memory;
use crate::families::scalar::execute::{give, scalar};
use crate::families::system::execute::call_system;
use crate::families::tcgen05::act::tcgen05;
use crate::families::tensor_map::act::tensor_map;
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
            Op::Scalar(ref op) => match op.special() {
                Some(of) => {
                    let issuer = self.issuer(active);
                    give(&mut self.registers, cluster.scene(), &issuer, of);
                }
                None => scalar(&mut self.registers, cluster.machine(), op, active)?,
            },
            Op::Control(ref op) if op.ends_threads() => {
                self.leave(cluster, active);
                return Ok(Flow::Apart);
            }
            Op::Control(ref op) => return go(&cluster.parts(), &mut self.stopping(active), op),
            Op::Memory(ref op) => access_memory(&mut cluster.parts(), &mut self.issuing(active), op)?,
            Op::System(ref op) => call_system(&mut cluster.parts(), &mut self.issuing(active), op)?,
            Op::Barrier(op) => return at_barrier(&mut cluster.meetings(), &mut self.stopping(active), op),
            Op::Cluster(ref op) if op.is_of_barrier() => {
                return at_rendezvous(&mut cluster.meetings(), &mut self.stopping(active), op);
            }
            Op::Cluster(ref op) => {
                let issuer = self.issuer(active);
                elsewhere(&mut cluster.parts(), &mut self.registers, &issuer, op)?;
            }
            Op::Matrix(ref op) => {
                let mut warp = self.stopping(active);
                return warp.together(&mut cluster.parts(), None, |own, parts| matrices(parts, own, op));
            }
            Op::CpAsync(op) => cp_async(&mut cluster.parts(), &self.registers, &self.issuer(active), op)?,
            Op::Bulk(ref op) => {
                let issuer = self.issuer(active);
                bulk(&mut cluster.parts(), &self.registers, &mut self.sent, &issuer, op)?;
            }
            Op::Wgmma(ref op) if op.is_of_group() => return Ok(self.await_group(cluster, active)),
            Op::Wgmma(ref op) => {
                return self.stopping(active).together(&mut cluster.parts(), None, |own, parts| {
                    wgmma(parts, own, op);
                    Ok(())
                });
            }
            Op::Mbarrier(op) => return mbarrier(&mut cluster.parts(), &mut self.stopping(active), op),
            Op::Launch(op) => {
                let (mut parts, grids) = cluster.of_launches();
                let issuer = self.issuer(active);
                launch(&mut parts, grids, &mut self.registers, &issuer, op)?;
            }
            Op::Tcgen05(ref op) => {
                return tcgen05(&mut cluster.tensor_parts(), &mut self.stopping(active), op);
            }
            Op::TensorMap(op) if op.is_together() => {
                let mut warp = self.stopping(active);
                return warp.together(&mut cluster.parts(), None, |own, parts| tensor_map(parts, own, op));
            }
            Op::TensorMap(op) => tensor_map(&mut cluster.parts(), &mut self.issuing(active), op)?,
            Op::Fence(op) => fence(&mut cluster.parts(), &self.issuer(active), op),
            Op::SetRegisters(_) => return Ok(self.await_group(cluster, active)),
            Op::Collective(ref op) => {
                let excused = if op.excuses_returned() { self.lanes.done() } else { 0 };
                let election = cluster.machine().launch.election();
                let mut warp = self.stopping(active);
                return warp.together_but(excused, &mut cluster.parts(), op.mask, |own, _| {
                    collective(own.registers, op, own.issuer.lanes, election);
                    Ok(())
                });
            }
        }
        Ok(Flow::Next)
    }
}
