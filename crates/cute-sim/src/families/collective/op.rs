//! Operations of the lanes of a warp together, as a program holds them.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use crate::operand::Slot;
use cute_machine::collective::{MatchKind, Redux, Shuffle, Vote};
use serde::{Deserialize, Serialize};

/// An operation of the lanes of a mask together; without a mask, of all lanes of the warp.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct CollectiveOp {
    pub mask: Option<Slot>,
    pub act: CollectiveAct,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum CollectiveAct {
    /// `in_range`: whether the source lane exists.
    Shuffle {
        kind: Shuffle,
        dst: Slot,
        value: Slot,
        offset: Slot,
        clamp: Slot,
        in_range: Option<Slot>,
    },
    Vote {
        kind: Vote,
        dst: Slot,
        predicate: Slot,
    },
    /// Lanes with the same value. `flag`: whether those of the result agree.
    Match {
        kind: MatchKind,
        dst: Slot,
        value: Slot,
        flag: Option<Slot>,
    },
    /// `leader`: the lane that is elected.
    Elect {
        dst: Slot,
        leader: Option<Slot>,
    },
    Reduce {
        kind: Redux,
        dst: Slot,
        value: Slot,
    },
    /// The least, or the greatest, float; of magnitudes, or NaN if there is one.
    ReduceFloat {
        least: bool,
        magnitudes: bool,
        nan: bool,
        dst: Slot,
        value: Slot,
    },
    /// `movmatrix`: an 8 x 8 matrix of 16-bit elements, turned.
    Transpose {
        dst: Slot,
        value: Slot,
    },
}

/// The registers of a shuffle.
pub(crate) struct Shuffled {
    pub(crate) dst: Slot,
    pub(crate) value: Slot,
    /// The bits in which the number of the source lane differs, of `shfl.bfly`.
    pub(crate) differs: Option<Slot>,
}

impl CollectiveOp {
    /// Whether it waits only for those lanes of its mask that have not returned (PTX ISA, "all
    /// non-exited threads corresponding to membermask"). `elect.sync` waits for all lanes of its
    /// mask, and an `.aligned` instruction for all lanes of the warp.
    pub(crate) fn excuses_returned(&self) -> bool {
        !matches!(self.act, CollectiveAct::Elect { .. } | CollectiveAct::Transpose { .. })
    }

    /// Whether it elects a lane.
    pub fn elects(&self) -> bool {
        matches!(self.act, CollectiveAct::Elect { .. })
    }

    pub(crate) fn shuffled(&self) -> Option<Shuffled> {
        match self.act {
            CollectiveAct::Shuffle { kind, dst, value, offset, .. } => {
                Some(Shuffled { dst, value, differs: (kind == Shuffle::Xor).then_some(offset) })
            }
            _ => None,
        }
    }

    /// The registers whose values have an effect.
    pub(crate) fn uses(&self) -> Vec<Slot> {
        self.mask.into_iter().collect()
    }

    /// The registers that it sets.
    pub fn sets(&self) -> impl Iterator<Item = Slot> + use<> {
        let (dst, other) = match self.act {
            CollectiveAct::Shuffle { dst, in_range: other, .. }
            | CollectiveAct::Match { dst, flag: other, .. }
            | CollectiveAct::Elect { dst, leader: other } => (dst, other),
            CollectiveAct::Vote { dst, .. }
            | CollectiveAct::Reduce { dst, .. }
            | CollectiveAct::ReduceFloat { dst, .. }
            | CollectiveAct::Transpose { dst, .. } => (dst, None),
        };
        [Some(dst), other].into_iter().flatten()
    }

    /// The registers that it sets, each with those that its value comes from.
    pub(crate) fn flows(&self) -> Vec<(Slot, Vec<Slot>)> {
        match self.act {
            CollectiveAct::Shuffle { dst, value, offset, clamp, in_range, .. } => {
                let found = in_range.map(|slot| (slot, vec![offset, clamp]));
                found.into_iter().chain([(dst, vec![value, offset, clamp])]).collect()
            }
            CollectiveAct::Vote { dst, predicate, .. } => vec![(dst, vec![predicate])],
            CollectiveAct::Match { dst, value, flag, .. } => {
                flag.into_iter().chain([dst]).map(|slot| (slot, vec![value])).collect()
            }
            CollectiveAct::Elect { .. } => Vec::new(),
            CollectiveAct::Reduce { dst, value, .. }
            | CollectiveAct::ReduceFloat { dst, value, .. }
            | CollectiveAct::Transpose { dst, value } => vec![(dst, vec![value])],
        }
    }

    /// The same, if lanes learn nothing from each other but a predicate, or who is elected.
    pub(crate) fn plain_flows(&self) -> Option<Vec<(Slot, Vec<Slot>)>> {
        match self.act {
            CollectiveAct::Vote { dst, predicate, .. } => Some(vec![(dst, vec![predicate])]),
            CollectiveAct::Elect { dst, leader: None } => Some(vec![(dst, Vec::new())]),
            _ => None,
        }
    }
}
