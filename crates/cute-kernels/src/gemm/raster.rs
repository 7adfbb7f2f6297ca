//! The order of the tiles of D: clusters process tiles in groups of rows, so that concurrent
//! clusters share rows of A and B in the L2.

use crate::{At, Builder, Built, Value};

/// Rows of clusters' tiles that are walked together along N.
const GROUP: i64 = 8;

/// Tiles of clusters along M and N.
#[derive(Clone, Copy)]
pub(super) struct Tiles<'c> {
    pub along_m: Value<'c>,
    pub along_n: Value<'c>,
    /// The number of matrices, if there are several.
    pub batch: Option<Value<'c>>,
    /// The cluster's number, and the number of clusters.
    pub cluster: Value<'c>,
    pub clusters: Value<'c>,
}

/// A tile: its place along M and N, and its matrix if there are several.
#[derive(Clone, Copy)]
pub(super) struct Place<'c> {
    pub m: Value<'c>,
    pub n: Value<'c>,
    pub batch: Option<Value<'c>>,
}

impl<'c> Place<'c> {
    /// The part of a tensor that belongs to the matrix: all of it if there is one matrix.
    pub fn matrix(&self, code: &Builder<'c>, tensor: Value<'c>) -> Built<Value<'c>> {
        match self.batch {
            Some(batch) => code.named("matrix").slice(tensor, &[At::All, At::All, At::Value(batch)]),
            None => Ok(tensor),
        }
    }
}

impl<'c> Tiles<'c> {
    /// The number of tiles.
    pub fn all(&self, code: &Builder<'c>) -> Built<Value<'c>> {
        let each = self.of_one(code)?;
        self.batch.map_or(Ok(each), |batch| code.named("all").mul(each, batch))
    }

    /// The number of tiles of a matrix.
    fn of_one(&self, code: &Builder<'c>) -> Built<Value<'c>> {
        code.named("all").mul(self.along_m, self.along_n)
    }

    /// Processes this cluster's tiles, each `every`-th from number `first` on: `carried =
    /// body(tile, place, carried)`.
    pub fn walk(
        &self,
        code: &Builder<'c>,
        (first, every): (Value<'c>, i64),
        carried: &[Value<'c>],
        body: impl FnOnce(&Builder<'c>, Value<'c>, Place<'c>, &[Value<'c>]) -> Built<Vec<Value<'c>>>,
    ) -> Built<Vec<Value<'c>>> {
        let skipped = code.named("skipped").mul(first, self.clusters)?;
        let from = code.named("from").add(self.cluster, skipped)?;
        let step = code.named("step").mul(self.clusters, code.i32(every)?)?;
        code.named("tile").for_range([from, self.all(code)?, step], carried, |code, tile, carried| {
            let at = self.at(code, tile)?;
            body(code, tile, at, carried)
        })
    }

    /// The place of the tile with a number.
    pub fn at(&self, code: &Builder<'c>, tile: Value<'c>) -> Built<Place<'c>> {
        let (mut tile, mut batch) = (tile, None);
        if self.batch.is_some() {
            let each = self.of_one(code)?;
            batch = Some(code.named("batch").div_unsigned(tile, each)?);
            tile = code.named("of_matrix").rem_unsigned(tile, each)?;
        }
        let rows = code.i32(GROUP)?;
        let group = code.named("group").mul(self.along_n, rows)?;
        let which = code.named("which").div_unsigned(tile, group)?;
        let inside = code.named("inside").rem_unsigned(tile, group)?;
        let first = code.named("first").mul(which, rows)?;
        let left = code.named("left").sub(self.along_m, first)?;
        let height = code.named("height").min_unsigned(left, rows)?;
        let row = code.named("row").rem_unsigned(inside, height)?;
        let m = code.named("m").add(first, row)?;
        let n = code.named("n").div_unsigned(inside, height)?;
        Ok(Place { m, n, batch })
    }
}
