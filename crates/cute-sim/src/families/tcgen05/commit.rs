//! The issue of a commit, which signals barriers behind the operations of its thread.

use super::complete::tensor_queue;
use super::issue::ask;
use super::queue::{Asked, TensorWork};
use super::words::broken;
use crate::families::mbarrier::at::watch_barrier;
use crate::families::mbarrier::barrier::BYTES;
use crate::families::mbarrier::checks::{Crowd, arrivals_with, fits_a_phase};
use crate::families::mbarrier::misused::misused;
use crate::finding::{AccessKind, FindingKind, LaneFinding, MbarrierMisuse, TensorRule};
use crate::lanes::lanes_of;
use crate::machine::issuing::Issuing;
use crate::machine::parts::TensorParts;
use crate::memory::address::{CLUSTER, SHARED, in_block, parts};
use crate::program::Slot;

pub(super) fn commit_tensor(
    lent: &mut TensorParts<'_, '_>,
    own: &Issuing<'_>,
    (barrier, space): (Slot, u32),
    mask: Option<Slot>,
) -> Result<(), LaneFinding> {
    let (kernel, active) = (lent.parts.machine().kernel, own.issuer.lanes);
    own.registers.defined(kernel, barrier, active, "address of the mbarrier")?;
    if let Some(mask) = mask {
        own.registers.defined(kernel, mask, active, "multicast mask")?;
    }
    for lane in lanes_of(active) {
        let address = own.registers.get(barrier)[lane as usize];
        let crowd = arrivals_with(own.registers, (barrier, None), active, lane);
        let mask = mask.map(|mask| own.registers.get(mask)[lane as usize] as u32 & 0xffff);
        commit_one(lent, own, (address, space), mask, crowd, lane)
            .map_err(|kind| LaneFinding { lane, kind })?;
        ask(lent, &own.issuer, lane)?;
    }
    Ok(())
}

fn commit_one(
    lent: &mut TensorParts<'_, '_>,
    own: &Issuing<'_>,
    (address, space): (u64, u32),
    mask: Option<u32>,
    crowd: Crowd,
    lane: u32,
) -> Result<(), FindingKind> {
    let (issuer, blocks) = (&own.issuer, lent.parts.machine().cluster_blocks());
    if let Some(rank) = mask.and_then(|mask| lanes_of(mask).find(|rank| *rank >= blocks)) {
        return Err(FindingKind::ClusterRank { rank: rank.into(), blocks });
    }
    let is_offset = space == 0 && parts(address, 0).is_err() && parts(address, SHARED).is_ok();
    if is_offset {
        let rule = TensorRule::OffsetAsGeneric { address };
        lent.parts.journal.remark(issuer.site, issuer.thread(lane), broken(rule));
    }
    let space = if is_offset { SHARED } else { space };
    let targets: Vec<(u64, u32)> = match mask {
        Some(mask) => lanes_of(mask).map(|rank| (in_block(address, rank.into()), CLUSTER)).collect(),
        None => vec![(address, space)],
    };
    let mut barriers = Vec::new();
    for (address, space) in targets {
        let span = lent.parts.span(&[], address, space, BYTES as u64, BYTES as u64)?;
        if span.space != SHARED {
            return Err(FindingKind::WrongSpace { address, expected: SHARED });
        }
        watch_barrier(&mut lent.parts, own.registers, (issuer, lane), span, AccessKind::Atomic);
        if !lent.parts.engine.barriers.are_at(span.start) {
            return Err(misused(lent.parts.scene(), span.start, MbarrierMisuse::Uninitialised));
        }
        fits_a_phase(&lent.parts.engine.barriers, lent.parts.scene(), span.start, crowd)?;
        barriers.push(span.start);
    }
    let thread = issuer.thread(lane);
    let issued = issuer.issued(lent.parts.clocks, lane);
    let queue = tensor_queue(lent, thread);
    // A thread that knows of the commit knows of all operations before it.
    queue.multiplier.1 = issued.time;
    let (agent, copier) = (queue.multiplier.0, queue.copier);
    let followed: Vec<(u32, u32)> = queue.followed.iter().map(|(agent, time)| (*agent, *time)).collect();
    let mut known = lent.parts.clocks.release(None, &[thread]);
    for (agent, time) in [(agent, issued.time), copier].into_iter().chain(followed) {
        known = lent.parts.clocks.with_agent(Some(&known), agent, time);
    }
    let known = lent.parts.engine.tensor_order.commit(lent.parts.clocks, thread, known);
    for at in &barriers {
        lent.parts.engine.barriers.note_agent(*at, (agent, issued.time), (thread, issuer.site));
    }
    for at in &barriers {
        let rank = lent.parts.shared.rank_of(*at);
        if rank != issuer.block.rank {
            lent.parts.engine.cores.reached.insert((rank, agent), (issued, Some(*at)));
        }
    }
    let past = lent.parts.engine.past_of(thread);
    let work = TensorWork::Commit { barriers, known, when: issuer.executed, past };
    tensor_queue(lent, thread).pending.push_back(Asked { issued, work, after: Vec::new() });
    Ok(())
}
