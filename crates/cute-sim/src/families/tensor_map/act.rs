//! The effects of operations on tensor maps.

use super::op::TensorMapOp;
use super::read::{broken_map, words_of_map};
use crate::families::fence::act::fence;
use crate::finding::{AccessKind, FindingKind, LaneFinding};
use crate::lanes::lanes_of;
use crate::machine::issuing::Issuing;
use crate::machine::parts::Parts;
use crate::machine::stack::Stack;
use crate::memory::address::{CONSTANT, GLOBAL, SHARED};
use crate::memory::span::Span;
use crate::program::Slot;
use crate::race::{Order, Reach, Scope};
use cute_arch::tensor_map::{ALIGN, BYTES as MAP_BYTES, MapField};

/// Releases maps in a thread of the running block.
fn release(parts: &mut Parts<'_, '_>, threads: (u32, u32), scope: Scope) {
    let block = parts.scene().block().number;
    parts.engine.maps.release(parts.clocks, threads, block, scope);
}

/// Executes an operation on a map: a copy by all lanes together, and others by each lane on its
/// own.
#[cold]
pub(crate) fn tensor_map(
    parts: &mut Parts<'_, '_>,
    own: &mut Issuing<'_>,
    op: TensorMapOp,
) -> Result<(), LaneFinding> {
    let (kernel, issuer) = (parts.machine().kernel, own.issuer);
    match op {
        TensorMapOp::Copy { to, from, scope } => copy_map(parts, own, (to, from), scope)?,
        TensorMapOp::Replace { address, space, field, ordinal, value } => {
            own.registers.defined(kernel, address, issuer.lanes, "address of the tensor map")?;
            own.registers.defined(kernel, value, issuer.lanes, "new value of the field")?;
            if let Some(ordinal) = ordinal {
                own.registers.defined(kernel, ordinal, issuer.lanes, "ordinal of the field")?;
            }
            for lane in lanes_of(issuer.lanes) {
                let get = |slot: Slot| own.registers.get(slot)[lane as usize];
                let (at, field) = ((get(address), space), (field, ordinal.map_or(0, get), get(value)));
                replace_field(parts, own, lane, at, field)?;
            }
        }
        TensorMapOp::Release { scope } => {
            fence(parts, &issuer, scope, Order::RELEASE);
            issuer.threads().for_each(|thread| release(parts, (thread, thread), scope));
        }
        TensorMapOp::Acquire { address, space, scope } => {
            own.registers.defined(kernel, address, issuer.lanes, "address of the tensor map")?;
            for lane in lanes_of(issuer.lanes) {
                let address = own.registers.get(address)[lane as usize];
                let span = map_span(parts, own.stack, lane, (address, space), &[GLOBAL, CONSTANT])?;
                if span.space == GLOBAL {
                    let (map, block) = ((span.allocation, span.start), parts.scene().block().number);
                    parts.engine.maps.acquire(parts.clocks, issuer.thread(lane), block, map, scope);
                }
            }
            fence(parts, &issuer, scope, Order::ACQUIRE);
        }
    }
    Ok(())
}

/// The place of a map in one of these spaces.
fn map_span(
    parts: &Parts<'_, '_>,
    stack: &Stack,
    lane: u32,
    (address, space): (u64, u32),
    spaces: &[u32],
) -> Result<Span, LaneFinding> {
    let at = |kind| LaneFinding { lane, kind };
    let locals = stack.locals(lane as usize);
    let span = parts.span(locals, address, space, MAP_BYTES as u64, ALIGN.into()).map_err(at)?;
    if spaces.contains(&span.space) {
        return Ok(span);
    }
    Err(at(match span.space {
        CONSTANT => FindingKind::ReadOnly { place: parts.scene().place(&[], span) },
        _ => FindingKind::WrongSpace { address, expected: spaces[0] },
    }))
}

/// `tensormap.replace`: reads and writes the map as a whole.
fn replace_field(
    parts: &mut Parts<'_, '_>,
    own: &mut Issuing<'_>,
    lane: u32,
    address: (u64, u32),
    (field, ordinal, value): (MapField, u64, u64),
) -> Result<(), LaneFinding> {
    let at = |kind| LaneFinding { lane, kind };
    let issuer = (&own.issuer, lane);
    let span = map_span(parts, own.stack, lane, address, &[GLOBAL, SHARED])?;
    parts.can_write(issuer, span, MAP_BYTES)?;
    if span.space == SHARED {
        parts.can_send(issuer, span, MAP_BYTES).map_err(at)?;
    }
    let write = (AccessKind::Write, Reach::default());
    parts.watch(own.registers, issuer, (span, MAP_BYTES), write, None);
    let mut words = words_of_map(parts.machine(), parts.shared, span);
    let ordinal = usize::try_from(ordinal).unwrap_or(usize::MAX);
    let replaced = field.replace(&mut words, ordinal, value);
    replaced.map_err(|broken| at(broken_map(parts.scene(), span, broken.to_string())))?;
    for (i, word) in words.into_iter().enumerate() {
        parts.write(own.stack.locals_mut(lane as usize), span, 8 * i, 8, word);
    }
    Ok(())
}

/// `tensormap.cp_fenceproxy`, executed by all lanes together: copies the map from shared to global
/// memory, and releases it there.
fn copy_map(
    parts: &mut Parts<'_, '_>,
    own: &mut Issuing<'_>,
    (to, from): ((Slot, u32), (Slot, u32)),
    scope: Scope,
) -> Result<(), LaneFinding> {
    let (kernel, issuer) = (parts.machine().kernel, own.issuer);
    own.registers.defined(kernel, to.0, issuer.lanes, "address of the tensor map")?;
    own.registers.defined(kernel, from.0, issuer.lanes, "address of the tensor map")?;
    let lane = issuer.lanes.trailing_zeros();
    let at = |kind| LaneFinding { lane, kind };
    let get = |slot: Slot| own.registers.get(slot)[lane as usize];
    let source = map_span(parts, own.stack, lane, (get(from.0), from.1), &[SHARED])?;
    let target = map_span(parts, own.stack, lane, (get(to.0), to.1), &[GLOBAL])?;
    parts.can_send((&issuer, lane), source, MAP_BYTES).map_err(at)?;
    parts.can_write((&issuer, lane), target, MAP_BYTES)?;
    let reach = Reach { scope: Scope::Warp, ..Reach::default() };
    parts.watch(own.registers, (&issuer, lane), (source, MAP_BYTES), (AccessKind::Read, reach), None);
    parts.watch(own.registers, (&issuer, lane), (target, MAP_BYTES), (AccessKind::Write, reach), None);
    for (i, word) in words_of_map(parts.machine(), parts.shared, source).into_iter().enumerate() {
        parts.write(own.stack.locals_mut(lane as usize), target, 8 * i, 8, word);
    }
    let writer = issuer.thread(lane);
    issuer.threads().for_each(|thread| release(parts, (thread, writer), scope));
    fence(parts, &issuer, scope, Order::RELEASE);
    Ok(())
}
