//! Arrivals and waits.

use super::arrivals::{BARRIERS, Last, Partakers};
use super::op::BarrierOp;
use crate::events::Event;
use crate::finding::{FindingKind, LaneFinding};
use crate::lanes::lanes_of;
use crate::machine::WARP;
use crate::machine::cluster::Cluster;
use crate::machine::warp::{Flow, Wait, Warp};
use crate::operand::Slot;

impl Warp {
    /// Executes a barrier of the block or of the warp.
    pub(crate) fn at_barrier(
        &mut self,
        cluster: &mut Cluster<'_>,
        op: BarrierOp,
        active: u32,
    ) -> Result<Flow, LaneFinding> {
        let kernel = cluster.machine.kernel;
        match op {
            BarrierOp::Wait { id, threads, reduction, .. } => {
                if let Some(reduction) = reduction {
                    self.registers.defined(kernel, reduction.predicate, active, "predicate")?;
                }
                self.tells_order(cluster, active);
                self.enter_barrier(cluster, id, threads, active)?;
                Ok(Flow::Apart)
            }
            BarrierOp::Arrive { id, threads, aligned } => {
                if self.may_run(aligned, active) {
                    self.arrive(cluster, id, threads, active)?;
                    return Ok(Flow::Next);
                }
                self.in_groups(self.lanes.done(), cluster, None, active, |warp, cluster, lanes| {
                    warp.arrive(cluster, id, threads, lanes)
                })
            }
            BarrierOp::Warp { mask } => {
                self.registers.defined(kernel, mask, active, "lane mask")?;
                self.enter_warp_barrier(cluster, mask, active)?;
                Ok(Flow::Apart)
            }
        }
    }

    /// Number of a barrier, and the threads it completes with, in one lane.
    fn barrier(
        &self,
        cluster: &Cluster<'_>,
        id: Option<Slot>,
        threads: Option<Slot>,
        lane: u32,
    ) -> Result<(u32, u32), LaneFinding> {
        let value = |slot: Slot| self.registers.get(slot)[lane as usize] as u32;
        let all: u32 = cluster.machine.threads();
        let (id, count) = (id.map_or(0, value), threads.map_or(all, value));
        if id >= BARRIERS || (threads.is_some() && (count == 0 || !count.is_multiple_of(WARP))) {
            return Err(LaneFinding { lane, kind: FindingKind::Barrier { id, threads: count } });
        }
        Ok((id, count))
    }

    fn barrier_operands(
        &self,
        cluster: &Cluster<'_>,
        id: Option<Slot>,
        threads: Option<Slot>,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let kernel = cluster.machine.kernel;
        id.map_or(Ok(()), |slot| self.registers.defined(kernel, slot, active, "barrier number"))?;
        threads.map_or(Ok(()), |slot| self.registers.defined(kernel, slot, active, "number of threads"))
    }

    fn enter_barrier(
        &mut self,
        cluster: &Cluster<'_>,
        id: Option<Slot>,
        threads: Option<Slot>,
        active: u32,
    ) -> Result<(), LaneFinding> {
        self.barrier_operands(cluster, id, threads, active)?;
        for lane in lanes_of(active) {
            let (id, threads) = self.barrier(cluster, id, threads, lane)?;
            self.admitted(cluster, id, (1 << lane, true))?;
            self.lanes.wait(1 << lane, |_| Wait::Barrier { id, threads });
        }
        Ok(())
    }

    /// Checks that lanes do not fill a barrier twice, and that they cannot take part in a use that
    /// others meant for themselves.
    fn admitted(&self, cluster: &Cluster<'_>, id: u32, lanes: (u32, bool)) -> Result<(), LaneFinding> {
        let (active, waits) = lanes;
        let partakers = Partakers { first: self.thread(0), exists: self.lanes.exists(), active, waits };
        let arrivals = cluster.barriers[cluster.scene().block().rank as usize].of(id);
        arrivals.admits(partakers, &cluster.clocks, cluster.machine.relaxes_mbarriers).map_err(
            |(lane, last)| {
                let kind = match last {
                    Some(Last { waited, site, .. }) => shared(cluster, id, waited[0], *site),
                    None => FindingKind::BarrierFilled { id },
                };
                LaneFinding { lane, kind }
            },
        )
    }

