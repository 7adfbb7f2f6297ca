//! Arrivals and waits.

use super::arrivals::{BARRIERS, Last, Partakers};
use super::op::BarrierOp;
use crate::events::Event;
use crate::finding::{FindingKind, LaneFinding};
use crate::lanes::lanes_of;
use crate::machine::WARP;
use crate::machine::issuer::Issuer;
use crate::machine::issuing::{Issuing, Stopping};
use crate::machine::parts::Meetings;
use crate::machine::scene::Scene;
use crate::machine::warp::{Flow, Wait};
use crate::operand::Slot;
use crate::program::Kernel;
use crate::registers::Registers;

/// Executes a barrier of the block or of the warp.
pub(crate) fn at_barrier(
    meetings: &mut Meetings<'_, '_>,
    warp: &mut Stopping<'_>,
    op: BarrierOp,
) -> Result<Flow, LaneFinding> {
    let kernel = meetings.scene().machine().kernel;
    let active = warp.own.issuer.lanes;
    match op {
        BarrierOp::Wait { id, threads, reduction, .. } => {
            if let Some(reduction) = reduction {
                warp.own.registers.defined(kernel, reduction.predicate, active, "predicate")?;
            }
            meetings.journal.tell(|_| Event::Orders { act: warp.own.issuer.act() });
            enter(meetings, warp, id, threads)?;
            Ok(Flow::Apart)
        }
        BarrierOp::Arrive { id, threads, aligned } => {
            if warp.lanes.may_run(aligned, active) {
                arrive(meetings, &warp.own, id, threads)?;
                return Ok(Flow::Next);
            }
            let done = warp.lanes.done();
            warp.together_but(done, meetings, None, |own, meetings| arrive(meetings, own, id, threads))
        }
        BarrierOp::Warp { mask } => {
            warp.own.registers.defined(kernel, mask, active, "lane mask")?;
            enter_of_warp(meetings, warp, mask)?;
            Ok(Flow::Apart)
        }
    }
}

/// Number of a barrier, and the threads it completes with, in one lane.
fn barrier(
    registers: &Registers,
    all: u32,
    id: Option<Slot>,
    threads: Option<Slot>,
    lane: u32,
) -> Result<(u32, u32), LaneFinding> {
    let value = |slot: Slot| registers.get(slot)[lane as usize] as u32;
    let (id, count) = (id.map_or(0, value), threads.map_or(all, value));
    if id >= BARRIERS || (threads.is_some() && (count == 0 || !count.is_multiple_of(WARP))) {
        return Err(LaneFinding { lane, kind: FindingKind::Barrier { id, threads: count } });
    }
    Ok((id, count))
}

fn are_defined(
    registers: &Registers,
    kernel: &Kernel,
    id: Option<Slot>,
    threads: Option<Slot>,
    active: u32,
) -> Result<(), LaneFinding> {
    id.map_or(Ok(()), |slot| registers.defined(kernel, slot, active, "barrier number"))?;
    threads.map_or(Ok(()), |slot| registers.defined(kernel, slot, active, "number of threads"))
}

fn enter(
    meetings: &Meetings<'_, '_>,
    warp: &mut Stopping<'_>,
    id: Option<Slot>,
    threads: Option<Slot>,
) -> Result<(), LaneFinding> {
    let Stopping { lanes, own: Issuing { registers, issuer, .. } } = warp;
    let machine = meetings.scene().machine();
    are_defined(registers, machine.kernel, id, threads, issuer.lanes)?;
    for lane in lanes_of(issuer.lanes) {
        let (id, threads) = barrier(registers, machine.threads(), id, threads, lane)?;
        admitted(meetings, &issuer.only(1 << lane), id, true)?;
        lanes.wait(1 << lane, |_| Wait::Barrier { id, threads });
    }
    Ok(())
}

/// Checks that lanes do not fill a barrier twice, and that they cannot take part in a use that
/// others meant for themselves.
fn admitted(meetings: &Meetings<'_, '_>, issuer: &Issuer, id: u32, waits: bool) -> Result<(), LaneFinding> {
    let (scene, clocks) = (meetings.scene(), &*meetings.clocks);
    let Issuer { first, exists, lanes: active, .. } = *issuer;
    let partakers = Partakers { first, exists, active, waits };
    let admitted = meetings.own().of(id).admits(partakers, clocks, scene.machine().relaxes_mbarriers);
    admitted.map_err(|(lane, last)| {
        let kind = match last {
            Some(Last { waited, site, .. }) => shared(scene, id, waited[0], *site),
            None => FindingKind::BarrierFilled { id },
        };
        LaneFinding { lane, kind }
    })
}

