//! The registers of a block, which `setmaxnreg` moves from warpgroup to warpgroup.
//!
//! A block has as many registers as its threads begin with; it gets none from other blocks. The
//! number at launch is ptxas's choice, which follows from the block's size and from the number of
//! blocks that must fit on a multiprocessor at once.

use super::WARP;
use super::device::Machine;
use super::group::GROUP;
use std::ops::Range;

/// The registers of a block.
#[derive(Debug, Clone)]
pub(crate) struct Pool {
    /// Registers of a thread, by warp.
    pub(crate) held: Vec<u32>,
    /// Registers that no warp holds.
    pub(crate) free: u32,
}

impl Pool {
    pub(crate) fn new(machine: &Machine<'_>) -> Self {
        Pool { held: vec![machine.registers_at_launch(); machine.warps() as usize], free: 0 }
    }

    /// Requests `count` registers per thread for a warpgroup, which may have fewer warps than the
    /// others if it is the last; returns the number that it lacks.
    pub(crate) fn ask(&mut self, group: usize, count: u32) -> Result<(), u32> {
        let first = group * GROUP;
        self.ask_warps(first..self.held.len().min(first + GROUP), count)
    }

    /// Requests `count` registers per thread for some warps; returns the number that they lack.
    pub(crate) fn ask_warps(&mut self, warps: Range<usize>, count: u32) -> Result<(), u32> {
        let own = &mut self.held[warps];
        let change = |to: u32, from: u32| to.saturating_sub(from) * WARP;
        let needed: u32 = own.iter().map(|held| change(count, *held)).sum();
        if needed > self.free {
            return Err(needed - self.free);
        }
        self.free = self.free - needed + own.iter().map(|held| change(*held, count)).sum::<u32>();
        own.fill(count);
        Ok(())
    }
}

impl Machine<'_> {
    /// Registers per thread when the kernel begins: all that are available, but not more than the
    /// kernel ever requests.
    pub(crate) fn registers_at_launch(&self) -> u32 {
        if let Some(bounded) = self.kernel.bounded_registers() {
            return bounded;
        }
        let blocks = self.kernel.min_blocks.unwrap_or(1).max(1);
        let threads = self.warps().saturating_mul(blocks).saturating_mul(WARP);
        // Registers are allocated by eights.
        let all = self.launch.target.registers_per_thread_of_block(threads).next_multiple_of(8);
        self.kernel.asked_registers().max().map_or(all, |most| most.min(all))
    }
}
