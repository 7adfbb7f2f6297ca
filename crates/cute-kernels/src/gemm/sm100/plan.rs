//! The parameters that follow from the options of the kernel.

use cute_arch::tmem::LEAST_COLUMNS;
use melior::{Context, ir::Module};

use super::kernel::{Kernel, STORING, WARPS};
use crate::{
    Error,
    barriers::{BARRIER, Ring},
    gemm::{
        problem::{Problem, Scheduler},
        responses::Responses,
        scales::Scales,
        store::{Registers, Room},
    },
};

/// Tiles and numbers.
pub(super) struct Plan {
    pub name: &'static str,
    /// The problem, whose tile is that of a block.
    pub problem: Problem,
    /// Columns of A and B in a stage.
    pub k: i64,
    pub stages: i64,
    /// Blocks that multiply one tile.
    pub ctas: i64,
    /// Tiles that tensor memory holds: of two, one is multiplied while the other is stored.
    pub tiles: i64,
    /// How a warp reads accumulators from tensor memory.
    pub registers: Registers,
}

impl Plan {
    /// Rows and columns of an MMA, and K.
    pub fn mma(&self) -> [i64; 3] {
        let [m, n] = self.problem.tile;
        [m * self.ctas, n, self.problem.numbers.k]
    }

    /// Columns of tensor memory per tile; its second half may lie below the first.
    pub fn tile_columns(&self) -> i64 {
        self.problem.tile[1] / self.registers.boxes()
    }

    /// The first column of the scale factors of A and of B, and the column behind them.
    pub fn scale_columns(&self) -> [i64; 3] {
        let first = self.tiles * self.tile_columns();
        let [a, b] = self.problem.scales.as_ref().map_or([0; 2], Scales::columns);
        [first, first + a, first + a + b]
    }

    /// Columns of tensor memory that are allocated.
    pub fn columns(&self) -> i64 {
        let [.., columns] = self.scale_columns();
        (columns as u64).next_power_of_two().max(LEAST_COLUMNS as u64) as i64
    }

    /// Bytes of the slots for D: two parts of it.
    fn slots_of_d(problem: &Problem, registers: Registers) -> i64 {
        2 * registers.boxes() * problem.out_tile.bytes()
    }

    /// Bytes of the slots for D and the bias.
    pub fn slots(problem: &Problem, registers: Registers) -> i64 {
        let bias = problem.finish.bias_bytes(problem.numbers.columns());
        Self::slots_of_d(problem, registers) + 2 * registers.boxes() * bias
    }

    /// Offsets of the barriers of the stages, which follow the slots of D, and of those of tensor
    /// memory.
    pub fn barriers(&self) -> [i64; 2] {
        let first = self.stages * self.problem.stage() + Self::slots(&self.problem, self.registers);
        [first, first + Ring::bytes(self.stages)]
    }

    /// Offset of the address of tensor memory.
    pub fn address(&self) -> i64 {
        self.barriers()[1] + Ring::bytes(self.tiles)
    }

    /// The slots of D, after the stages.
    pub fn room(&self) -> Room {
        let slots = self.stages * self.problem.stage();
        let biases = slots + Self::slots_of_d(&self.problem, self.registers);
        Room { slots, biases, loaded: self.address() + BARRIER }
    }

    /// The offset of the responses to requests for tiles, if there are such requests.
    pub fn responses(&self) -> Option<i64> {
        let asks = self.problem.scheduler == Scheduler::Clc;
        asks.then(|| Responses::begin(self.room().loaded + self.loaded()))
    }

    /// Bytes of the barriers of C and the bias.
    fn loaded(&self) -> i64 {
        if self.problem.finish.loads() { 2 * BARRIER } else { 0 }
    }

    /// Warps of a cluster that walk tiles: in each block one that loads and those that store, and
    /// in each pair one that multiplies.
    pub fn walkers(&self) -> i64 {
        let blocks = self.problem.blocks();
        blocks * (1 + STORING / 32) + blocks / self.ctas
    }

    /// The kernel and its host function.
    pub fn module(self, context: &Context) -> Result<Module<'_>, Error> {
        let shared = self.room().loaded + self.loaded();
        let shared = self.responses().map_or(shared, |byte| byte + Responses::BYTES);
        self.problem.module(context, (self.name, 32 * WARPS as i32, shared), |code, arguments| {
            Kernel::new(&self, code, arguments)?.write()
        })
    }
}
