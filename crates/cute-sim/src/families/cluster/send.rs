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
use crate::machine::cluster::Cluster;
use crate::machine::warp::Warp;
use crate::memory::address::{CLUSTER, SHARED};
use crate::memory::span::Span;
use crate::operand::Slot;
use crate::race::{Acting, Needs, Reach, Scope};

/// The values that lanes send and that one barrier counts.
struct Parcel {
    barrier: Span,
    /// Each lane, and the destination of its values.
    lanes: Vec<(u32, Span)>,
}

impl Warp {
    pub(super) fn send_values(
        &mut self,
        cluster: &mut Cluster<'_>,
        remote: &Remote,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let kernel = cluster.machine.kernel;
        self.registers.defined(kernel, remote.address, active, "address")?;
        self.registers.defined(kernel, remote.barrier, active, "address of the mbarrier")?;
        for value in &remote.values {
            self.registers.defined_bits(kernel, (*value, remote.scalar.bits()), active, "value")?;
        }
        let mut parcels: Vec<Parcel> = Vec::new();
        for lane in lanes_of(active) {
            let target = self.target(cluster, remote, lane).map_err(|kind| LaneFinding { lane, kind })?;
            let (barrier, to) = target;
            match parcels.iter_mut().find(|parcel| parcel.barrier == barrier) {
                Some(parcel) => parcel.lanes.push((lane, to)),
                None => parcels.push(Parcel { barrier, lanes: vec![(lane, to)] }),
            }
        }
        for parcel in parcels {
            self.send(cluster, remote, &parcel)
                .map_err(|kind| LaneFinding { lane: parcel.lanes[0].0, kind })?;
        }
        Ok(())
    }

    /// The destination of a lane's values, and the barrier that counts them.
    fn target(
        &self,
        cluster: &mut Cluster<'_>,
        remote: &Remote,
        lane: u32,
    ) -> Result<(Span, Span), FindingKind> {
        let get = |slot: Slot| self.registers.get(slot)[lane as usize];
        let bytes = remote.bytes() as u64;
        let to = cluster.span(&[], get(remote.address), CLUSTER, bytes, bytes)?;
        let barrier = cluster.span(&[], get(remote.barrier), CLUSTER, BYTES as u64, BYTES as u64)?;
        let [target, of_barrier] = [to, barrier].map(|span| cluster.shared.rank_of(span.start));
        if target != of_barrier {
            let rule = BulkRule::BarrierElsewhere { target, barrier: of_barrier };
            return Err(FindingKind::BulkCopy { rule });
        }
        watch_barrier(
            &mut cluster.parts(),
            &self.registers,
            (&self.issuer(1 << lane), lane),
            barrier,
            AccessKind::Atomic,
        );
        if !cluster.engine.barriers.are_at(barrier.start) {
            return Err(misused(cluster.scene(), barrier.start, MbarrierMisuse::Uninitialised));
        }
        if let Some((delta, state)) = cluster.shared.bytes().taken(to.start, bytes as usize) {
            return Err(cluster.state_finding(&[], to, delta, state));
        }
        Ok((barrier, to))
    }

    fn send(
        &self,
        cluster: &mut Cluster<'_>,
        remote: &Remote,
        Parcel { barrier, lanes }: &Parcel,
    ) -> Result<(), FindingKind> {
        let size = remote.scalar.bytes() as usize;
        let agent = cluster.engine.landings.agent(barrier.start, &mut cluster.clocks);
        let issued = self.issuer(0).issued(&mut cluster.clocks, lanes[0].0);
        let (kind, reach) = match remote.update {
            None => (AccessKind::Copy, Reach::default()),
            Some(_) => (AccessKind::Atomic, Reach { width: size as u8, scope: Scope::Cluster }),
        };
        let mut values = Vec::new();
        for (lane, to) in lanes {
            let who = self.who(cluster, SHARED, self.lanes.at(), kind, reach);
            let view = cluster.parts().view(self.thread(*lane));
            let (time, needs) = (issued.time, Needs::Order);
            let acting = Acting { who, lane: *lane, agent, time, view: &view, needs };
            cluster.parts().watch_transfer(*to, (to.start, remote.bytes()), &acting);
            for (i, slot) in remote.values.iter().enumerate() {
                values
                    .push(Value { at: to.start + i * size, bits: self.registers.get(*slot)[*lane as usize] });
            }
        }
        if let Some(course) = &mut cluster.engine.course {
            lanes.iter().for_each(|(lane, _)| course.send(agent, self.thread(*lane)));
        }
        let rank = cluster.shared.rank_of(barrier.start);
        let landed = Landed { issued, barrier: barrier.start, phase: None, rank };
        cluster.engine.landings.begin(agent, landed);
        let payload = Payload::Values { values: values.into(), scalar: remote.scalar, update: remote.update };
        deliver(&mut cluster.parts(), Landing { issued, payload, barrier: barrier.start, agent })
    }
}
