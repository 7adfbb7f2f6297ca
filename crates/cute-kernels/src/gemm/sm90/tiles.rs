//! Which tile of D comes next: clusters take tiles in groups of rows, so that those at work share rows of A and B in the L2.

use crate::code::{Code, Ssa, Written};

/// Rows of clusters' tiles that are walked together along N.
const GROUP: i64 = 8;

/// Tiles of clusters along M and N.
#[derive(Clone, Copy)]
pub(super) struct Tiles<'c> {
    pub along_m: Ssa<'c>,
    pub along_n: Ssa<'c>,
    /// The cluster, and how many there are.
    pub cluster: Ssa<'c>,
    pub clusters: Ssa<'c>,
}

impl<'c> Tiles<'c> {
    /// How many there are.
    pub fn all(&self, code: &Code<'c>) -> Written<Ssa<'c>> {
        code.binary(("all", "arith.muli"), self.along_m, self.along_n)
    }

    /// Does something for tiles of this cluster, each `every`-th from the one of number `first` on:
    /// `carried = body(tile, [m, n], carried)`.
    pub fn walk(
        &self,
        code: &Code<'c>,
        (first, every): (Ssa<'c>, i64),
        carried: &[Ssa<'c>],
        body: impl FnOnce(&Code<'c>, Ssa<'c>, [Ssa<'c>; 2], &[Ssa<'c>]) -> Written<Vec<Ssa<'c>>>,
    ) -> Written<Vec<Ssa<'c>>> {
        let skipped = code.binary(("skipped", "arith.muli"), first, self.clusters)?;
        let from = code.binary(("from", "arith.addi"), self.cluster, skipped)?;
        let step = code.binary(("step", "arith.muli"), self.clusters, code.i32(every)?)?;
        code.repeat("tile", [from, self.all(code)?, step], carried, |code, tile, carried| {
            let at = self.at(code, tile)?;
            body(code, tile, at, carried)
        })
    }

    fn at(&self, code: &Code<'c>, tile: Ssa<'c>) -> Written<[Ssa<'c>; 2]> {
        let rows = code.i32(GROUP)?;
        let group = code.binary(("group", "arith.muli"), self.along_n, rows)?;
        let which = code.binary(("which", "arith.divui"), tile, group)?;
        let inside = code.binary(("inside", "arith.remui"), tile, group)?;
        let first = code.binary(("first", "arith.muli"), which, rows)?;
        let left = code.binary(("left", "arith.subi"), self.along_m, first)?;
        let height = code.binary(("height", "arith.minui"), left, rows)?;
        let row = code.binary(("row", "arith.remui"), inside, height)?;
        let m = code.binary(("m", "arith.addi"), first, row)?;
        let n = code.binary(("n", "arith.divui"), inside, height)?;
        Ok([m, n])
    }
}
