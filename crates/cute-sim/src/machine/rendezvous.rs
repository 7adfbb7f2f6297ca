//! Communication between the blocks of a cluster: `mapa`, and `barrier.cluster`, where all threads
//! that have not exited arrive, and wait for each other later.

use super::cluster::Cluster;
use super::warp::{Wait, Warp};
use crate::course::Past;
use crate::events::Event;
use crate::finding::{ClusterBarrierMisuse, FindingKind};
use crate::finding::{LaneFinding, try_map};
use crate::lanes::lanes_of;
use crate::memory::address::{CLUSTER, in_block};
use crate::program::Slot;
use crate::race::{Clocks, Known, Scope};
use cute_arch::Target;
use cute_arch::space::GENERIC;
use std::rc::Rc;

#[derive(Debug, Default)]
pub(crate) struct Rendezvous {
    /// The knowledge published by arrivals, except relaxed ones.
    passed: Option<Known>,
    /// The past of the threads that arrived.
    past: Rc<Past>,
    arrived: u32,
    /// The knowledge published by the last complete phase, and the time of its completion.
    complete: Option<Known>,
    complete_past: Rc<Past>,
    completed: u32,
    /// By the rank of a block, the time at which the last phase that it waited for was complete.
    met: [u32; MOST],
}

/// Blocks of a cluster, at most.
const MOST: usize = Target::MAX_CLUSTER as usize;

impl Rendezvous {
    /// A time before which all acts of any block precede a barrier that this block has waited at.
    pub(crate) fn met(&self, rank: u32) -> u32 {
        self.met[rank as usize]
    }
}

impl Warp {
    pub(crate) fn arrive_at_cluster(
        &mut self,
        cluster: &mut Cluster<'_>,
        relaxed: bool,
        active: u32,
    ) -> Result<(), LaneFinding> {
        if let Some(lane) = lanes_of(active & (self.cluster_arrived | self.cluster_passed)).next() {
            let kind = FindingKind::ClusterBarrier { misuse: ClusterBarrierMisuse::ArrivesTwice };
            return Err(LaneFinding { lane, kind });
        }
        cluster.journal.tell(|_| Event::ArrivesAtCluster { act: self.act(active) });
        self.cluster_arrived |= active;
        cluster.journal.changes_softly();
        cluster.rendezvous.arrived += active.count_ones();
        let members: Vec<u32> = lanes_of(active).map(|lane| self.thread(lane)).collect();
        if let Some(course) = &cluster.engine.course {
            let own = course.of_all(members.iter().copied());
            cluster.rendezvous.past = Past::both(&cluster.rendezvous.past, &own);
        }
        if relaxed {
            for thread in members {
                // After the fence, any thread that synchronises knows that the barriers are
                // initialised.
                if let Some((agent, time)) = cluster.engine.fenced.get(&thread) {
                    let passed = cluster.clocks.with_agent(cluster.rendezvous.passed.as_ref(), *agent, *time);
                    cluster.rendezvous.passed = Some(passed);
                }
                let known = cluster.engine.relaxed.passes_on(thread, Scope::Cluster, Scope::Cluster);
                if let Some(known) = known {
                    cluster.rendezvous.passed = Some(Clocks::both(cluster.rendezvous.passed.as_ref(), known));
                }
                if let Some(known) = cluster.engine.tensor_order.passes_on(&cluster.clocks, thread) {
                    cluster.rendezvous.passed =
                        Some(Clocks::both(cluster.rendezvous.passed.as_ref(), &known));
                }
            }
            return Ok(());
        }
        let passed = cluster.rendezvous.passed.take();
        cluster.rendezvous.passed = Some(cluster.clocks.release(passed.as_ref(), &members));
        Ok(())
    }

