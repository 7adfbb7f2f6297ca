//! Calls of device functions. Each function has one set of registers, which a recursive call saves
//! first.

use crate::finding::FindingKind;
use crate::finding::LaneFinding;
use crate::lanes::lanes_of;
use crate::machine::warp::{Flow, Warp};
use crate::program::{Function, Move, Slot};
use crate::registers::unknown::Unknown;

/// The deepest nesting of calls in a thread. On the device its stack is the limit, by default 1
/// KiB.
const DEEPEST: usize = 256;

fn registers(function: &Function) -> impl Iterator<Item = Slot> {
    function.arguments.clone().chain(function.locals.clone())
}

impl Warp {
    pub(crate) fn call(
        &mut self,
        functions: &[Function],
        number: u32,
        arguments: &[Move],
        dst: Slot,
        active: u32,
    ) -> Result<Flow, LaneFinding> {
        let function = &functions[number as usize];
        let slots = |m: &Move| (m.src..m.src + m.len).zip(m.dst..);
        for lane in lanes_of(active) {
            let i = lane as usize;
            if self.stack.depth(i) == DEEPEST {
                return Err(LaneFinding { lane, kind: FindingKind::CallDepth { limit: DEEPEST as u32 } });
            }
            let inside = self.stack.is_inside(i, number);
            let saved =
                registers(function).filter(|_| inside).map(|slot| self.register(slot, lane)).collect();
            let given: Vec<_> =
                arguments.iter().flat_map(slots).map(|(from, to)| (to, self.register(from, lane))).collect();
            self.stack.call(i, number, (dst, self.lanes.at() + 1), saved);
            for (slot, value) in given {
                self.set_register(slot, lane, value);
            }
        }
        Ok(Flow::To(function.start))
    }

    /// Returns `len` values; the function's local memory is gone.
    pub(crate) fn back(&mut self, functions: &[Function], src: Slot, len: u32, active: u32) -> Flow {
        for lane in lanes_of(active) {
            let i = lane as usize;
            let results: Vec<_> = (src..src + len).map(|slot| self.register(slot, lane)).collect();
            let Some(frame) = self.stack.back(i) else { continue };
            for (slot, value) in registers(&functions[frame.function as usize]).zip(frame.saved) {
                self.set_register(slot, lane, value);
            }
            for (slot, value) in (frame.dst..).zip(results) {
                self.set_register(slot, lane, value);
            }
            self.lanes.park(1 << i, frame.back);
        }
        Flow::Apart
    }

    fn register(&self, slot: Slot, lane: u32) -> (u64, Option<Unknown>) {
        (self.registers.get(slot)[lane as usize], self.registers.unknown(slot, lane))
    }

    fn set_register(&mut self, slot: Slot, lane: u32, (value, unknown): (u64, Option<Unknown>)) {
        self.registers.set_lane(slot, lane, value);
        self.registers.set_unknown(slot, lane, unknown);
    }
}
