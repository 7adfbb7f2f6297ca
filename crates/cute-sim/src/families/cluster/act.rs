//! Arrivals at the barrier of a cluster, waits there, and their ends.

use super::op::ClusterOp;
use super::rules::ClusterBarrierMisuse;
use crate::events::Event;
use crate::finding::{FindingKind, LaneFinding};
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::warp::{Flow, Wait, Warp};
use crate::race::Scope;

impl Warp {
    /// Executes an operation among the blocks of a cluster.
    pub(crate) fn cluster_operation(
        &mut self,
        cluster: &mut Cluster<'_>,
        op: &ClusterOp,
        active: u32,
    ) -> Result<Flow, LaneFinding> {
        match *op {
            ClusterOp::Arrive { relaxed, aligned } => {
                if !self.may_run(aligned, active) {
                    return self.in_groups(
                        self.lanes.done(),
                        cluster,
                        None,
                        active,
                        |warp, cluster, lanes| warp.arrive_at_cluster(cluster, relaxed, lanes),
                    );
                }
                self.arrive_at_cluster(cluster, relaxed, active)?;
            }
            ClusterOp::Wait { aligned } => {
                if self.may_run(aligned, active) {
                    self.wait_at_cluster(cluster, active)?;
                } else {
                    for lanes in self.gather(cluster, None, active, self.lanes.done())? {
                        self.wait_at_cluster(cluster, lanes)?;
                    }
                }
                return Ok(Flow::Apart);
            }
            ClusterOp::Rank { dst, address, generic } => {
                self.block_rank(cluster, dst, address, generic, active)?;
            }
            ClusterOp::Map { dst, address, rank } => self.map_address(cluster, dst, address, rank, active)?,
            ClusterOp::Send(ref remote) => self.send_values(cluster, remote, active)?,
        }
        Ok(Flow::Next)
    }

    fn arrive_at_cluster(
        &mut self,
        cluster: &mut Cluster<'_>,
        relaxed: bool,
        active: u32,
    ) -> Result<(), LaneFinding> {
        if let Some(lane) = lanes_of(active & self.at_cluster.expected()).next() {
            let kind = FindingKind::ClusterBarrier { misuse: ClusterBarrierMisuse::ArrivesTwice };
            return Err(LaneFinding { lane, kind });
        }
        cluster.journal.tell(|_| Event::ArrivesAtCluster { act: self.act(active) });
        self.at_cluster.arrive(active);
        cluster.journal.changes_softly();
        let members: Vec<u32> = lanes_of(active).map(|lane| self.thread(lane)).collect();
        let Cluster { rendezvous, clocks, engine, .. } = cluster;
        rendezvous.arrive(&members, engine.course.as_deref());
        if !relaxed {
            rendezvous.publish(&members, clocks);
            return Ok(());
        }
        for thread in members {
            // After the fence, any thread that synchronises knows that the barriers are
            // initialised.
            if let Some(fenced) = engine.fenced.get(&thread) {
                rendezvous.pass_on_agent(clocks, *fenced);
            }
            if let Some(known) = engine.relaxed.passes_on(thread, Scope::Cluster, Scope::Cluster) {
                rendezvous.pass_on(known);
            }
            if let Some(known) = engine.tensor_order.passes_on(clocks, thread) {
                rendezvous.pass_on(&known);
            }
        }
        Ok(())
    }

    fn wait_at_cluster(&mut self, cluster: &mut Cluster<'_>, active: u32) -> Result<(), LaneFinding> {
        if let Some(lane) = lanes_of(active & !self.at_cluster.expected()).next() {
            let kind = FindingKind::ClusterBarrier { misuse: ClusterBarrierMisuse::WaitsFirst };
            return Err(LaneFinding { lane, kind });
        }
        self.tells_order(cluster, active);
        self.lanes.wait(active, |_| Wait::Cluster);
        let through = active & self.at_cluster.through();
        self.pass_cluster(cluster, through);
        Ok(())
    }

    /// Releases waiting lanes whose phase is complete.
    fn pass_cluster(&mut self, cluster: &mut Cluster<'_>, lanes: u32) {
        let Cluster { rendezvous, clocks, engine, .. } = cluster;
        let threads = || lanes_of(lanes).map(|lane| self.thread(lane));
        let (known, past) = rendezvous.completed();
        if let Some(known) = known {
            clocks.acquire_all(threads(), known);
        }
        if let Some(course) = &mut engine.course {
            course.learn(threads(), past);
        }
        engine.tensor_order.tell_of_returned(threads());
        self.marks.learn(lanes != 0 && engine.course.is_some());
        if lanes != 0 {
            rendezvous.meet(clocks, self.block().rank);
        }
        self.at_cluster.leave(lanes);
        self.lanes.resume(lanes);
    }
}

impl Cluster<'_> {
    /// Completes the phase of the cluster's barrier once all threads that have not exited have
    /// arrived.
    pub(crate) fn settle_rendezvous(&mut self, warps: &mut [Warp]) {
        let absent = |w: &Warp| w.lanes.exists() & !w.lanes.done() & w.at_cluster.absent() != 0;
        if self.rendezvous.is_empty() || warps.iter().any(absent) {
            return;
        }
        self.journal.completes_barrier();
        self.rendezvous.complete(&mut self.clocks);
        let returned = warps.iter().filter(|w| w.lanes.exists() & !w.lanes.done() == 0).map(|w| w.thread(0));
        self.engine.tensor_order.note_returned(&self.clocks, returned);
        for warp in warps {
            warp.at_cluster.complete();
            let waiting = lanes_of(warp.lanes.stopped())
                .filter(|lane| warp.lanes.wait_of(*lane) == Some(Wait::Cluster))
                .fold(0, |m, lane| m | 1 << lane);
            warp.pass_cluster(self, waiting);
        }
    }
}
