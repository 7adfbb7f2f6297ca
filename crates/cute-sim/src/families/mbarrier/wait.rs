//! Waits for phases.

use super::at::AtBarriers;
use super::barrier::{Awaited, Mbarrier};
use super::checks::note_wait;
use super::missed::{ask_for_phases, is_told};
use super::misused::misused;
use super::op::{AwaitedBy, BarrierWait, Blocking};
use crate::engine::Engine;
use crate::events::Event;
use crate::finding::{AccessKind, FindingKind, LaneFinding, MbarrierMisuse};
use crate::lanes::lanes_of;
use crate::machine::device::Machine;
use crate::machine::issuer::Issuer;
use crate::machine::issuing::{Issuing, Stopping};
use crate::machine::parts::Parts;
use crate::machine::warp::Wait;
use crate::program::Op;
use crate::race::{Clocks, Scope};
use crate::registers::Registers;

/// The lanes of a wait whose phases are not complete.
pub(crate) struct Waiting {
    pub(crate) lanes: u32,
    /// The instruction answers that they are not, instead of waiting.
    pub(crate) answers: bool,
    /// For each lane.
    waits: [(usize, Awaited); 32],
    timed: bool,
}

impl Waiting {
    pub(crate) fn of(&self, lane: usize) -> Wait {
        let (barrier, awaited) = self.waits[lane];
        Wait::Phase { barrier, awaited, timed: self.timed }
    }
}

/// Asks for phases. Returns the lanes whose phases are not complete, and whether the warp has
/// learned something from those that are.
pub(crate) fn wait(
    at: &mut AtBarriers<'_, '_, '_>,
    wait: BarrierWait,
) -> Result<(Option<Waiting>, bool), LaneFinding> {
    let BarrierWait { awaited: by, blocking, dst, relaxed, scope, ignored } = wait;
    let slot = match by {
        AwaitedBy::Parity(slot) | AwaitedBy::Token(slot) => slot,
    };
    let (machine, issuer) = (at.parts.machine(), *at.issuer);
    at.registers.defined(machine.kernel, slot, issuer.lanes, "phase")?;
    let awaited = |registers: &Registers, lane: usize| match by {
        AwaitedBy::Parity(slot) => Awaited::Parity(registers.get(slot)[lane] as u32),
        AwaitedBy::Token(slot) => Awaited::Phase(Mbarrier::phase_of(registers.get(slot)[lane])),
    };
    let lasts = machine.lasts(issuer.site);
    let mut has_learned = false;
    let mut is_over = |parts: &mut Parts<'_, '_>, (place, phase, lanes): (usize, Awaited, u32)| {
        let Parts { clocks, engine, journal, .. } = parts;
        let issuer = issuer.only(lanes);
        phase_is_over(machine, (engine, clocks), &issuer, (place, phase), (relaxed, scope));
        has_learned |= is_told(engine, &issuer, (place, phase), lasts);
        journal.tell(|_| Event::Finds { act: issuer.act(), barrier: place });
    };
    // Lanes that wait for one phase learn of it together.
    let mut over: Option<(usize, Awaited, u32)> = None;
    let (mut answers, mut waiting, mut at_barrier) = ([0; 32], 0, [0; 32]);
    at.each(issuer.lanes, AccessKind::AtomicRead, &mut |parts, registers, at, lane| {
        let scene = parts.scene();
        let own = parts.shared.rank_of(at) == issuer.block.rank;
        if !own {
            return Err(FindingKind::OtherBlock { place: scene.barrier_place(at).0 });
        }
        let awaited = awaited(registers, lane as usize);
        let Some(barrier) = parts.engine.barriers.get(at) else {
            return Err(misused(scene, at, MbarrierMisuse::Uninitialised));
        };
        let found = barrier.has_completed(awaited);
        if ignored && blocking == Blocking::Try {
            return Err(misused(scene, at, MbarrierMisuse::Ignored));
        }
        let who = (issuer.thread(lane), issuer.site);
        let Parts { clocks, engine, journal, .. } = &mut *parts;
        note_wait(&mut engine.barriers, (journal.scene(), clocks), at, who, found)?;
        // A test whose answer is dropped may have found anything.
        if ignored {
            return Ok(());
        }
        at_barrier[lane as usize] = at;
        if !found {
            waiting |= 1 << lane;
            return Ok(());
        }
        answers[lane as usize] = 1;
        over = Some(match over.take() {
            Some((place, phase, lanes)) if (place, phase) == (at, awaited) => {
                (at, awaited, lanes | 1 << lane)
            }
            Some(before) => {
                is_over(parts, before);
                (at, awaited, 1 << lane)
            }
            None => (at, awaited, 1 << lane),
        });
        Ok(())
    })?;
    let AtBarriers { parts, registers, .. } = at;
    if let Some(last) = over {
        is_over(parts, last);
    }
    if lasts {
        ask_for_phases(&mut parts.engine.barriers, &issuer.only(waiting), &at_barrier);
    }
    // A `try_wait` may answer at any time.
    let when = u64::from(issuer.first) << 40 ^ issuer.executed;
    let may_answer = matches!(by, AwaitedBy::Token(_)) || lasts;
    let early = || parts.engine.schedule.answers_at_once(when, may_answer);
    let at_once = blocking == Blocking::Test || blocking == Blocking::Try && early();
    if let Some(dst) = dst {
        registers.set(dst, issuer.lanes, &answers, 0);
    }
    if waiting == 0 {
        return Ok((None, has_learned));
    }
    let waits: [(usize, Awaited); 32] =
        std::array::from_fn(|lane| (at_barrier[lane], awaited(registers, lane)));
    if at_once {
        let (barrier, awaited) = waits[waiting.trailing_zeros() as usize];
        let Parts { engine, journal, .. } = &mut **parts;
        journal.tell(|_| {
            let on = engine.barriers.awaits(barrier, awaited);
            Event::Asks { act: issuer.only(waiting).act(), on }
        });
    }
    let timed = blocking == Blocking::Try;
    Ok((Some(Waiting { lanes: waiting, answers: at_once, waits, timed }), has_learned))
}

