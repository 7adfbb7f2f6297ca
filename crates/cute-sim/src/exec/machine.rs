//! What all blocks of a launch share.

use super::alu::Lanes;
use super::{Launch, WARP};
use crate::memory::Memory;
use crate::memory::address::SHARED_BASE;
use crate::memory::words::Words;
use crate::program::Kernel;
use crate::race::{Cell, GlobalShadow, SyncTable};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Instructions that a block takes from the budget at once.
const ALLOWANCE: u64 = 1 << 16;

pub(super) struct Machine<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) launch: &'a Launch,
    pub(super) buffers: &'a [Words],
    /// Names of buffers.
    pub(super) names: &'a BTreeMap<u32, String>,
    pub(super) shadow: GlobalShadow,
    pub(super) sync: SyncTable,
    /// Registers that a warp begins with.
    pub(super) registers: Vec<Lanes>,
    /// For each register the lanes in which it is undefined at the beginning.
    pub(super) undefined: Vec<u32>,
    budget: AtomicU64,
    /// Number of the first block that could not go on; those behind it need not.
    stopped: AtomicU64,
}

impl<'a> Machine<'a> {
    pub(super) fn new(kernel: &'a Kernel, launch: &'a Launch, registers: &[u64], memory: &'a Memory) -> Self {
        let mut undefined = vec![0; registers.len()];
        for slot in kernel.undefined.iter().flat_map(|(slots, _)| slots.clone()) {
            undefined[slot as usize] = u32::MAX;
        }
        let Memory { buffers, names } = memory;
        let lengths = buffers.iter().map(|b| if launch.check_races { b.len() } else { 0 });
        Machine {
            kernel,
            launch,
            buffers,
            names,
            shadow: GlobalShadow::new(lengths),
            sync: SyncTable::default(),
            registers: registers.iter().map(|bits| [*bits; WARP as usize]).collect(),
            undefined,
            budget: AtomicU64::new(launch.budget),
            stopped: AtomicU64::new(u64::MAX),
        }
    }

    /// Bytes of a block's shared memory.
    pub(super) fn shared_bytes(&self) -> u64 {
        self.kernel.shared_end(self.launch.dynamic_shared) - SHARED_BASE
    }

    /// Bytes that a block takes on the host, about: registers, counters, shared memory and its shadow.
    pub(super) fn block_bytes(&self) -> u64 {
        let threads: u64 = self.launch.block.iter().map(|n| u64::from(*n)).product();
        let warps = threads.div_ceil(WARP.into());
        let cell = size_of::<Cell>() as u64;
        // Of a warp there may be a second state to compare with.
        let registers = 2 * warps * self.registers.len() as u64 * size_of::<Lanes>() as u64;
        registers + self.kernel.code.len() as u64 * 96 + self.shared_bytes() * (2 + cell / 4)
    }

    /// Some instructions of the budget; none if it is used up.
    pub(super) fn allowance(&self) -> u64 {
        let take = |left: u64| Some(left - left.min(ALLOWANCE));
        let before = self.budget.fetch_update(Relaxed, Relaxed, take).unwrap_or(0);
        before.min(ALLOWANCE)
    }

    /// Instructions that were not needed.
    pub(super) fn give_back(&self, instructions: u64) {
        self.budget.fetch_add(instructions, Relaxed);
    }

    pub(super) fn stop_at(&self, block: u32) {
        self.stopped.fetch_min(block.into(), Relaxed);
    }

    /// Has any block met something that it could not go on after?
    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed) != u64::MAX
    }

    pub(super) fn is_stopped_before(&self, block: u32) -> bool {
        self.stopped.load(Relaxed) < block.into()
    }
}
