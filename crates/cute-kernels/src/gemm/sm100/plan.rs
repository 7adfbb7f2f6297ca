//! What the kernel is made of.

use melior::{Context, ir::Module};

use super::kernel::{Kernel, WARPS};
use crate::{
    Error,
    barriers::{BARRIER, Ring},
    gemm::{
        problem::Problem,
        store::{Registers, Room},
    },
    launch::{self, Launched},
};

/// Tiles that have room in tensor memory: one is multiplied while another is stored.
pub(super) const TILES: i64 = 2;
/// Columns of tensor memory that are allocated at least.
const LEAST_COLUMNS: i64 = 32;

/// Tiles and numbers.
pub(super) struct Plan {
    pub name: &'static str,
    /// Its tile is that of a block.
    pub problem: Problem,
    /// Columns of A and B in a stage.
    pub k: i64,
    pub stages: i64,
    /// Blocks that multiply one tile.
    pub ctas: i64,
    /// How a warp has sums from tensor memory.
    pub registers: Registers,
}

impl Plan {
    /// Rows and columns that are multiplied at once, and K.
    pub fn mma(&self) -> [i64; 3] {
        let [m, n] = self.problem.tile;
        [m * self.ctas, n, self.problem.numbers.k]
    }

    /// Columns of tensor memory for a tile; its second half may lie below the first.
    pub fn tile_columns(&self) -> i64 {
        self.problem.tile[1] / self.registers.boxes()
    }

    /// Columns of tensor memory that are allocated.
    pub fn columns(&self) -> i64 {
        let columns = TILES * self.tile_columns();
        (columns as u64).next_power_of_two().max(LEAST_COLUMNS as u64) as i64
    }

    /// Bytes that D goes through: two parts of it.
    fn slots_of_d(problem: &Problem, registers: Registers) -> i64 {
        2 * registers.boxes() * problem.sums.bytes()
    }

    /// Bytes that D and the bias go through.
    pub fn slots(problem: &Problem, registers: Registers) -> i64 {
        let bias = problem.finish.bias_bytes(problem.numbers.columns());
        Self::slots_of_d(problem, registers) + 2 * registers.boxes() * bias
    }

    /// Where the barriers of the stages begin, behind what D goes through, and those of tensor memory.
    pub fn barriers(&self) -> [i64; 2] {
        let first = self.stages * self.problem.stage() + Self::slots(&self.problem, self.registers);
        [first, first + Ring::bytes(self.stages)]
    }

    /// Where the address of tensor memory is written.
    pub fn address(&self) -> i64 {
        self.barriers()[1] + Ring::bytes(TILES)
    }

    /// Where D goes through: behind the stages.
    pub fn room(&self) -> Room {
        let slots = self.stages * self.problem.stage();
        let biases = slots + Self::slots_of_d(&self.problem, self.registers);
        Room { slots, biases, brought: self.address() + BARRIER }
    }

    /// The kernel and its host function.
    pub fn module(self, context: &Context) -> Result<Module<'_>, Error> {
        let [x, y] = self.problem.cluster;
        let brought = if self.problem.finish.brings() { 2 * BARRIER } else { 0 };
        let launched = Launched {
            name: self.name,
            parameters: &self.problem.parameters(),
            threads: 32 * WARPS,
            shared: self.room().brought + brought,
            cluster: (self.problem.blocks() > 1).then_some([x, y, 1]),
        };
        Ok(launch::module(
            context,
            &launched,
            |code, arguments| self.problem.prepare(code, arguments),
            |code, arguments| {
                let arguments = self.problem.arguments(code, arguments)?;
                Kernel::new(&self, *code, &arguments)?.write()
            },
        )?)
    }
}