    pub(crate) fn wait_at_cluster(
        &mut self,
        cluster: &mut Cluster<'_>,
        active: u32,
    ) -> Result<(), LaneFinding> {
        if let Some(lane) = lanes_of(active & !(self.cluster_arrived | self.cluster_passed)).next() {
            let kind = FindingKind::ClusterBarrier { misuse: ClusterBarrierMisuse::WaitsFirst };
            return Err(LaneFinding { lane, kind });
        }
        self.tells_order(cluster, active);
        self.wait(active, |_| Wait::Cluster);
        let through = active & self.cluster_passed;
        self.pass_cluster(cluster, through);
        Ok(())
    }

    /// The rank of the block that an address of shared memory belongs to.
    pub(crate) fn block_rank(
        &mut self,
        cluster: &Cluster<'_>,
        dst: Slot,
        address: Slot,
        generic: bool,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let addresses = *self.registers.get(address);
        let space = if generic { GENERIC } else { CLUSTER };
        let ranks = try_map(active, |lane| {
            let rank = cluster.scene().rank_of(addresses[lane], space)?;
            Ok(rank.into())
        })?;
        self.registers.set_from(dst, active, &ranks, &[address]);
        Ok(())
    }

    /// `mapa`.
    pub(crate) fn map_address(
        &mut self,
        cluster: &Cluster<'_>,
        dst: Slot,
        address: Slot,
        rank: Slot,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let blocks = cluster.machine.cluster_blocks();
        self.registers.defined(cluster.machine.kernel, rank, active, "rank of the block")?;
        let mapped = try_map(active, |lane| {
            let (address, rank) = (self.registers.get(address)[lane], self.registers.get(rank)[lane]);
            if rank >= u64::from(blocks) {
                return Err(FindingKind::ClusterRank { rank, blocks });
            }
            Ok(in_block(address, rank))
        })?;
        self.registers.set_from(dst, active, &mapped, &[address]);
        Ok(())
    }

    /// Releases waiting lanes whose phase is complete.
    fn pass_cluster(&mut self, cluster: &mut Cluster<'_>, lanes: u32) {
        if let Some(known) = &cluster.rendezvous.complete {
            cluster.clocks.acquire_all(lanes_of(lanes).map(|lane| self.thread(lane)), known);
        }
        if let Some(course) = &mut cluster.engine.course {
            course.learn(lanes_of(lanes).map(|lane| self.thread(lane)), &cluster.rendezvous.complete_past);
            self.has_learned |= lanes != 0;
        }
        cluster.engine.tensor_order.tell_of_returned(lanes_of(lanes).map(|lane| self.thread(lane)));
        if lanes != 0 {
            cluster.rendezvous.met[self.block.rank as usize] = cluster.rendezvous.completed;
        }
        self.cluster_passed &= !lanes;
        self.resume(lanes);
    }
}

/// Completes the phase once all threads that have not exited have arrived.
pub(crate) fn settle(cluster: &mut Cluster<'_>, warps: &mut [Warp]) {
    let absent = |w: &Warp| w.exists & !w.done & !w.cluster_arrived != 0;
    if cluster.rendezvous.arrived == 0 || warps.iter().any(absent) {
        return;
    }
    cluster.journal.completes_barrier();
    let rendezvous = &mut cluster.rendezvous;
    rendezvous.arrived = 0;
    rendezvous.complete = rendezvous.passed.take();
    rendezvous.complete_past = rendezvous.past.clone();
    rendezvous.completed = cluster.clocks.act();
    let returned = warps.iter().filter(|w| w.exists & !w.done == 0).map(|w| w.thread(0));
    cluster.engine.tensor_order.note_returned(&cluster.clocks, returned);
    for warp in warps {
        warp.cluster_passed |= std::mem::take(&mut warp.cluster_arrived);
        let waiting = lanes_of(warp.exists & !warp.ready & !warp.done)
            .filter(|lane| warp.waits[*lane as usize] == Some(Wait::Cluster))
            .fold(0, |m, lane| m | 1 << lane);
        warp.pass_cluster(cluster, waiting);
    }
}
