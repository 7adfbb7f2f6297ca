//! Checks of `mbarrier` instructions that hold for every schedule: the lanes of one instruction do
//! not arrive too often, chance does not decide which arrivals end a phase, and a barrier is not
//! invalidated while it may be in use.

use super::at::AtBarriers;
use super::barrier::{BYTES, Mbarriers};
use super::misused::{misused, user};
use super::uses::Mixed;
use crate::engine::Engine;
use crate::events::Event;
use crate::finding::{AccessKind, FindingKind, LaneFinding, MbarrierMisuse};
use crate::lanes::lanes_of;
use crate::machine::WARP;
use crate::machine::scene::Scene;
use crate::memory::address::SHARED;
use crate::memory::tracked::ByteState;
use crate::operand::Slot;
use crate::race::{Clocks, Known, Reach};
use crate::registers::Registers;

/// The arrivals of one execution of an instruction at one barrier, and the lanes that arrive.
pub(crate) type Crowd = Option<(u64, u32)>;

/// The arrivals at the barrier of a lane by all lanes that execute the instruction, if this
/// lane is the first of several.
pub(crate) fn arrivals_with(
    registers: &Registers,
    (address, count): (Slot, Option<Slot>),
    active: u32,
    lane: u32,
) -> Crowd {
    if active.count_ones() == 1 {
        return None;
    }
    let addresses = registers.get(address);
    let at = addresses[lane as usize];
    let alike = || lanes_of(active).filter(|other| addresses[*other as usize] == at);
    if alike().next() != Some(lane) {
        return None;
    }
    let of = |lane: u32| count.map_or(1, |slot| registers.get(slot)[lane as usize] & u64::from(u32::MAX));
    Some((alike().map(of).sum(), alike().count() as u32)).filter(|(_, lanes)| *lanes > 1)
}

/// The lanes among those that initialise barriers whose barrier another lane of the warp
/// initialised before with the same count and instruction, and that nobody has used since. That
/// is one initialisation, because lanes that have met again need not execute an instruction
/// together.
pub(super) fn initialise_again(at: &mut AtBarriers<'_, '_, '_>, count: Slot, alike: &[u32]) -> u32 {
    let AtBarriers { parts, registers, stack, issuer, address, space } = at;
    let (address, space) = (*address, *space);
    let mut again = 0;
    let active = alike.iter().fold(0, |all, lanes| all | lanes) & !registers.undefined_in(address);
    for lane in lanes_of(active) {
        let (pointer, bytes) = (registers.get(address)[lane as usize], BYTES as u64);
        let Ok(span) = parts.span(stack.locals(lane as usize), pointer, space, bytes, bytes) else {
            continue;
        };
        let count = registers.get(count)[lane as usize] as u32;
        let Some(barrier) = parts.engine.barriers.get_mut(span.start) else { continue };
        let is_own = barrier.thread / WARP == issuer.warp_of_cluster() && barrier.site == issuer.site;
        if is_own && barrier.expected == count && barrier.is_unused() {
            barrier.lanes |= 1 << lane;
            barrier.uses.note((issuer.thread(lane), issuer.site), true, parts.clocks);
            again |= 1 << lane;
            let who = issuer.who(parts.scene(), SHARED, AccessKind::Write, Reach::default());
            let mut window = parts.shared.shadow();
            window.note(span.start, BYTES, &who, 1 << lane, None, parts.clocks);
        }
    }
    again
}

/// The lanes invalidate barriers, whose uses must all come before. These are compared as uses,
/// not as accesses of the bytes: see `Uses::unordered`.
pub(super) fn invalidate(at: &mut AtBarriers<'_, '_, '_>) -> Result<(), LaneFinding> {
    let AtBarriers { parts, registers, stack, issuer, address, space } = at;
    let (address, space) = (*address, *space);
    registers.defined(parts.machine().kernel, address, issuer.lanes, "address")?;
    for lane in lanes_of(issuer.lanes) {
        let at = |kind| LaneFinding { lane, kind };
        let (pointer, bytes) = (registers.get(address)[lane as usize], BYTES as u64);
        let span = parts.span(stack.locals(lane as usize), pointer, space, bytes, bytes).map_err(at)?;
        if span.space != SHARED {
            return Err(at(FindingKind::WrongSpace { address: pointer, expected: SHARED }));
        }
        let start = span.start;
        let relaxed = parts.machine().relaxes_mbarriers;
        if let Some(other) = use_of(parts.engine, parts.clocks, start, issuer.thread(lane), relaxed) {
            let misuse = MbarrierMisuse::InUse { other: user(parts.scene(), other) };
            return Err(at(misused(parts.scene(), start, misuse)));
        }
        if parts.engine.barriers.remove(start).is_none() {
            return Err(at(misused(parts.scene(), start, MbarrierMisuse::Uninitialised)));
        }
        let who = issuer.who(parts.scene(), SHARED, AccessKind::Write, Reach::default());
        let mut window = parts.shared.shadow();
        window.note(start, BYTES, &who, 1 << lane, None, parts.clocks);
        parts.shared.bytes_mut().mark(start, BYTES, ByteState::Empty);
        parts.journal.tell(|_| Event::Invalidates { barrier: start });
    }
    parts.journal.changes(1);
    Ok(())
}

