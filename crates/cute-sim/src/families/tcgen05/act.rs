//! The operations of `tcgen05`, executed.

use super::op::Tcgen05Op;
use crate::events::Event;
use crate::finding::LaneFinding;
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::warp::{Flow, Warp};

impl Warp {
    pub(crate) fn tcgen05(
        &mut self,
        cluster: &mut Cluster<'_>,
        op: &Tcgen05Op,
        active: u32,
    ) -> Result<Flow, LaneFinding> {
        match op {
            Tcgen05Op::Alloc { to, space, columns, pair } => {
                return self.allocate(cluster, (*to, *space), *columns, *pair, active);
            }
            Tcgen05Op::Commit { barrier, space, mask } => {
                self.commit_tensor(cluster, (*barrier, *space), *mask, active)?;
                return Ok(Flow::Next);
            }
            Tcgen05Op::Copy { address, source, rows, pair } => {
                self.copy_rows(cluster, (*address, *source), *rows, *pair, active)?;
                return Ok(Flow::Next);
            }
            Tcgen05Op::Multiply(mma) => {
                self.multiply_tensor(cluster, mma, active)?;
                return Ok(Flow::Next);
            }
            Tcgen05Op::Fence { before } => {
                self.tells_order(cluster, active);
                let threads: Vec<u32> = lanes_of(active).map(|lane| self.thread(lane)).collect();
                let Cluster { engine, clocks, .. } = cluster;
                match before {
                    true => engine.tensor_order.before(clocks, &threads),
                    false => engine.tensor_order.after(clocks, &threads),
                }
                return Ok(Flow::Next);
            }
            _ => {}
        }
        self.in_groups(0, cluster, None, active, |warp, cluster, _| match op {
            Tcgen05Op::Dealloc { address, columns, pair } => {
                warp.deallocate(cluster, *address, *columns, *pair)
            }
            Tcgen05Op::Relinquish => {
                let (rank, at) = (warp.block().rank, warp.lanes.at());
                cluster.tensor_memory(rank).relinquished.get_or_insert(at);
                Ok(())
            }
            Tcgen05Op::Load { shape, address, offset, registers } => {
                warp.load_tensor(cluster, shape, *address, *offset, registers)
            }
            Tcgen05Op::Store { shape, address, offset, registers } => {
                warp.store_tensor(cluster, shape, *address, *offset, registers)
            }
            Tcgen05Op::Wait { stores } => {
                cluster.journal.tell(|_| Event::Completes { act: warp.act(warp.lanes.exists()) });
                if let Some(own) = cluster.engine.cores.warps.get_mut(&(warp.thread(0), *stores)) {
                    own.unused.clear();
                    let threads = lanes_of(warp.lanes.exists()).map(|lane| warp.thread(lane));
                    cluster.clocks.learn_all(threads, own.agent, own.time);
                }
                Ok(())
            }
            Tcgen05Op::Alloc { .. }
            | Tcgen05Op::Commit { .. }
            | Tcgen05Op::Fence { .. }
            | Tcgen05Op::Multiply(_)
            | Tcgen05Op::Copy { .. } => Ok(()),
        })
    }
}
