//! The registers of a block, which `setmaxnreg` moves from warpgroup to warpgroup.
//!
//! A block has as many registers as its threads begin with; it gets none from other blocks. The
//! number at launch is ptxas's choice, which follows from the block's size and from the number of
//! blocks that must fit on a multiprocessor at once.

use super::WARP;
use super::device::Machine;
use super::group::GROUP;

/// The registers of a block.
#[derive(Debug, Clone)]
pub(crate) struct Pool {
    /// Registers of a thread, by warpgroup.
    pub(crate) held: Vec<u32>,
    /// Registers that no warpgroup holds.
    pub(crate) free: u32,
    /// Warps of the block; the last warpgroup may have fewer than the others.
    warps: u32,
}

impl Pool {
    pub(crate) fn new(machine: &Machine<'_>) -> Self {
        let warps = machine.warps();
        let groups = (warps as usize).div_ceil(GROUP);
        Pool { held: vec![machine.registers_at_launch(); groups], free: 0, warps }
    }

    /// Requests `count` registers per thread for a warpgroup; returns the number that it lacks.
    pub(crate) fn ask(&mut self, group: usize, count: u32) -> Result<(), u32> {
        let held = self.held[group];
        let warps = (self.warps - (group * GROUP) as u32).min(GROUP as u32);
        let change = |to: u32, from: u32| to.saturating_sub(from) * warps * WARP;
        let needed = change(count, held);
        if needed > self.free {
            return Err(needed - self.free);
        }
        self.free = self.free - needed + change(held, count);
        self.held[group] = count;
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
