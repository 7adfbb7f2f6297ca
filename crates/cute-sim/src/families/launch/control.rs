//! `clusterlaunchcontrol`: running clusters take over the work of clusters that have not begun.

use super::op::LaunchOp;
use super::rules::ControlRule;
use crate::agents::landing::deliver;
use crate::engine::landing::{Landed, Landing, Payload, RESPONSE};
use crate::families::mbarrier::at::watch_barrier;
use crate::families::mbarrier::barrier::BYTES;
use crate::families::mbarrier::misused::misused;
use crate::finding::{AccessKind, FindingKind, LaneFinding, MbarrierMisuse};
use crate::lanes::lanes_of;
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::memory::address::{SHARED, in_block};
use crate::operand::Slot;
use crate::race::{Acting, Needs, Reach};
use crate::registers::unknown::{Origin, Unknown};

/// In the last 32 bits of a response: the cluster will not run.
const CANCELED: u64 = 1 << 32;

/// The device's response to a request: the first block of a cluster that will not run, or a
/// refusal.
fn response(first_block: Option<[u32; 3]>) -> [u8; RESPONSE] {
    let [x, y, z] = first_block.unwrap_or_default().map(u64::from);
    let words = [x | y << 32, z | if first_block.is_some() { CANCELED } else { 0 }];
    let mut bytes = [0; RESPONSE];
    bytes.chunks_exact_mut(8).zip(words).for_each(|(to, word)| to.copy_from_slice(&word.to_le_bytes()));
    bytes
}

impl Warp {
    #[cold]
    pub(crate) fn launch_operation(
        &mut self,
        cluster: &mut Cluster<'_>,
        op: LaunchOp,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let kernel = cluster.machine.kernel;
        match op {
            LaunchOp::TryCancel { address, barrier, multicast } => {
                self.registers.defined(kernel, address, active, "address")?;
                self.registers.defined(kernel, barrier, active, "address of the mbarrier")?;
                for lane in lanes_of(active) {
                    let get = |slot: Slot| self.registers.get(slot)[lane as usize];
                    self.try_cancel(cluster, get(address), get(barrier), multicast, lane)
                        .map_err(|kind| LaneFinding { lane, kind })?;
                }
            }
            LaunchOp::IsCanceled { dst, response } => {
                let canceled = self.registers.get(response + 1).map(|high| u64::from(high & CANCELED != 0));
                for lane in lanes_of(active).filter(|lane| canceled[*lane as usize] == 0) {
                    cluster.engine.refused.entry(self.thread(lane)).or_insert(cluster.clocks.now());
                }
                self.registers.set_from(dst, active, &canceled, &[response, response + 1]);
            }
            LaunchOp::FirstBlock { dst, axis, response } => {
                self.registers.defined(kernel, response + 1, active, "response")?;
                let high = *self.registers.get(response + 1);
                let word = self.registers.get(response + axis as u32 / 2);
                let block = word.map(|word| (word >> (32 * (axis % 2))) & u64::from(u32::MAX));
                self.registers.set_from(dst, active, &block, &[response, response + 1]);
                // Kernels request first, and check afterwards whether there is a block.
                let unknown = Unknown { origin: Origin::NoBlock { at: self.lanes.at() }, bits: u64::MAX };
                let refused = lanes_of(active).filter(|lane| high[*lane as usize] & CANCELED == 0);
                refused.for_each(|lane| self.registers.set_unknown(dst, lane, Some(unknown)));
            }
            LaunchOp::Dependency { waits } => self.depend_on_grids(cluster, waits, active),
        }
        Ok(())
    }

    fn try_cancel(
        &self,
        cluster: &mut Cluster<'_>,
        address: u64,
        barrier: u64,
        multicast: bool,
        lane: u32,
    ) -> Result<(), FindingKind> {
        let thread = self.thread(lane);
        if cluster.engine.refused.iter().any(|(other, time)| cluster.clocks.knows(thread, *other, *time)) {
            return Err(FindingKind::LaunchControl { rule: ControlRule::AfterRefusal });
        }
        // The remaining clusters of the grid are shared state of all clusters.
        cluster.meets_others = true;
        let response = response(cluster.machine.cancel(self.marks.executed()));
        let blocks = cluster.machine.cluster_blocks();
        let ranks = if multicast { 0..blocks } else { self.block().rank..self.block().rank + 1 };
        for rank in ranks {
            let space = if rank == self.block().rank { SHARED } else { crate::memory::address::CLUSTER };
            let (address, barrier) = (in_block(address, rank.into()), in_block(barrier, rank.into()));
            let to = cluster.span(&[], address, space, RESPONSE as u64, RESPONSE as u64)?;
            let counts = cluster.span(&[], barrier, space, BYTES as u64, BYTES as u64)?;
            watch_barrier(
                &mut cluster.parts(),
                &self.registers,
                (&self.issuer(1 << lane), lane),
                counts,
                AccessKind::Atomic,
            );
            if !cluster.engine.barriers.are_at(counts.start) {
                return Err(misused(cluster.scene(), counts.start, MbarrierMisuse::Uninitialised));
            }
            if let Some((delta, state)) = cluster.shared.bytes().taken(to.start, RESPONSE) {
                return Err(cluster.state_finding(&[], to, delta, state));
            }
            let agent = cluster.engine.landings.agent(counts.start, &mut cluster.clocks);
            let issued = self.issuer(0).issued(&mut cluster.clocks, lane);
            let view = cluster.parts().view(self.thread(lane));
            let who = self.who(cluster, SHARED, self.lanes.at(), AccessKind::AsyncWrite, Reach::default());
            let (time, needs) = (issued.time, Needs::FenceOfReads);
            let acting = Acting { who, lane, agent, time, view: &view, needs };
            cluster.parts().watch_transfer(to, (to.start, RESPONSE), &acting);
            let landed = Landed { issued, barrier: counts.start, phase: None, rank };
            cluster.engine.landings.begin(agent, landed);
            let payload = Payload::Response { at: to.start, response };
            deliver(&mut cluster.parts(), Landing { issued, payload, barrier: counts.start, agent })?;
        }
        Ok(())
    }
}
