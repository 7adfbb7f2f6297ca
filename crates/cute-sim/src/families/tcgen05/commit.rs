//! The issue of a commit, which signals barriers behind the operations of its thread.

use super::queue::{Asked, TensorWork};
use super::words::broken;
use crate::families::mbarrier::at::watch_barrier;
use crate::families::mbarrier::barrier::BYTES;
use crate::families::mbarrier::checks::{Crowd, arrivals_with, fits_a_phase};
use crate::families::mbarrier::misused::misused;
use crate::finding::{AccessKind, FindingKind, LaneFinding, MbarrierMisuse, TensorRule};
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::memory::address::{CLUSTER, SHARED, in_block, parts};
use crate::program::Slot;

impl Warp {
    pub(super) fn commit_tensor(
        &mut self,
        cluster: &mut Cluster<'_>,
        (barrier, space): (Slot, u32),
        mask: Option<Slot>,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let kernel = cluster.machine.kernel;
        self.registers.defined(kernel, barrier, active, "address of the mbarrier")?;
        if let Some(mask) = mask {
            self.registers.defined(kernel, mask, active, "multicast mask")?;
        }
        for lane in lanes_of(active) {
            let address = self.registers.get(barrier)[lane as usize];
            let crowd = arrivals_with(&self.registers, (barrier, None), active, lane);
            let mask = mask.map(|mask| self.registers.get(mask)[lane as usize] as u32 & 0xffff);
            self.commit_one(cluster, (address, space), mask, crowd, lane)
                .map_err(|kind| LaneFinding { lane, kind })?;
            self.ask(cluster, lane)?;
        }
        Ok(())
    }

    fn commit_one(
        &mut self,
        cluster: &mut Cluster<'_>,
        (address, space): (u64, u32),
        mask: Option<u32>,
        crowd: Crowd,
        lane: u32,
    ) -> Result<(), FindingKind> {
        let blocks = cluster.machine.cluster_blocks();
        if let Some(rank) = mask.and_then(|mask| lanes_of(mask).find(|rank| *rank >= blocks)) {
            return Err(FindingKind::ClusterRank { rank: rank.into(), blocks });
        }
        let is_offset = space == 0 && parts(address, 0).is_err() && parts(address, SHARED).is_ok();
        if is_offset {
            let rule = TensorRule::OffsetAsGeneric { address };
            cluster.journal.remark(self.lanes.at(), self.thread(lane), broken(rule));
        }
        let space = if is_offset { SHARED } else { space };
        let targets: Vec<(u64, u32)> = match mask {
            Some(mask) => lanes_of(mask).map(|rank| (in_block(address, rank.into()), CLUSTER)).collect(),
            None => vec![(address, space)],
        };
        let mut barriers = Vec::new();
        for (address, space) in targets {
            let span = cluster.span(&[], address, space, BYTES as u64, BYTES as u64)?;
            if span.space != SHARED {
                return Err(FindingKind::WrongSpace { address, expected: SHARED });
            }
            watch_barrier(
                &mut cluster.parts(),
                &self.registers,
                (&self.issuer(1 << lane), lane),
                span,
                AccessKind::Atomic,
            );
            if !cluster.engine.barriers.are_at(span.start) {
                return Err(misused(cluster.scene(), span.start, MbarrierMisuse::Uninitialised));
            }
            fits_a_phase(&cluster.engine.barriers, cluster.scene(), span.start, crowd)?;
            barriers.push(span.start);
        }
        let thread = self.thread(lane);
        let issued = self.issuer(0).issued(&mut cluster.clocks, lane);
        let queue = cluster.tensor_queue(thread);
        // A thread that knows of the commit knows of all operations before it.
        queue.multiplier.1 = issued.time;
        let (agent, copier) = (queue.multiplier.0, queue.copier);
        let followed: Vec<(u32, u32)> = queue.followed.iter().map(|(agent, time)| (*agent, *time)).collect();
        let mut known = cluster.clocks.release(None, &[thread]);
        for (agent, time) in [(agent, issued.time), copier].into_iter().chain(followed) {
            known = cluster.clocks.with_agent(Some(&known), agent, time);
        }
        let known = cluster.engine.tensor_order.commit(&cluster.clocks, thread, known);
        for at in &barriers {
            cluster.engine.barriers.note_agent(*at, (agent, issued.time), (thread, self.lanes.at()));
        }
        for at in &barriers {
            let rank = cluster.shared.rank_of(*at);
            if rank != self.block().rank {
                cluster.engine.cores.reached.insert((rank, agent), (issued, Some(*at)));
            }
        }
        let past = cluster.engine.past_of(thread);
        let work = TensorWork::Commit { barriers, known, when: self.marks.executed(), past };
        cluster.tensor_queue(thread).pending.push_back(Asked { issued, work, after: Vec::new() });
        Ok(())
    }
}
