//! The parameters that follow from the options of the kernel.

use melior::{Context, ir::Module};

use super::kernel::Kernel;
use crate::{
    Error,
    barriers::{BARRIER, Ring},
    gemm::{
        problem::Problem,
        shares::{GROUP, Shares},
        store::Room,
    },
};

/// Tiles and numbers.
pub(super) struct Plan {
    pub name: &'static str,
    pub problem: Problem,
    /// Columns of A and B in a stage.
    pub k: i64,
    pub stages: i64,
    /// Warpgroups along M and N, which multiply a tile together; one more loads tiles.
    pub groups: [i64; 2],
    pub registers: Shares,
}

impl Plan {
    /// Rows, columns and K of a tile.
    pub fn tile(&self) -> [i64; 3] {
        let [m, n] = self.problem.tile;
        [m, n, self.k]
    }

    /// Warpgroups that multiply.
    pub fn all_groups(&self) -> i64 {
        self.groups[0] * self.groups[1]
    }

    /// Bytes of the slots for D and the bias: two parts of D for each group.
    pub fn slots(problem: &Problem, groups: i64) -> i64 {
        2 * groups * (problem.out_tile.bytes() + problem.finish.bias_bytes(problem.numbers.columns()))
    }

    /// The slots of D, after the stages.
    pub fn room(&self) -> Room {
        let slots = self.stages * self.problem.stage();
        let biases = slots + 2 * self.all_groups() * self.problem.out_tile.bytes();
        Room { slots, biases, loaded: self.barriers() + Ring::bytes(self.stages) }
    }

    /// Offset of the barriers.
    pub fn barriers(&self) -> i64 {
        self.stages * self.problem.stage() + Self::slots(&self.problem, self.all_groups())
    }

    /// Bytes of dynamic shared memory.
    fn memory(&self) -> i64 {
        let loaded = if self.problem.finish.loads() { 2 * self.all_groups() * BARRIER } else { 0 };
        self.room().loaded + loaded
    }

    /// The kernel and its host function.
    pub fn module(self, context: &Context) -> Result<Module<'_>, Error> {
        let threads = GROUP as i32 * (self.all_groups() as i32 + 1);
        self.problem.module(context, (self.name, threads, self.memory()), |code, arguments| {
            Kernel::new(&self, code, arguments)?.write()
        })
    }
}
