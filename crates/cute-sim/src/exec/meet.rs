//! Instructions at which lanes wait for others: of their warp, their block, or their cluster.

use super::alu::LaneFinding;
use crate::machine::cluster::Cluster;
use crate::machine::warp::{Flow, Warp};
use crate::program::{Op, Slot};

impl Warp {
    /// Executes an instruction of a barrier of the block, the warp, or the cluster.
    pub(super) fn at_barrier(
        &mut self,
        op: &Op,
        active: u32,
        cluster: &mut Cluster<'_>,
    ) -> Result<Flow, LaneFinding> {
        let kernel = cluster.machine.kernel;
        match *op {
            Op::Barrier { id, threads, reduction, .. } => {
                if let Some(reduction) = reduction {
                    self.registers.defined(kernel, reduction.predicate, active, "predicate")?;
                }
                self.tells_order(cluster, active);
                self.enter_barrier(cluster, id, threads, active)?;
                return Ok(Flow::Apart);
            }
            Op::ClusterArrive { relaxed, aligned } => {
                if self.may_run(aligned, active) {
                    self.arrive_at_cluster(cluster, relaxed, active)?;
                } else {
                    return self.together_but(self.done, cluster, None, active, |warp, cluster, lanes| {
                        warp.arrive_at_cluster(cluster, relaxed, lanes)
                    });
                }
            }
            Op::ClusterWait { aligned } => {
                if self.may_run(aligned, active) {
                    self.wait_at_cluster(cluster, active)?;
                } else {
                    for lanes in self.gather(cluster, None, active, self.done)? {
                        self.wait_at_cluster(cluster, lanes)?;
                    }
                }
                return Ok(Flow::Apart);
            }
            Op::Arrive { id, threads, aligned } => {
                if self.may_run(aligned, active) {
                    self.arrive(cluster, id, threads, active)?;
                } else {
                    return self.together_but(self.done, cluster, None, active, |warp, cluster, lanes| {
                        warp.arrive(cluster, id, threads, lanes)
                    });
                }
            }
            Op::WarpBarrier { mask } => {
                self.registers.defined(kernel, mask, active, "lane mask")?;
                self.enter_warp_barrier(cluster, mask, active)?;
                return Ok(Flow::Apart);
            }
            _ => unreachable!("`step` has an arm of its own for each other instruction"),
        }
        Ok(Flow::Next)
    }

    /// Whether these lanes may execute a barrier's instruction without the other lanes of the warp.
    fn may_run(&self, aligned: bool, active: u32) -> bool {
        !aligned || active | self.done == self.exists
    }

    /// Runs a collective in each group of lanes that is complete; the others wait.
    pub(crate) fn together(
        &mut self,
        cluster: &mut Cluster<'_>,
        mask: Option<Slot>,
        active: u32,
        run: impl FnMut(&mut Warp, &mut Cluster<'_>, u32) -> Result<(), LaneFinding>,
    ) -> Result<Flow, LaneFinding> {
        self.together_but(0, cluster, mask, active, run)
    }

    /// Like [`together`](Self::together), for groups that are complete without the excused lanes.
    pub(crate) fn together_but(
        &mut self,
        excused: u32,
        cluster: &mut Cluster<'_>,
        mask: Option<Slot>,
        active: u32,
        mut run: impl FnMut(&mut Warp, &mut Cluster<'_>, u32) -> Result<(), LaneFinding>,
    ) -> Result<Flow, LaneFinding> {
        let groups = self.gather(cluster, mask, active, excused)?;
        let mut ran = 0;
        for lanes in groups {
            if self.has_learned {
                self.meet_lanes(cluster, lanes);
            }
            run(self, cluster, lanes)?;
            ran |= lanes;
        }
        if ran == active {
            return Ok(Flow::Next);
        }
        self.park(active & ran, self.at + 1);
        self.resume(ran & !active);
        Ok(Flow::Apart)
    }
}
