//! `wgmma` as operations of a program.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use super::model::Wgmma;
use crate::operand::{Piece, Slot};
use cute_arch::atoms::{Major, MmaAtom};
use serde::{Deserialize, Serialize};

/// `wgmma`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum WgmmaOp {
    Fence,
    /// `wgmma.mma_async`.
    Multiply(Box<GroupMma>),
    /// `wgmma.commit_group`.
    Commit,
    /// `wgmma.wait_group`: until at most `pending` groups are under way.
    Wait {
        pending: u32,
    },
}

impl WgmmaOp {
    pub fn multiplies(&self) -> bool {
        matches!(self, WgmmaOp::Multiply(_))
    }

    /// Whether it orders others, or closes a group of them.
    pub fn orders(&self) -> bool {
        matches!(self, WgmmaOp::Fence | WgmmaOp::Commit)
    }

    /// Whether it waits for groups.
    pub fn waits(&self) -> bool {
        matches!(self, WgmmaOp::Wait { .. })
    }

    /// Whether the four warps of a warpgroup execute it together.
    pub fn is_of_group(&self) -> bool {
        matches!(self, WgmmaOp::Fence | WgmmaOp::Multiply(_))
    }

    /// The registers that it sets.
    pub fn sets(&self) -> &[Piece] {
        match self {
            WgmmaOp::Multiply(mma) => &mma.d,
            _ => &[],
        }
    }

    /// The registers that hold A of its MMA, if they do.
    pub(super) fn registers_of_a(&self) -> Option<&[Piece]> {
        match self {
            WgmmaOp::Multiply(mma) => match &mma.a {
                WgmmaOperand::Registers(pieces) => Some(pieces),
                WgmmaOperand::Shared(_) => None,
            },
            _ => None,
        }
    }

    /// The registers that hold descriptors of shared memory.
    pub fn descriptors(&self) -> Vec<Slot> {
        let WgmmaOp::Multiply(mma) = self else { return Vec::new() };
        let a = match mma.a {
            WgmmaOperand::Shared(slot) => Some(slot),
            WgmmaOperand::Registers(_) => None,
        };
        [Some(mma.b), a].into_iter().flatten().collect()
    }
}

/// `wgmma.mma_async`: D = A * B + C.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct GroupMma {
    #[serde(with = "by_name")]
    pub model: &'static Wgmma,
    pub a: WgmmaOperand,
    /// The descriptor of B.
    pub b: Slot,
    pub c: Box<[Piece]>,
    pub d: Box<[Piece]>,
    /// Whether C is added.
    pub adds: Slot,
    /// For A and B: whether their elements are negated, and their contiguous modes.
    pub negate: [bool; 2],
    pub majors: [Major; 2],
    /// The metadata of a sparse A, and the selector of the threads whose metadata count.
    pub metadata: Option<(Slot, u32)>,
}

/// The place of an MMA's A.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum WgmmaOperand {
    Shared(Slot),
    Registers(Box<[Piece]>),
}

impl GroupMma {
    /// An MMA of a dense A with registers or descriptors of A and B, the registers of C and D, and
    /// of whether C is added; whether A and B are negated, and their contiguous modes.
    pub fn new(
        model: &'static Wgmma,
        (a, b): (WgmmaOperand, Slot),
        [c, d]: [Box<[Piece]>; 2],
        adds: Slot,
        (negate, majors): ([bool; 2], [Major; 2]),
    ) -> Self {
        GroupMma { model, a, b, c, d, adds, negate, majors, metadata: None }
    }

    /// The registers of a matrix, the first element that each holds, and how many.
    pub(super) fn elements(pieces: &[Piece], bits: u32) -> impl Iterator<Item = (Slot, u32, u32)> {
        let mut next = 0;
        pieces.iter().map(move |piece| {
            let first = next;
            next += piece.bits / bits;
            (piece.slot, first, piece.bits / bits)
        })
    }
}

crate::by_key::by_key!(by_name, Wgmma, String, |model| model.atom().name.clone(), |name| {
    MmaAtom::by_name(&name).and_then(Wgmma::of)
});