/// Whether a phase of the barrier can take all arrivals of one execution of an instruction.
/// Those that it cannot take would count in the next phase, which nobody can have waited for.
pub(crate) fn fits_a_phase(
    barriers: &Mbarriers,
    scene: &Scene<'_>,
    at: usize,
    crowd: Crowd,
) -> Result<(), FindingKind> {
    let (Some((count, lanes)), Some(barrier)) = (crowd, barriers.get(at)) else {
        return Ok(());
    };
    let expected = barrier.expected.max(barrier.pending);
    if count <= u64::from(expected) {
        return Ok(());
    }
    Err(misused(scene, at, MbarrierMisuse::Surplus { count, lanes, expected: barrier.expected }))
}

/// A thread is about to arrive at a barrier. `ordered` arrivals are from the same block and
/// publish what the thread knows; arrivals that do not publish anything are not `noted`.
pub(super) fn note_arrival(
    barriers: &mut Mbarriers,
    (scene, clocks): (&Scene<'_>, &Clocks),
    at: usize,
    who: (u32, u32),
    (ordered, noted): (bool, bool),
) -> Result<(), FindingKind> {
    let relaxes = scene.machine().relaxes_mbarriers;
    let Some(barrier) = barriers.get_mut(at) else { return Ok(()) };
    if noted {
        barrier.uses.note(who, true, clocks);
    }
    if ordered && !relaxes {
        barrier.uses.arrives(who, barrier.phase, clocks);
    } else {
        barrier.uses.vague = true;
    }
    is_certain(barriers, scene, at)
}

/// An agent arrives at a barrier of the block that issued the operation, for a thread that knew
/// this.
pub(crate) fn note_commit(
    barriers: &mut Mbarriers,
    scene: &Scene<'_>,
    at: usize,
    agent: (u32, u32),
    who: (u32, u32),
    known: &Known,
) -> Result<(), FindingKind> {
    if let Some(barrier) = barriers.get_mut(at) {
        barrier.uses.arrives_later(agent, who, barrier.phase, known);
    }
    is_certain(barriers, scene, at)
}

/// A thread asks for a phase of a barrier. `found` tells that it is complete.
pub(super) fn note_wait(
    barriers: &mut Mbarriers,
    (scene, clocks): (&Scene<'_>, &Clocks),
    at: usize,
    who: (u32, u32),
    found: bool,
) -> Result<(), FindingKind> {
    if let Some(barrier) = barriers.get_mut(at) {
        barrier.uses.note(who, found, clocks);
        barrier.uses.awaited = true;
    }
    is_certain(barriers, scene, at)
}

/// Whether it is certain which arrivals end each phase of the barrier.
fn is_certain(barriers: &Mbarriers, scene: &Scene<'_>, at: usize) -> Result<(), FindingKind> {
    let Some(barrier) = barriers.get(at) else { return Ok(()) };
    let Some(Mixed { phase, earlier, later }) = barrier.uses.chance() else { return Ok(()) };
    let (earlier, later) = (user(scene, earlier), user(scene, later));
    let expected = barrier.expected;
    Err(misused(scene, at, MbarrierMisuse::Mixed { phase, expected, earlier, later }))
}

/// The thread and the instruction of a use of the barrier that may come after the acts of
/// `thread` now. `relaxed` tells that some operations at barriers are.
fn use_of(engine: &Engine, clocks: &Clocks, at: usize, thread: u32, relaxed: bool) -> Option<(u32, u32)> {
    let pending = engine.copies.follower_of(at);
    let mut landed = engine.landings.all().filter(|(_, landed)| landed.barrier == at);
    let unseen = landed.find(|(agent, landed)| {
        let seen_relaxed = relaxed && landed.phase.is_some();
        !seen_relaxed && !clocks.knows(thread, *agent, landed.issued.time)
    });
    let unseen = unseen.map(|(_, landed)| (landed.issued.thread, landed.issued.site));
    let barrier = engine.barriers.get(at)?;
    let past = engine.past_of(thread);
    barrier.uses.unordered(thread, relaxed, clocks, past.as_deref()).or(pending).or(unseen)
}
