//! `clusterlaunchcontrol`: running clusters take over the work of clusters that have not begun.

use super::grids::Grids;
use super::op::LaunchOp;
use super::rules::ControlRule;
use crate::agents::landing::deliver;
use crate::engine::landing::{Landed, Landing, Payload, RESPONSE};
use crate::families::mbarrier::at::watch_barrier;
use crate::families::mbarrier::barrier::BYTES;
use crate::families::mbarrier::misused::misused;
use crate::finding::{AccessKind, FindingKind, LaneFinding, MbarrierMisuse};
use crate::lanes::lanes_of;
use crate::machine::issuer::Issuer;
use crate::machine::parts::Parts;
use crate::memory::address::{CLUSTER, SHARED, in_block};
use crate::operand::Slot;
use crate::race::{Acting, Needs, Reach};
use crate::registers::Registers;
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

/// Executes an operation about launches.
#[cold]
pub(crate) fn launch(
    parts: &mut Parts<'_, '_>,
    grids: &mut Grids,
    registers: &mut Registers,
    issuer: &Issuer,
    op: LaunchOp,
) -> Result<(), LaneFinding> {
    let (kernel, active) = (parts.machine().kernel, issuer.lanes);
    match op {
        LaunchOp::TryCancel { address, barrier, multicast } => {
            registers.defined(kernel, address, active, "address")?;
            registers.defined(kernel, barrier, active, "address of the mbarrier")?;
            for lane in lanes_of(active) {
                let at = |kind| LaneFinding { lane, kind };
                if grids.knows_refusal(parts.clocks, issuer.thread(lane)) {
                    return Err(at(FindingKind::LaunchControl { rule: ControlRule::AfterRefusal }));
                }
                let places = [address, barrier].map(|slot: Slot| registers.get(slot)[lane as usize]);
                try_cancel(parts, registers, (issuer, lane), places, multicast).map_err(at)?;
            }
        }
        LaunchOp::IsCanceled { dst, response } => {
            let canceled = registers.get(response + 1).map(|high| u64::from(high & CANCELED != 0));
            for lane in lanes_of(active).filter(|lane| canceled[*lane as usize] == 0) {
                grids.refuse(parts.clocks, issuer.thread(lane));
            }
            registers.set_from(dst, active, &canceled, &[response, response + 1]);
        }
        LaunchOp::FirstBlock { dst, axis, response } => {
            registers.defined(kernel, response + 1, active, "response")?;
            let high = *registers.get(response + 1);
            let word = registers.get(response + axis as u32 / 2);
            let block = word.map(|word| (word >> (32 * (axis % 2))) & u64::from(u32::MAX));
            registers.set_from(dst, active, &block, &[response, response + 1]);
            // Kernels request first, and check afterwards whether there is a block.
            let unknown = Unknown { origin: Origin::NoBlock { at: issuer.site }, bits: u64::MAX };
            let refused = lanes_of(active).filter(|lane| high[*lane as usize] & CANCELED == 0);
            refused.for_each(|lane| registers.set_unknown(dst, lane, Some(unknown)));
        }
        // The threads wait for earlier launches, or let later ones begin.
        LaunchOp::Dependency { waits } => issuer.threads().for_each(|thread| match waits {
            true => grids.wait(parts.clocks, issuer.block.rank, thread),
            false => grids.let_begin(parts.clocks, issuer.block.rank, thread),
        }),
    }
    Ok(())
}

fn try_cancel(
    parts: &mut Parts<'_, '_>,
    registers: &Registers,
    (issuer, lane): (&Issuer, u32),
    [address, barrier]: [u64; 2],
    multicast: bool,
) -> Result<(), FindingKind> {
    // The remaining clusters of the grid are shared state of all clusters.
    parts.journal.meets_others();
    let machine = parts.machine();
    let response = response(machine.cancel(issuer.executed));
    let own = issuer.block.rank;
    let ranks = if multicast { 0..machine.cluster_blocks() } else { own..own + 1 };
    for rank in ranks {
        let space = if rank == own { SHARED } else { CLUSTER };
        let (address, barrier) = (in_block(address, rank.into()), in_block(barrier, rank.into()));
        let to = parts.span(&[], address, space, RESPONSE as u64, RESPONSE as u64)?;
        let counts = parts.span(&[], barrier, space, BYTES as u64, BYTES as u64)?;
        watch_barrier(parts, registers, (issuer, lane), counts, AccessKind::Atomic);
        if !parts.engine.barriers.are_at(counts.start) {
            return Err(misused(parts.scene(), counts.start, MbarrierMisuse::Uninitialised));
        }
        if let Some((delta, state)) = parts.shared.bytes().taken(to.start, RESPONSE) {
            return Err(parts.state_finding((to, delta), state));
        }
        let agent = parts.engine.landings.agent(counts.start, parts.clocks);
        let issued = issuer.issued(parts.clocks, lane);
        let view = parts.view(issued.thread);
        let who = issuer.who(parts.scene(), SHARED, AccessKind::AsyncWrite, Reach::default());
        let (time, needs) = (issued.time, Needs::FenceOfReads);
        let acting = Acting { who, lane, agent, time, view: &view, needs };
        parts.watch_transfer(to, (to.start, RESPONSE), &acting);
        let landed = Landed { issued, barrier: counts.start, phase: None, rank };
        parts.engine.landings.begin(agent, landed);
        let payload = Payload::Response { at: to.start, response };
        deliver(parts, Landing { issued, payload, barrier: counts.start, agent })?;
    }
    Ok(())
}
