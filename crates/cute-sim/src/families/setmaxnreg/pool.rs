//! The registers of a block, which `setmaxnreg` moves from warpgroup to warpgroup.
//!
//! A block has as many registers as its threads begin with; it gets none from other blocks. The
//! number at launch is ptxas's choice, which follows from the block's size and from the number of
//! blocks that must fit on a multiprocessor at once.

use crate::lanes::GROUP;
use cute_arch::WARP;
use std::ops::Range;

/// The registers of a block.
#[derive(Debug, Clone)]
pub(crate) struct Pool {
    /// Registers of a thread, by warp.
    held: Vec<u32>,
    /// Registers that no warp holds.
    free: u32,
}

/// The registers of each block of a cluster, if there are instructions of warpgroups.
#[derive(Debug, Default)]
pub(crate) struct Pools(Vec<Pool>);

impl Pools {
    /// Those of this number of blocks.
    pub(crate) fn new(pool: &Pool, blocks: u32) -> Self {
        Pools(vec![pool.clone(); blocks as usize])
    }

    /// Those of the block with this rank.
    pub(crate) fn of(&self, rank: u32) -> &Pool {
        &self.0[rank as usize]
    }

    pub(super) fn of_mut(&mut self, rank: u32) -> &mut Pool {
        &mut self.0[rank as usize]
    }
}

impl Pool {
    /// The pool of a block with a number of warps, each thread of which begins with `at_launch`
    /// registers.
    pub(crate) fn new(at_launch: u32, warps: u32) -> Self {
        Pool { held: vec![at_launch; warps as usize], free: 0 }
    }

    /// Registers of a thread, by warp, and those that no warp holds.
    pub(crate) fn state(&self) -> (&[u32], u32) {
        (&self.held, self.free)
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