fn arrive(
    meetings: &mut Meetings<'_, '_>,
    own: &Issuing<'_>,
    id: Option<Slot>,
    threads: Slot,
) -> Result<(), LaneFinding> {
    let Issuing { registers, issuer, .. } = own;
    let machine = meetings.scene().machine();
    are_defined(registers, machine.kernel, id, Some(threads), issuer.lanes)?;
    let first = issuer.lanes.trailing_zeros();
    let (id, expected) = barrier(registers, machine.threads(), id, Some(threads), first)?;
    admitted(meetings, issuer, id, false)?;
    let members: Vec<u32> = issuer.threads().collect();
    let (before, site) = meetings.own_mut().of_mut(id).expect(expected, issuer.site);
    if before != expected {
        let kind = counts(meetings.scene(), id, expected, before, site);
        return Err(LaneFinding { lane: first, kind });
    }
    let Meetings { barriers, clocks, engine, journal, .. } = meetings;
    journal.tell(|_| Event::ArrivesAtBarrier { act: issuer.act(), id });
    journal.changes_softly();
    let own = &mut barriers[journal.scene().block().rank as usize];
    own.of_mut(id).add(&members, clocks, engine.course.as_deref());
    Ok(())
}

fn enter_of_warp(
    meetings: &mut Meetings<'_, '_>,
    warp: &mut Stopping<'_>,
    mask: Slot,
) -> Result<(), LaneFinding> {
    let masks = *warp.own.registers.get(mask);
    let active = warp.own.issuer.lanes;
    for lane in lanes_of(active) {
        let mask = masks[lane as usize] as u32;
        if mask >> lane & 1 == 0 {
            let kind = FindingKind::LaneMask { mask, what: "the lane itself is not in it".into() };
            return Err(LaneFinding { lane, kind });
        }
        warp.lanes.wait(1 << lane, |_| Wait::Warp { mask });
    }
    lanes_of(active).for_each(|lane| meetings.meet_lanes(warp, lane));
    Ok(())
}

impl Meetings<'_, '_> {
    /// Lets the lanes continue that wait at a barrier of the warp with this one, if all of its mask
    /// do. Lanes that have returned cannot, and devices go on without them.
    pub(crate) fn meet_lanes(&mut self, warp: &mut Stopping<'_>, lane: u32) {
        let Stopping { lanes, own: Issuing { marks, issuer, .. } } = warp;
        let Some(Wait::Warp { mask }) = lanes.wait_of(lane) else { return };
        let members = mask & lanes.exists() & !lanes.done();
        if lanes_of(members).any(|l| lanes.wait_of(l) != Some(Wait::Warp { mask })) {
            return;
        }
        let returned = mask & lanes.done();
        if returned != 0 {
            let thread = self.scene().thread(issuer.thread(returned.trailing_zeros()));
            let kind = FindingKind::ReturnedLanes { mask, returned, thread };
            self.journal.remark(lanes.pc(lane), issuer.thread(lane), kind);
        }
        let members = issuer.only(members);
        let threads: Vec<u32> = members.threads().collect();
        self.clocks.meet(&threads);
        if marks.has_learned() {
            let is_whole = lanes.is_whole(members.lanes);
            marks.meet_lanes(self.engine.course.as_deref_mut(), &members, is_whole);
        }
        lanes.resume(members.lanes);
    }
}

/// The finding that a thread may take part in a use of a barrier in which `thread` waited there.
pub(super) fn shared(scene: &Scene<'_>, id: u32, thread: u32, site: u32) -> FindingKind {
    let (op, location) = scene.site(site);
    FindingKind::BarrierShared { id, thread: scene.thread(thread), op, location }
}

/// The finding that a barrier is used with different numbers of threads.
pub(super) fn counts(scene: &Scene<'_>, id: u32, threads: u32, other: u32, site: u32) -> FindingKind {
    let (op, location) = scene.site(site);
    FindingKind::BarrierCounts { id, threads, other, op, location }
}
