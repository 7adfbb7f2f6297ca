//! What the kernel is made of.

use melior::{Context, ir::Module};

use super::{ATOM_M, kernel::Kernel};
use crate::{
    Error,
    barriers::{BARRIER, Ring},
    gemm::{problem::Problem, store::Room},
    launch::{self, Launched},
};

/// Tiles and numbers.
pub(super) struct Plan {
    pub name: &'static str,
    pub problem: Problem,
    /// Columns of A and B in a stage.
    pub k: i64,
    pub stages: i64,
    /// Warpgroups that multiply; one more brings tiles.
    pub consumers: i64,
    /// How many of them multiply one tile: all, or one where they take turns.
    pub together: i64,
    /// After how many K tiles sums are added to others.
    pub promote: Option<i64>,
}

impl Plan {
    /// Rows, columns and K of a tile.
    pub fn tile(&self) -> [i64; 3] {
        let [m, n] = self.problem.tile;
        [m, n, self.k]
    }

    /// Bytes that D and the bias go through: two parts of it for each warpgroup that multiplies.
    pub fn slots(problem: &Problem, consumers: i64) -> i64 {
        2 * consumers * (problem.sums.bytes() + problem.finish.bias_bytes(problem.numbers.columns()))
    }

    /// Where D goes through: behind the stages.
    pub fn room(&self) -> Room {
        let slots = self.stages * self.problem.stage();
        let biases = slots + 2 * self.consumers * self.problem.sums.bytes();
        Room { slots, biases, brought: self.barriers() + Ring::bytes(self.stages) }
    }

    /// Where the barriers begin.
    pub fn barriers(&self) -> i64 {
        self.stages * self.problem.stage() + Self::slots(&self.problem, self.consumers)
    }

    /// Bytes of dynamic shared memory.
    fn memory(&self) -> i64 {
        let brought = if self.problem.finish.brings() { 2 * self.consumers * BARRIER } else { 0 };
        self.room().brought + brought
    }

    /// The kernel and its host function.
    pub fn module(self, context: &Context) -> Result<Module<'_>, Error> {
        debug_assert_eq!(self.problem.tile[0] % ATOM_M, 0);
        let [x, y] = self.problem.cluster;
        let launched = Launched {
            name: self.name,
            parameters: &self.problem.parameters(),
            threads: 128 * (self.consumers + 1),
            shared: self.memory(),
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