/// Releases the lanes whose phase is complete. Returns whether there are any.
pub(crate) fn go_on(parts: &mut Parts<'_, '_>, warp: &mut Stopping<'_>) -> bool {
    let machine = parts.machine();
    let Parts { clocks, engine, .. } = parts;
    let Stopping { lanes, own: Issuing { registers, marks, issuer, .. } } = warp;
    let mut any = false;
    // Lanes that waited for one phase learn of it together.
    let mut told: Vec<(usize, Awaited, u32, u32)> = Vec::new();
    for lane in lanes_of(lanes.stopped()) {
        let Some(Wait::Phase { barrier, awaited, .. }) = lanes.wait_of(lane) else { continue };
        let complete = engine.barriers.get(barrier).is_none_or(|b| b.has_completed(awaited));
        if !complete {
            continue;
        }
        let pc = lanes.pc(lane) as usize;
        if let Some(Op::Mbarrier(op)) = machine.kernel.code.get(pc)
            && let Some(reach) = op.reach()
        {
            phase_is_over(machine, (engine, clocks), &issuer.only(1 << lane), (barrier, awaited), reach);
            if let Some(dst) = op.answer() {
                registers.set_lane(dst, lane, 1);
            }
        }
        let thread = issuer.thread(lane);
        if let Some(own) = engine.barriers.get_mut(barrier) {
            own.uses.returns(thread, clocks);
        }
        if engine.course.is_some() {
            let site = pc as u32;
            let is_alike =
                |own: &&mut (usize, Awaited, u32, u32)| (own.0, own.1, own.2) == (barrier, awaited, site);
            match told.iter_mut().find(is_alike) {
                Some((.., lanes)) => *lanes |= 1 << lane,
                None => told.push((barrier, awaited, site, 1 << lane)),
            }
        }
        lanes.resume(1 << lane);
        any = true;
    }
    for (barrier, awaited, site, lanes) in told {
        let issuer = Issuer { site, ..issuer.only(lanes) };
        marks.learn(is_told(engine, &issuer, (barrier, awaited), machine.lasts(site)));
    }
    any
}

/// The lanes acquire the knowledge that was published in the phase that they waited for, within the
/// scope of their wait. A relaxed wait acquires nothing until a fence follows.
fn phase_is_over(
    machine: &Machine<'_>,
    (engine, clocks): (&mut Engine, &mut Clocks),
    issuer: &Issuer,
    (at, awaited): (usize, Awaited),
    (relaxed, scope): (bool, Scope),
) {
    let Some(barrier) = engine.barriers.get(at) else { return };
    let is_last = match awaited {
        Awaited::Parity(_) => true,
        Awaited::Phase(phase) => barrier.phase == phase + 1,
    };
    if !is_last {
        return;
    }
    let far = barrier.complete_far.clone().filter(|_| scope > Scope::Block);
    let near = barrier.complete.clone();
    for (known, distance) in [(near, Scope::Block), (far, Scope::Cluster)] {
        let Some(known) = known else { continue };
        if !relaxed {
            clocks.acquire_all(issuer.threads(), &known);
            continue;
        }
        engine.tensor_order.hear(clocks, issuer.threads(), &known);
        if machine.relaxes {
            issuer.threads().for_each(|thread| engine.relaxed.hear(thread, &known, distance));
        }
    }
}
