//! Values that threads exchange: shuffles, votes, matches and reductions.
//!
//! ```
//! use cute_machine::collective::{Shuffle, Vote};
//!
//! // `shfl.sync.up` by one lane, in segments of eight.
//! assert_eq!(Shuffle::Up.source(9, 1, 24 << 8), (8, true));
//! assert_eq!(Shuffle::Up.source(8, 1, 24 << 8), (8, false));
//! assert_eq!(Vote::Ballot.of(0b0101, 0b1111), 0b0101);
//! ```

use serde::{Deserialize, Serialize};

/// The source lane of a shuffle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Shuffle {
    /// The lane a number of lanes before.
    Up,
    /// The lane a number of lanes after.
    Down,
    /// The lane whose number differs in these bits.
    Xor,
    /// The lane of this number.
    Index,
}

impl Shuffle {
    /// The lane that a shuffle reads, and whether it exists; otherwise the lane itself (PTX ISA,
    /// `shfl.sync`).
    ///
    /// `clamp` holds the last lane of the segment in bits 0 to 4 and the segment's mask in bits 8
    /// to 12.
    pub fn source(self, lane: u32, offset: u32, clamp: u32) -> (u32, bool) {
        let (last, segment, offset) = (clamp & 31, clamp >> 8 & 31, offset & 31);
        let most = lane & segment | last & !segment;
        let least = lane & segment;
        let (from, inside) = match self {
            Shuffle::Up => (lane.wrapping_sub(offset), lane as i32 - offset as i32 >= most as i32),
            Shuffle::Down => (lane + offset, lane + offset <= most),
            Shuffle::Xor => (lane ^ offset, lane ^ offset <= most),
            Shuffle::Index => (least | offset & !segment, least | offset & !segment <= most),
        };
        if inside { (from & 31, true) } else { (lane, false) }
    }
}

/// The question of a vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Vote {
    /// Does the predicate hold in some lane?
    Any,
    /// Does it hold in every lane?
    All,
    /// Is it the same in every lane?
    Uniform,
    /// In which lanes does it hold?
    Ballot,
}

impl Vote {
    /// The answer if the predicate holds in the lanes `yes` of those that vote.
    pub fn of(self, yes: u32, lanes: u32) -> u64 {
        match self {
            Vote::Any => (yes != 0).into(),
            Vote::All => (yes == lanes).into(),
            Vote::Uniform => (yes == 0 || yes == lanes).into(),
            Vote::Ballot => yes.into(),
        }
    }
}

/// The result of the predicates that the threads of a barrier combine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BarrierVerdict {
    /// In how many threads does it hold?
    Count,
    /// Does it hold in every thread?
    All,
    /// Does it hold in some thread?
    Any,
}

impl BarrierVerdict {
    /// The result if the predicate holds in this many of all threads.
    pub fn of(self, holding: u64, all: u64) -> u64 {
        match self {
            BarrierVerdict::Count => holding,
            BarrierVerdict::All => (holding == all).into(),
            BarrierVerdict::Any => (holding > 0).into(),
        }
    }
}

/// The lanes that a value is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MatchKind {
    /// The result is the lanes with the same value.
    Any,
    /// The result is all lanes, if they have the same value.
    All,
}

impl MatchKind {
    /// The lanes that a lane gets, and whether its value agrees with theirs. `peers` are the lanes
    /// with its value.
    pub fn of(self, peers: u32, lanes: u32) -> (u32, bool) {
        match self {
            MatchKind::Any => (peers, true),
            MatchKind::All if peers == lanes => (lanes, true),
            MatchKind::All => (0, false),
        }
    }
}

/// A reduction over the lanes of a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Redux {
    /// The sum.
    Add,
    /// The bits that are set in all.
    And,
    /// The bits that are set in some.
    Or,
    /// The bits that are set in an odd number.
    Xor,
    /// The least signed number.
    MinS,
    /// The greatest signed number.
    MaxS,
    /// The least unsigned number.
    MinU,
    /// The greatest unsigned number.
    MaxU,
}

impl Redux {
    /// The result for two lanes.
    pub fn of(self, a: u32, b: u32) -> u32 {
        match self {
            Redux::Add => a.wrapping_add(b),
            Redux::And => a & b,
            Redux::Or => a | b,
            Redux::Xor => a ^ b,
            Redux::MinS => (a as i32).min(b as i32) as u32,
            Redux::MaxS => (a as i32).max(b as i32) as u32,
            Redux::MinU => a.min(b),
            Redux::MaxU => a.max(b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The `clamp` that CUDA's `__shfl_*_sync` passes for a width.
    fn clamp(kind: Shuffle, width: u32) -> u32 {
        (32 - width) << 8 | if kind == Shuffle::Up { 0 } else { 31 }
    }

    #[test]
    fn a_segment_bounds_a_shuffle() {
        for width in [1, 2, 4, 8, 16, 32] {
            for lane in 0..32 {
                for offset in 0..width {
                    let start = lane / width * width;
                    let run = |kind: Shuffle| kind.source(lane, offset, clamp(kind, width));
                    let or_own = |from: u32, inside: bool| if inside { (from, true) } else { (lane, false) };
                    assert_eq!(run(Shuffle::Index), (start + offset, true));
                    assert_eq!(run(Shuffle::Xor), (lane ^ offset, true));
                    assert_eq!(run(Shuffle::Down), or_own(lane + offset, lane + offset < start + width));
                    assert_eq!(run(Shuffle::Up), or_own(lane.wrapping_sub(offset), lane >= start + offset));
                }
            }
        }
    }
}
