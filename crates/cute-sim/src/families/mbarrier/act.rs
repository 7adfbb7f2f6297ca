//! `mbarrier` instructions that do not wait.

use super::at::AtBarriers;
use super::barrier::{BYTES, Mbarrier};
use super::checks::{arrivals_with, fits_a_phase, initialise_again, invalidate, note_arrival};
use super::complete::{Arrivals, arrive, arrive_elsewhere, complete_phase, expect_bytes};
use super::misused::misused;
use super::op::{Arrival, MbarrierAct};
use crate::events::Event;
use crate::finding::{AccessKind, LaneFinding, MbarrierMisuse};
use crate::machine::issuer::Issuer;
use crate::machine::parts::Parts;
use crate::memory::tracked::ByteState;
use crate::operand::Slot;
use crate::race::{Clocks, Scope};
use crate::registers::Registers;

/// The arrivals that are pending according to a token.
pub(crate) fn pending_count(registers: &mut Registers, dst: Slot, token: Slot, active: u32) {
    let pending = registers.get(token).map(Mbarrier::pending_of);
    registers.set_from(dst, active, &pending, &[token]);
}

/// `fence.mbarrier_init`.
pub(crate) fn fence(parts: &mut Parts<'_, '_>, issuer: &Issuer) {
    parts.journal.tell(|_| Event::Orders { act: issuer.act() });
    issuer.threads().for_each(|thread| parts.engine.barriers.fence(thread, parts.clocks));
}

/// Executes an operation that does not wait.
pub(crate) fn act(at: &mut AtBarriers<'_, '_, '_>, act: MbarrierAct) -> Result<(), LaneFinding> {
    match act {
        MbarrierAct::Init { count } => initialise(at, count),
        MbarrierAct::Invalidate => invalidate(at),
        MbarrierAct::Expect { bytes, comes } => expect(at, bytes, comes),
        MbarrierAct::Arrive(arrival) => arrive_at(at, arrival),
        MbarrierAct::Follow { increment } => follow(at, increment),
        MbarrierAct::Wait(_) => unreachable!("a wait is executed with the state of its lanes"),
    }
}

fn initialise(at: &mut AtBarriers<'_, '_, '_>, count: Slot) -> Result<(), LaneFinding> {
    let (kernel, issuer) = (at.parts.machine().kernel, *at.issuer);
    at.registers.defined(kernel, count, issuer.lanes, "count of the barrier")?;
    // Lanes that store one value in one instruction do it once, because kernels of CuTe DSL let
    // whole warps do so.
    let alike = at.registers.alike(issuer.lanes, &[at.address, count]);
    let first = alike.iter().fold(0, |first, lanes| first | lanes & lanes.wrapping_neg());
    let first = first & !initialise_again(at, count, &alike);
    at.each(first, AccessKind::Write, &mut |parts, registers, at, lane| {
        let count = registers.get(count)[lane as usize] as u32;
        let Parts { shared, clocks, engine, journal } = parts;
        let (thread, site) = (issuer.thread(lane), issuer.site);
        let barrier = Mbarrier::new(count, site, thread);
        let mut barrier = barrier.map_err(|misuse| misused(journal.scene(), at, misuse))?;
        let lanes = alike.iter().find(|lanes| **lanes >> lane & 1 == 1);
        barrier.lanes = lanes.copied().unwrap_or(1 << lane);
        if let Some(before) = engine.barriers.get(at) {
            let scene = journal.scene();
            let location = scene.site(before.site).1;
            return Err(misused(scene, at, MbarrierMisuse::Again { location }));
        }
        shared.bytes_mut().mark(at, BYTES, ByteState::Barrier);
        barrier.uses.note((thread, site), true, clocks);
        engine.barriers.insert(at, barrier);
        journal.tell(|scene| Event::Initialises {
            act: issuer.only(1 << lane).act(),
            barrier: at,
            rank: scene.windows().rank_of(at),
            name: scene.barrier_name(at),
            count,
        });
        Ok(())
    })
}

