//! The lanes of an instruction at the barriers of their addresses.

use super::barrier::BYTES;
use crate::finding::{AccessKind, FindingKind, LaneFinding};
use crate::lanes::lanes_of;
use crate::machine::issuer::Issuer;
use crate::machine::parts::Parts;
use crate::machine::stack::Stack;
use crate::memory::address::SHARED;
use crate::memory::span::Span;
use crate::operand::Slot;
use crate::race::{Reach, Scope};
use crate::registers::Registers;

/// The parts that an operation at barriers touches, and the lanes that execute it.
pub(crate) struct AtBarriers<'i, 'c, 'm> {
    pub(crate) parts: &'i mut Parts<'c, 'm>,
    pub(crate) registers: &'i mut Registers,
    /// The local memory of each lane, to which an address may wrongly point.
    pub(crate) stack: &'i Stack,
    pub(crate) issuer: &'i Issuer,
    /// The register with the address of the barrier, and its space.
    pub(crate) address: Slot,
    pub(crate) space: u32,
}

/// The operation of a lane at its barrier.
type OfLane<'l, 'c, 'm> =
    &'l mut dyn FnMut(&mut Parts<'c, 'm>, &mut Registers, usize, u32) -> Result<(), FindingKind>;

impl<'c, 'm> AtBarriers<'_, 'c, 'm> {
    /// Executes an operation at the barrier of each of these lanes, with this kind of access.
    pub(super) fn each(
        &mut self,
        lanes: u32,
        kind: AccessKind,
        run: OfLane<'_, 'c, 'm>,
    ) -> Result<(), LaneFinding> {
        let AtBarriers { parts, registers, stack, issuer, address, space } = self;
        let address = *address;
        registers.defined(parts.machine().kernel, address, lanes, "address")?;
        parts.journal.use_address(registers, &issuer.only(lanes), address);
        for lane in lanes_of(lanes) {
            let at = |kind| LaneFinding { lane, kind };
            let pointer = registers.get(address)[lane as usize];
            let bytes = BYTES as u64;
            let span = parts.span(stack.locals(lane as usize), pointer, *space, bytes, bytes).map_err(at)?;
            if span.space != SHARED {
                let kind = FindingKind::WrongSpace { address: pointer, expected: SHARED };
                return Err(at(kind));
            }
            watch_barrier(parts, registers, (issuer, lane), span, kind);
            run(parts, registers, span.start, lane).map_err(at)?;
        }
        match kind {
            AccessKind::Atomic => parts.journal.changes_softly(),
            kind => parts.journal.changes(u64::from(!kind.is_read())),
        }
        Ok(())
    }
}

/// Records the access of a lane to a barrier, and checks for races. A fence that publishes an
/// initialisation is ordered with threads that know of the fence.
pub(crate) fn watch_barrier(
    parts: &mut Parts<'_, '_>,
    registers: &Registers,
    (issuer, lane): (&Issuer, u32),
    span: Span,
    kind: AccessKind,
) {
    let reach = if kind.is_atomic() { Reach { width: 8, scope: Scope::Cluster } } else { Reach::default() };
    let thread = issuer.thread(lane);
    let published = parts.engine.barriers.get(span.start).is_some_and(|barrier| {
        let fence = barrier.fenced.and_then(|(by, time)| Some((parts.engine.barriers.fence_of(by)?.0, time)));
        fence.is_some_and(|(agent, time)| parts.clocks.knows(thread, agent, time))
    });
    if published {
        let who = issuer.who(parts.scene(), SHARED, kind, reach);
        let mut window = parts.shared.shadow();
        window.note(span.start, BYTES, &who, 1 << lane, None, parts.clocks);
    } else {
        parts.watch(registers, (issuer, lane), (span, BYTES), (kind, reach), None);
    }
}
