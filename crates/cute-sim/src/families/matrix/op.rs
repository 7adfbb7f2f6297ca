//! Matrix instructions of a warp, as a program holds them.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use super::mma::Mma;
use super::rows::Matrices;
use crate::operand::{Piece, Slot};
use cute_machine::format::Rounding;
use serde::{Deserialize, Serialize};

/// An instruction of all lanes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum MatrixOp {
    /// `mma.sync`.
    Multiply(Box<WarpProduct>),
    /// `ldmatrix`: the first lanes hold the addresses of rows.
    Load {
        #[serde(with = "models::matrices")]
        model: &'static Matrices,
        address: Slot,
        registers: Box<[Piece]>,
    },
    /// `stmatrix`, likewise.
    Store {
        #[serde(with = "models::matrices")]
        model: &'static Matrices,
        address: Slot,
        registers: Box<[Piece]>,
    },
}

/// D = A * B + C.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WarpProduct {
    #[serde(with = "models::mma")]
    pub model: &'static Mma,
    /// The rounding of sums in f64.
    pub rounding: Rounding,
    pub a: Box<[Piece]>,
    pub b: Box<[Piece]>,
    pub c: Box<[Piece]>,
    pub d: Box<[Piece]>,
    pub scales: Option<MmaScales>,
}

/// The scale factors of an `mma.sync`: those of A, and of B.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct MmaScales {
    /// A word of each lane.
    pub words: [Piece; 2],
    /// The byte selector and the thread selector.
    pub selectors: [[Slot; 2]; 2],
}

impl MatrixOp {
    /// The registers of the matrices that it multiplies or adds.
    pub(crate) fn factors(&self) -> impl Iterator<Item = Slot> + '_ {
        let all = match self {
            MatrixOp::Multiply(product) => Some([&product.a, &product.b, &product.c]),
            MatrixOp::Load { .. } | MatrixOp::Store { .. } => None,
        };
        all.into_iter().flatten().flat_map(|matrix| matrix.iter().map(|piece| piece.slot))
    }

    /// The registers that it stores.
    pub(crate) fn stored(&self) -> Option<&[Piece]> {
        match self {
            MatrixOp::Store { registers, .. } => Some(registers),
            MatrixOp::Multiply(_) | MatrixOp::Load { .. } => None,
        }
    }

    /// The registers that it sets.
    pub fn sets(&self) -> &[Piece] {
        match self {
            MatrixOp::Multiply(product) => &product.d,
            MatrixOp::Load { registers, .. } => registers,
            MatrixOp::Store { .. } => &[],
        }
    }
}

/// Models in the byte form.
mod models {
    use super::super::rows::MatrixMove;
    use super::{Matrices, Mma};
    use crate::by_key::by_key;
    use cute_arch::atoms::{MatrixElement, MmaAtom};

    by_key!(mma, Mma, String, |model| model.atom().name.clone(), |name| MmaAtom::by_name(&name)
        .and_then(Mma::of));

    by_key!(matrices, Matrices, (MatrixMove, MatrixElement, u32, bool), |model| model.key(), |key| {
        Matrices::new(key.0, key.1, key.2, key.3).ok()
    });
}