fn expect(at: &mut AtBarriers<'_, '_, '_>, bytes: Slot, comes: bool) -> Result<(), LaneFinding> {
    let (kernel, issuer) = (at.parts.machine().kernel, *at.issuer);
    at.registers.defined(kernel, bytes, issuer.lanes, "number of bytes")?;
    at.each(issuer.lanes, AccessKind::Atomic, &mut |parts, registers, at, lane| {
        let bytes = i64::from(registers.get(bytes)[lane as usize] as u32);
        let act = Some(issuer.only(1 << lane).act());
        let Parts { engine, journal, .. } = parts;
        expect_bytes(&mut engine.barriers, journal, at, if comes { -bytes } else { bytes }, act)?;
        let thread = issuer.thread(lane);
        if !comes && let Some(barrier) = engine.barriers.get_mut(at) {
            barrier.bare = Some((thread, issuer.site));
        }
        let past = engine.past_of(thread);
        engine.barriers.follow(at, past.as_ref());
        complete_phase(&mut engine.barriers, journal, at, (thread, issuer.site));
        Ok(())
    })
}

/// An arrival that follows the requests of its thread.
fn follow(at: &mut AtBarriers<'_, '_, '_>, increment: bool) -> Result<(), LaneFinding> {
    let (address, issuer) = (at.address, *at.issuer);
    at.each(issuer.lanes, AccessKind::Atomic, &mut |parts, registers, at, lane| {
        let Parts { engine, journal, .. } = parts;
        if !increment {
            let crowd = arrivals_with(registers, (address, None), issuer.lanes, lane);
            fits_a_phase(&engine.barriers, journal.scene(), at, crowd)?;
        }
        let Some(barrier) = engine.barriers.get_mut(at) else {
            return Err(misused(journal.scene(), at, MbarrierMisuse::Uninitialised));
        };
        if increment {
            barrier.expect_arrival().map_err(|misuse| misused(journal.scene(), at, misuse))?;
        }
        let past = engine.past_of(issuer.thread(lane));
        engine.copies.follow((issuer.thread(lane), issuer.site), at, past);
        Ok(())
    })
}

fn arrive_at(at: &mut AtBarriers<'_, '_, '_>, arrival: Arrival) -> Result<(), LaneFinding> {
    let Arrival { count, expect, drop, completes, relaxed, scope, dst } = arrival;
    let (kernel, address, issuer) = (at.parts.machine().kernel, at.address, *at.issuer);
    for slot in [count, expect].into_iter().flatten() {
        at.registers.defined(kernel, slot, issuer.lanes, "count of the arrival")?;
    }
    at.each(issuer.lanes, AccessKind::Atomic, &mut |parts, registers, at, lane| {
        let Parts { shared, clocks, engine, journal } = parts;
        let value = |slot: Slot| registers.get(slot)[lane as usize] as u32;
        let act = issuer.only(1 << lane).act();
        if let Some(bytes) = expect {
            expect_bytes(&mut engine.barriers, journal, at, value(bytes).into(), Some(act))?;
        }
        let all = arrivals_with(registers, (address, count), issuer.lanes, lane);
        let count = count.map_or(1, value);
        let Some(barrier) = engine.barriers.get(at) else {
            return Err(misused(journal.scene(), at, MbarrierMisuse::Uninitialised));
        };
        let (token, thread) = (barrier.token(), issuer.thread(lane));
        let who = (thread, issuer.site);
        if !completes && barrier.pending <= count {
            return Err(misused(journal.scene(), at, MbarrierMisuse::Completes));
        }
        let is_own = shared.rank_of(at) == issuer.block.rank;
        let before = barrier.passed.clone();
        fits_a_phase(&engine.barriers, journal.scene(), at, all)?;
        let how = (is_own && !relaxed, !relaxed);
        note_arrival(&mut engine.barriers, (journal.scene(), clocks), at, who, how)?;
        let passed = match (is_own, relaxed) {
            (true, false) => clocks.release(before.as_ref(), &[thread]),
            (true, true) => {
                let known = engine.relaxed.passes_on(thread, scope, Scope::Block);
                let known = known.map(|known| Clocks::both(before.as_ref(), known));
                known.or(before).unwrap_or_default()
            }
            (false, _) => arrive_elsewhere(engine, clocks, at, thread, (scope, relaxed)),
        };
        let tensor = if relaxed { engine.tensor_order.passes_on(clocks, thread) } else { None };
        let passed = tensor.map_or(passed.clone(), |known| Clocks::both(Some(&passed), &known));
        let past = engine.past_of(thread);
        engine.barriers.follow(at, past.as_ref());
        journal.tell(|_| Event::Arrives { act, barrier: at, after: None });
        let arrivals = Arrivals { count, drop, passed, who, when: issuer.executed };
        arrive(&mut engine.barriers, journal, at, arrivals)?;
        if let Some(dst) = dst {
            registers.set_lane(dst, lane, token);
        }
        Ok(())
    })
}