    fn arrive(
        &mut self,
        cluster: &mut Cluster<'_>,
        id: Option<Slot>,
        threads: Slot,
        active: u32,
    ) -> Result<(), LaneFinding> {
        self.barrier_operands(cluster, id, Some(threads), active)?;
        let first = active.trailing_zeros();
        let (id, expected) = self.barrier(cluster, id, Some(threads), first)?;
        self.admitted(cluster, id, (active, false))?;
        let members: Vec<u32> = lanes_of(active).map(|lane| self.thread(lane)).collect();
        let rank = cluster.scene().block().rank as usize;
        let (before, site) = cluster.barriers[rank].of_mut(id).expect(expected, self.lanes.at());
        if before != expected {
            return Err(LaneFinding { lane: first, kind: counts(cluster, id, expected, before, site) });
        }
        cluster.journal.tell(|_| Event::ArrivesAtBarrier { act: self.act(active), id });
        cluster.journal.changes_softly();
        let Cluster { barriers, clocks, engine, .. } = cluster;
        barriers[rank].of_mut(id).add(&members, clocks, engine.course.as_deref());
        Ok(())
    }

    fn enter_warp_barrier(
        &mut self,
        cluster: &mut Cluster<'_>,
        mask: Slot,
        active: u32,
    ) -> Result<(), LaneFinding> {
        let masks = *self.registers.get(mask);
        for lane in lanes_of(active) {
            let mask = masks[lane as usize] as u32;
            if mask >> lane & 1 == 0 {
                let kind = FindingKind::LaneMask { mask, what: "the lane itself is not in it".into() };
                return Err(LaneFinding { lane, kind });
            }
            self.lanes.wait(1 << lane, |_| Wait::Warp { mask });
        }
        lanes_of(active).for_each(|lane| self.meet(cluster, lane));
        Ok(())
    }

    /// Lets the lanes continue that wait at a barrier of the warp with this one, if all of its mask
    /// do. Lanes that have returned cannot, and devices go on without them.
    pub(crate) fn meet(&mut self, cluster: &mut Cluster<'_>, lane: u32) {
        let Some(Wait::Warp { mask }) = self.lanes.wait_of(lane) else { return };
        let members = mask & self.lanes.exists() & !self.lanes.done();
        if lanes_of(members).any(|l| self.lanes.wait_of(l) != Some(Wait::Warp { mask })) {
            return;
        }
        let returned = mask & self.lanes.done();
        if returned != 0 {
            let thread = cluster.scene().thread(self.thread(returned.trailing_zeros()));
            let kind = FindingKind::ReturnedLanes { mask, returned, thread };
            cluster.journal.remark(self.lanes.pc(lane), self.thread(lane), kind);
        }
        let threads: Vec<u32> = lanes_of(members).map(|l| self.thread(l)).collect();
        cluster.clocks.meet(&threads);
        if self.marks.has_learned() {
            let (issuer, is_whole) = (self.issuer(members), self.lanes.is_whole(members));
            self.marks.meet_lanes(cluster.engine.course.as_deref_mut(), &issuer, is_whole);
        }
        self.lanes.resume(members);
    }
}

/// The finding that a thread may take part in a use of a barrier in which `thread` waited there.
pub(super) fn shared(cluster: &Cluster<'_>, id: u32, thread: u32, site: u32) -> FindingKind {
    let (op, location) = cluster.scene().site(site);
    FindingKind::BarrierShared { id, thread: cluster.scene().thread(thread), op, location }
}

/// The finding that a barrier is used with different numbers of threads.
pub(super) fn counts(cluster: &Cluster<'_>, id: u32, threads: u32, other: u32, site: u32) -> FindingKind {
    let (op, location) = cluster.scene().site(site);
    FindingKind::BarrierCounts { id, threads, other, op, location }
}
