//! Executes requests that no thread's group wait completes, and releases waiting threads.

use super::landing::transit;
use crate::families::cp_async::complete::follow_copies;
use crate::families::mbarrier::wait::go_on;
use crate::families::tcgen05::complete::use_tensor_cores;
use crate::families::wgmma::complete::multiply_some;
use crate::lanes::lanes_of;
use crate::machine::cluster::Stop;
use crate::machine::parts::{Parts, TensorParts};
use crate::machine::warp::{Wait, Warp};
use crate::schedule::{Schedule, Turns};

impl TensorParts<'_, '_> {
    /// Executes the requests that the schedule selects, or all, and releases the lanes whose phase
    /// is complete. Returns whether anything happened.
    pub(crate) fn settle(&mut self, warps: &mut [Warp], turns: &mut Turns, all: bool) -> Result<bool, Stop> {
        let mut happened = follow_copies(&mut self.parts, warps, turns, all)?;
        // Copies that nobody waits for may be later still.
        let awaited = (all && self.parts.engine.schedule == Schedule::Reverse)
            .then(|| warps.iter().flat_map(|warp| warp.awaited(&self.parts.engine.barriers)).collect());
        happened |= transit(&mut self.parts, turns, all, awaited.as_ref())?;
        if all && !happened && awaited.is_some() {
            happened = transit(&mut self.parts, turns, true, None)?;
        }
        if matches!(self.parts.engine.schedule, Schedule::Random(_)) && turns.below(2) == 0 {
            multiply_some(&mut self.parts, turns);
            happened |= use_tensor_cores(self, turns, false)?;
        }
        if all && !happened {
            happened = use_tensor_cores(self, turns, true)?;
        }
        if all && !happened {
            let Parts { engine, shared, journal, .. } = &mut self.parts;
            happened = engine.outboxes.send_all(0..u32::MAX, shared, journal);
        }
        if self.parts.engine.cores.take_freed() {
            for warp in warps.iter_mut() {
                let waits = |lane: &u32| matches!(warp.lanes.wait_of(*lane), Some(Wait::Columns { .. }));
                let lanes = lanes_of(warp.lanes.exists() & !warp.lanes.done())
                    .filter(waits)
                    .fold(0, |m, lane| m | 1 << lane);
                warp.lanes.retry(lanes);
                happened |= lanes != 0;
            }
        }
        if self.parts.engine.barriers.take_news() {
            for warp in warps {
                happened |= go_on(&mut self.parts, &mut warp.stopping(0));
            }
        }
        Ok(happened)
    }
}
