//! Changes of the registers of warps.

use super::op::SetRegistersOp;
use super::pool::Pools;
use crate::finding::FindingKind;
use crate::lanes::{GROUP, lanes_of};
use crate::machine::journal::Journal;
use crate::machine::warp::{Wait, Warp};
use crate::program::Kernel;

impl Pools {
    /// The number of registers that a lane waits for, or waits to release.
    pub(crate) fn asked(kernel: &Kernel, warp: &Warp, lane: u32) -> Option<u32> {
        let op = kernel.code.get(warp.lanes.pc(lane) as usize)?;
        let asked = op.registers_asked()?;
        (warp.lanes.wait_of(lane) == Some(Wait::Group)).then_some(asked.count)
    }

    /// Changes the registers of each warp of a warpgroup that has reached a `setmaxnreg`, without
    /// the threads that have not. Devices change the registers of a warp when any of its lanes
    /// executes it. Returns whether a warp can continue.
    pub(crate) fn change_apart(
        &mut self,
        journal: &mut Journal<'_>,
        number: usize,
        group: &mut [Warp],
    ) -> bool {
        let kernel = journal.machine().kernel;
        let threads = group.iter().map(|warp| warp.lanes.exists().count_ones()).sum();
        // For each warp, the first lane that asks, its instruction, the number, and the lanes
        // there.
        let asks: Vec<Option<(u32, u32, u32, u32)>> = group
            .iter()
            .map(|warp| {
                let count = |lane| Pools::asked(kernel, warp, lane);
                let (lane, first) =
                    lanes_of(warp.lanes.exists()).find_map(|lane| Some((lane, count(lane)?)))?;
                let pc = warp.lanes.pc(lane);
                let is_there = |lane: &u32| warp.lanes.pc(*lane) == pc && count(*lane).is_some();
                let lanes = lanes_of(warp.lanes.exists()).filter(is_there).fold(0u32, |m, l| m | 1 << l);
                Some((lane, pc, first, lanes))
            })
            .collect();
        let mut any = false;
        for (i, (warp, own)) in group.iter_mut().zip(&asks).enumerate() {
            let Some((lane, pc, count, lanes)) = *own else { continue };
            let with = asks.iter().flatten().filter(|(_, other, ..)| *other == pc);
            let here = with.map(|(.., lanes)| lanes.count_ones()).sum();
            let first = number * GROUP + i;
            let pool = self.of_mut(warp.block().rank);
            if pool.ask_warps(first..first + 1, count).is_err() {
                continue;
            }
            journal.changes(1);
            journal.remark(pc, warp.thread(lane), FindingKind::RegistersApart { here, threads });
            warp.lanes.resume(lanes);
            any = true;
        }
        any
    }

    /// Changes the registers of a warpgroup that has reached the instruction. Returns whether it
    /// can continue.
    pub(crate) fn change(
        &mut self,
        journal: &mut Journal<'_>,
        op: SetRegistersOp,
        number: usize,
        group: &mut [Warp],
    ) -> bool {
        let kernel = journal.machine().kernel;
        let (site, thread) = (group[0].lanes.pc(0), group[0].thread(0));
        if kernel.min_blocks.is_none() && kernel.registers_at_launch.is_none() {
            journal.remark(site, thread, FindingKind::UnboundedRegisters);
        }
        let pool = self.of_mut(group[0].block().rank);
        let given = pool.ask(number, op.count).is_ok();
        journal.changes(given.into());
        given
    }
}
