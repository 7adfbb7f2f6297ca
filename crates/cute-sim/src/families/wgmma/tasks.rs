//! MMAs as functions of the bytes of tiles.

use super::model::{Operands, Wgmma};
use crate::tensor::accumulators::Accumulators;
use crate::tensor::sums::Sums;
use crate::tensor::tiles::Tile;

/// An MMA, with everything that it reads.
#[derive(Debug)]
pub(super) struct Multiply {
    pub(super) model: &'static Wgmma,
    pub(super) operands: Operands,
    /// Whether it replaces the accumulators instead of adding to them.
    pub(super) fresh: bool,
}

impl Multiply {
    /// Executes the MMA. `memory` has the bytes of a tile from its origin on.
    pub(super) fn multiply<'m>(
        self,
        memory: impl Fn(&Tile) -> &'m [u8],
        sums: &mut Accumulators,
        rules: Sums,
    ) {
        let Multiply { model, operands, fresh } = self;
        model.execute(operands, memory, (fresh, rules), sums);
    }
}
