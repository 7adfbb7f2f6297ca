//! Arrivals at the barrier of a cluster, waits there, and their ends.

use super::address::{block_rank, map_address};
use super::op::ClusterOp;
use super::rules::ClusterBarrierMisuse;
use super::send::send_values;
use crate::events::Event;
use crate::finding::{FindingKind, LaneFinding};
use crate::lanes::lanes_of;
use crate::machine::issuer::Issuer;
use crate::machine::issuing::{Issuing, Stopping};
use crate::machine::parts::{Meetings, Parts};
use crate::machine::warp::{Flow, Wait, Warp};
use crate::race::Scope;
use crate::registers::Registers;

/// Executes an operation at the barrier of the cluster.
pub(crate) fn at_rendezvous(
    meetings: &mut Meetings<'_, '_>,
    warp: &mut Stopping<'_>,
    op: &ClusterOp,
) -> Result<Flow, LaneFinding> {
    let active = warp.own.issuer.lanes;
    match *op {
        ClusterOp::Arrive { relaxed, aligned } => {
            if !warp.lanes.may_run(aligned, active) {
                let done = warp.lanes.done();
                return warp
                    .together_but(done, meetings, None, |own, meetings| arrive(meetings, own, relaxed));
            }
            arrive(meetings, &mut warp.own, relaxed)?;
            Ok(Flow::Next)
        }
        ClusterOp::Wait { aligned } => {
            if warp.lanes.may_run(aligned, active) {
                wait(meetings, warp)?;
                return Ok(Flow::Apart);
            }
            let (kernel, done) = (meetings.scene().machine().kernel, warp.lanes.done());
            for lanes in warp.lanes.gather(warp.own.registers, kernel, None, active, done)? {
                warp.own.issuer = warp.own.issuer.only(lanes);
                wait(meetings, warp)?;
            }
            Ok(Flow::Apart)
        }
        ClusterOp::Rank { .. } | ClusterOp::Map { .. } | ClusterOp::Send(_) => {
            unreachable!("it is not executed at the barrier")
        }
    }
}

/// Executes another operation among the blocks of a cluster.
pub(crate) fn elsewhere(
    parts: &mut Parts<'_, '_>,
    registers: &mut Registers,
    issuer: &Issuer,
    op: &ClusterOp,
) -> Result<(), LaneFinding> {
    match *op {
        ClusterOp::Rank { dst, address, generic } => {
            block_rank(registers, parts.scene(), dst, (address, generic), issuer.lanes)
        }
        ClusterOp::Map { dst, address, rank } => {
            map_address(registers, parts.machine(), dst, (address, rank), issuer.lanes)
        }
        ClusterOp::Send(ref remote) => send_values(parts, registers, issuer, remote),
        ClusterOp::Arrive { .. } | ClusterOp::Wait { .. } => unreachable!("it is executed at the barrier"),
    }
}

fn arrive(meetings: &mut Meetings<'_, '_>, own: &mut Issuing<'_>, relaxed: bool) -> Result<(), LaneFinding> {
    let Issuing { at_cluster, issuer, .. } = own;
    if let Some(lane) = lanes_of(issuer.lanes & at_cluster.expected()).next() {
        let kind = FindingKind::ClusterBarrier { misuse: ClusterBarrierMisuse::ArrivesTwice };
        return Err(LaneFinding { lane, kind });
    }
    let Meetings { rendezvous, clocks, engine, journal, .. } = meetings;
    journal.tell(|_| Event::ArrivesAtCluster { act: issuer.act() });
    at_cluster.arrive(issuer.lanes);
    journal.changes_softly();
    let members: Vec<u32> = issuer.threads().collect();
    rendezvous.arrive(&members, engine.course.as_deref());
    if !relaxed {
        rendezvous.publish(&members, clocks);
        return Ok(());
    }
    for thread in members {
        // After the fence, any thread that synchronises knows that the barriers are initialised.
        if let Some(fenced) = engine.barriers.fence_of(thread) {
            rendezvous.pass_on_agent(clocks, fenced);
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

fn wait(meetings: &mut Meetings<'_, '_>, warp: &mut Stopping<'_>) -> Result<(), LaneFinding> {
    let Stopping { lanes, own: Issuing { at_cluster, issuer, .. } } = warp;
    let active = issuer.lanes;
    if let Some(lane) = lanes_of(active & !at_cluster.expected()).next() {
        let kind = FindingKind::ClusterBarrier { misuse: ClusterBarrierMisuse::WaitsFirst };
        return Err(LaneFinding { lane, kind });
    }
    meetings.journal.tell(|_| Event::Orders { act: issuer.act() });
    lanes.wait(active, |_| Wait::Cluster);
    let through = active & at_cluster.through();
    pass(meetings, warp, through);
    Ok(())
}

/// Releases waiting lanes whose phase is complete.
fn pass(meetings: &mut Meetings<'_, '_>, warp: &mut Stopping<'_>, through: u32) {
    let Meetings { rendezvous, clocks, engine, .. } = meetings;
    let Stopping { lanes, own: Issuing { marks, at_cluster, issuer, .. } } = warp;
    let threads = || issuer.only(through).threads();
    let (known, past) = rendezvous.completed();
    if let Some(known) = known {
        clocks.acquire_all(threads(), known);
    }
    if let Some(course) = &mut engine.course {
        course.learn(threads(), past);
    }
    engine.tensor_order.tell_of_returned(threads());
    marks.learn(through != 0 && engine.course.is_some());
    if through != 0 {
        rendezvous.meet(clocks, issuer.block.rank);
    }
    at_cluster.leave(through);
    lanes.resume(through);
}

impl Meetings<'_, '_> {
    /// Completes the phase of the cluster's barrier once all threads that have not exited have
    /// arrived.
    pub(crate) fn settle_rendezvous(&mut self, warps: &mut [Warp]) {
        let absent = |w: &Warp| w.lanes.exists() & !w.lanes.done() & w.at_cluster.absent() != 0;
        if self.rendezvous.is_empty() || warps.iter().any(absent) {
            return;
        }
        self.journal.completes_barrier();
        self.rendezvous.complete(self.clocks);
        let returned = warps.iter().filter(|w| w.lanes.exists() & !w.lanes.done() == 0).map(|w| w.thread(0));
        self.engine.tensor_order.note_returned(self.clocks, returned);
        for warp in warps {
            warp.at_cluster.complete();
            let waiting = lanes_of(warp.lanes.stopped())
                .filter(|lane| warp.lanes.wait_of(*lane) == Some(Wait::Cluster))
                .fold(0, |m, lane| m | 1 << lane);
            pass(self, &mut warp.stopping(waiting), waiting);
        }
    }
}
