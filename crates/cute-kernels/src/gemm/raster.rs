//! The order of the tiles of D: clusters process tiles in groups of rows, so that concurrent
//! clusters share rows of A and B in the L2.

use crate::code::{At, Code, Ssa, Written};

/// Rows of clusters' tiles that are walked together along N.
const GROUP: i64 = 8;

/// Tiles of clusters along M and N.
#[derive(Clone, Copy)]
pub(super) struct Tiles<'c> {
    pub along_m: Ssa<'c>,
    pub along_n: Ssa<'c>,
    /// The number of matrices, if there are several.
    pub batch: Option<Ssa<'c>>,
    /// The cluster's number, and the number of clusters.
    pub cluster: Ssa<'c>,
    pub clusters: Ssa<'c>,
}

/// A tile: its place along M and N, and its matrix if there are several.
#[derive(Clone, Copy)]
pub(super) struct Place<'c> {
    pub m: Ssa<'c>,
    pub n: Ssa<'c>,
    pub batch: Option<Ssa<'c>>,
}

impl<'c> Place<'c> {
    /// The part of a tensor that belongs to the matrix: all of it if there is one matrix.
    pub fn matrix(&self, code: &Code<'c>, tensor: Ssa<'c>) -> Written<Ssa<'c>> {
        match self.batch {
            Some(batch) => code.slice("matrix", tensor, &[At::All, At::All, At::Value(batch)]),
            None => Ok(tensor),
        }
    }
}

impl<'c> Tiles<'c> {
    /// The number of tiles.
    pub fn all(&self, code: &Code<'c>) -> Written<Ssa<'c>> {
        let each = self.of_one(code)?;
        self.batch.map_or(Ok(each), |batch| code.binary(("all", "arith.muli"), each, batch))
    }

    /// The number of tiles of a matrix.
    fn of_one(&self, code: &Code<'c>) -> Written<Ssa<'c>> {
        code.binary(("all", "arith.muli"), self.along_m, self.along_n)
    }

    /// Processes this cluster's tiles, each `every`-th from number `first` on: `carried =
    /// body(tile, place, carried)`.
    pub fn walk(
        &self,
        code: &Code<'c>,
        (first, every): (Ssa<'c>, i64),
        carried: &[Ssa<'c>],
        body: impl FnOnce(&Code<'c>, Ssa<'c>, Place<'c>, &[Ssa<'c>]) -> Written<Vec<Ssa<'c>>>,
    ) -> Written<Vec<Ssa<'c>>> {
        let skipped = code.binary(("skipped", "arith.muli"), first, self.clusters)?;
        let from = code.binary(("from", "arith.addi"), self.cluster, skipped)?;
        let step = code.binary(("step", "arith.muli"), self.clusters, code.i32(every)?)?;
        code.repeat("tile", [from, self.all(code)?, step], carried, |code, tile, carried| {
            let at = self.at(code, tile)?;
            body(code, tile, at, carried)
        })
    }

    /// The place of the tile with a number.
    pub fn at(&self, code: &Code<'c>, tile: Ssa<'c>) -> Written<Place<'c>> {
        let (mut tile, mut batch) = (tile, None);
        if self.batch.is_some() {
            let each = self.of_one(code)?;
            batch = Some(code.binary(("batch", "arith.divui"), tile, each)?);
            tile = code.binary(("of_matrix", "arith.remui"), tile, each)?;
        }
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
        Ok(Place { m, n, batch })
    }
}
