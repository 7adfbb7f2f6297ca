//! `st.async` and `red.async`: values that threads send to the shared memory of a cluster, where a
//! barrier counts their bytes.

use super::op::Remote;
use crate::agents::landing::deliver;
use crate::engine::landing::{Landed, Landing, Payload, Value};
use crate::families::mbarrier::at::watch_barrier;
use crate::families::mbarrier::barrier::BYTES;
use crate::families::mbarrier::misused::misused;
use crate::finding::{AccessKind, BulkRule, FindingKind, LaneFinding, MbarrierMisuse};
use crate::lanes::lanes_of;
use crate::machine::issuer::Issuer;
use crate::machine::parts::Parts;
use crate::memory::address::{CLUSTER, SHARED};
use crate::memory::span::Span;
use crate::operand::Slot;
use crate::race::{Acting, Needs, Reach, Scope};
use crate::registers::Registers;

/// The values that lanes send and that one barrier counts.
struct Parcel {
    barrier: Span,
    /// Each lane, and the destination of its values.
    lanes: Vec<(u32, Span)>,
}

pub(super) fn send_values(
    parts: &mut Parts<'_, '_>,
    registers: &Registers,
    issuer: &Issuer,
    remote: &Remote,
) -> Result<(), LaneFinding> {
    let (kernel, active) = (parts.machine().kernel, issuer.lanes);
    registers.defined(kernel, remote.address, active, "address")?;
    registers.defined(kernel, remote.barrier, active, "address of the mbarrier")?;
    for value in &remote.values {
        registers.defined_bits(kernel, (*value, remote.scalar.bits()), active, "value")?;
    }
    let mut parcels: Vec<Parcel> = Vec::new();
    for lane in lanes_of(active) {
        let target = target(parts, registers, (issuer, lane), remote);
        let (barrier, to) = target.map_err(|kind| LaneFinding { lane, kind })?;
        match parcels.iter_mut().find(|parcel| parcel.barrier == barrier) {
            Some(parcel) => parcel.lanes.push((lane, to)),
            None => parcels.push(Parcel { barrier, lanes: vec![(lane, to)] }),
        }
    }
    for parcel in parcels {
        send(parts, registers, issuer, remote, &parcel)
            .map_err(|kind| LaneFinding { lane: parcel.lanes[0].0, kind })?;
    }
    Ok(())
}

/// The destination of a lane's values, and the barrier that counts them.
fn target(
    parts: &mut Parts<'_, '_>,
    registers: &Registers,
    (issuer, lane): (&Issuer, u32),
    remote: &Remote,
) -> Result<(Span, Span), FindingKind> {
    let get = |slot: Slot| registers.get(slot)[lane as usize];
    let bytes = remote.bytes() as u64;
    let to = parts.span(&[], get(remote.address), CLUSTER, bytes, bytes)?;
    let barrier = parts.span(&[], get(remote.barrier), CLUSTER, BYTES as u64, BYTES as u64)?;
    let [target, of_barrier] = [to, barrier].map(|span| parts.shared.rank_of(span.start));
    if target != of_barrier {
        let rule = BulkRule::BarrierElsewhere { target, barrier: of_barrier };
        return Err(FindingKind::BulkCopy { rule });
    }
    watch_barrier(parts, registers, (issuer, lane), barrier, AccessKind::Atomic);
    if !parts.engine.barriers.are_at(barrier.start) {
        return Err(misused(parts.scene(), barrier.start, MbarrierMisuse::Uninitialised));
    }
    if let Some((delta, state)) = parts.shared.bytes().taken(to.start, bytes as usize) {
        return Err(parts.state_finding((to, delta), state));
    }
    Ok((barrier, to))
}

fn send(
    parts: &mut Parts<'_, '_>,
    registers: &Registers,
    issuer: &Issuer,
    remote: &Remote,
    Parcel { barrier, lanes }: &Parcel,
) -> Result<(), FindingKind> {
    let size = remote.scalar.bytes() as usize;
    let agent = parts.engine.landings.agent(barrier.start, parts.clocks);
    let issued = issuer.issued(parts.clocks, lanes[0].0);
    let (kind, reach) = match remote.update {
        None => (AccessKind::Copy, Reach::default()),
        Some(_) => (AccessKind::Atomic, Reach { width: size as u8, scope: Scope::Cluster }),
    };
    let mut values = Vec::new();
    for (lane, to) in lanes {
        let who = issuer.who(parts.scene(), SHARED, kind, reach);
        let view = parts.view(issuer.thread(*lane));
        let (time, needs) = (issued.time, Needs::Order);
        let acting = Acting { who, lane: *lane, agent, time, view: &view, needs };
        parts.watch_transfer(*to, (to.start, remote.bytes()), &acting);
        for (i, slot) in remote.values.iter().enumerate() {
            values.push(Value { at: to.start + i * size, bits: registers.get(*slot)[*lane as usize] });
        }
    }
    if let Some(course) = &mut parts.engine.course {
        lanes.iter().for_each(|(lane, _)| course.send(agent, issuer.thread(*lane)));
    }
    let rank = parts.shared.rank_of(barrier.start);
    let landed = Landed { issued, barrier: barrier.start, phase: None, rank };
    parts.engine.landings.begin(agent, landed);
    let payload = Payload::Values { values: values.into(), scalar: remote.scalar, update: remote.update };
    deliver(parts, Landing { issued, payload, barrier: barrier.start, agent })
}
