//! MMAs as functions of the bytes of tiles.

use super::model::Wgmma;
use super::op::GroupMma;
use super::sparse::Columns;
use crate::tensor::accumulators::Accumulators;
use crate::tensor::sums::Sums;
use crate::tensor::sums::rule::Query;
use crate::tensor::tiles::Tile;
use cute_arch::atoms::Major;

/// An MMA, with everything that it reads.
#[derive(Debug)]
pub(super) struct Multiply {
    model: &'static Wgmma,
    /// For A and B: whether their elements are negated, and their contiguous modes.
    negate: [bool; 2],
    majors: [Major; 2],
    a: Matrix,
    /// The columns of the elements of A that are stored, if it is sparse.
    columns: Option<Columns>,
    b: Tile,
    /// Whether it replaces the accumulators instead of adding to them.
    fresh: bool,
}

/// A of an MMA.
#[derive(Debug)]
pub(super) enum Matrix {
    /// From registers, which must not change.
    Numbers(Vec<f32>),
    Tile(Tile),
}

impl Multiply {
    pub(super) fn new(mma: &GroupMma, (a, columns): (Matrix, Option<Columns>), b: Tile, fresh: bool) -> Self {
        let GroupMma { model, negate, majors, .. } = *mma;
        Multiply { model, negate, majors, a, columns, b, fresh }
    }

    /// The instruction, as far as its sums depend on it.
    pub(super) fn query(&self) -> Query {
        self.model.query()
    }

    /// The tiles that it reads.
    pub(super) fn tiles(&self) -> impl Iterator<Item = &Tile> {
        let a = match &self.a {
            Matrix::Tile(tile) => Some(tile),
            Matrix::Numbers(_) => None,
        };
        a.into_iter().chain([&self.b])
    }

    /// Executes the MMA: reads its matrices, and adds their product to the accumulators.
    /// `memory` has the bytes of a tile from its origin on.
    pub(super) fn multiply<'m>(
        self,
        memory: impl Fn(&Tile) -> &'m [u8],
        sums: &mut Accumulators,
        rules: Sums,
    ) {
        let Multiply { model, negate, majors, a, columns, b, fresh } = self;
        let a = match a {
            Matrix::Numbers(rows) => rows,
            Matrix::Tile(own) => model.a_of_tile(&own.tile, majors[0], memory(&own), negate[0]),
        };
        let b = model.b_of_tile(&b.tile, majors[1], memory(&b), negate[1]);
        model.multiply([&a, &b], columns.as_deref(), (fresh, rules), sums);
    }
}
