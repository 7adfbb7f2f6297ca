//! Calls of device functions. Each function has one set of registers, which a recursive call saves
//! first.

use crate::finding::FindingKind;
use crate::finding::LaneFinding;
use crate::lanes::lanes_of;
use crate::machine::issuing::{Issuing, Stopping};
use crate::machine::warp::Flow;
use crate::program::{Function, Move, Slot};
use crate::registers::Registers;
use crate::registers::unknown::Unknown;

/// The deepest nesting of calls in a thread. On the device its stack is the limit, by default 1
/// KiB.
const DEEPEST: usize = 256;

fn registers(function: &Function) -> impl Iterator<Item = Slot> {
    function.arguments.clone().chain(function.locals.clone())
}

pub(super) fn call(
    own: &mut Issuing<'_>,
    functions: &[Function],
    number: u32,
    arguments: &[Move],
    dst: Slot,
) -> Result<Flow, LaneFinding> {
    let function = &functions[number as usize];
    let slots = |m: &Move| (m.src..m.src + m.len).zip(m.dst..);
    for lane in lanes_of(own.issuer.lanes) {
        let i = lane as usize;
        if own.stack.depth(i) == DEEPEST {
            return Err(LaneFinding { lane, kind: FindingKind::CallDepth { limit: DEEPEST as u32 } });
        }
        let inside = own.stack.is_inside(i, number);
        let saved =
            registers(function).filter(|_| inside).map(|slot| register(own.registers, slot, lane)).collect();
        let given: Vec<_> = arguments
            .iter()
            .flat_map(slots)
            .map(|(from, to)| (to, register(own.registers, from, lane)))
            .collect();
        own.stack.call(i, number, (dst, own.issuer.site + 1), saved);
        for (slot, value) in given {
            set_register(own.registers, slot, lane, value);
        }
    }
    Ok(Flow::To(function.start))
}

/// Returns `len` values; the function's local memory is gone.
pub(super) fn back(warp: &mut Stopping<'_>, functions: &[Function], src: Slot, len: u32) -> Flow {
    let Stopping { lanes, own } = warp;
    for lane in lanes_of(own.issuer.lanes) {
        let i = lane as usize;
        let results: Vec<_> = (src..src + len).map(|slot| register(own.registers, slot, lane)).collect();
        let Some(frame) = own.stack.back(i) else { continue };
        for (slot, value) in registers(&functions[frame.function as usize]).zip(frame.saved) {
            set_register(own.registers, slot, lane, value);
        }
        for (slot, value) in (frame.dst..).zip(results) {
            set_register(own.registers, slot, lane, value);
        }
        lanes.park(1 << i, frame.back);
    }
    Flow::Apart
}

fn register(registers: &Registers, slot: Slot, lane: u32) -> (u64, Option<Unknown>) {
    (registers.get(slot)[lane as usize], registers.unknown(slot, lane))
}

fn set_register(registers: &mut Registers, slot: Slot, lane: u32, (value, unknown): (u64, Option<Unknown>)) {
    registers.set_lane(slot, lane, value);
    registers.set_unknown(slot, lane, unknown);
}
