//! Bulk copies that break a rule.

use serde::Serialize;

/// A rule of `clusterlaunchcontrol` that is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum ControlRule {
    /// A request behind one that was refused.
    #[error("asks for another cluster, and the thread knows of the answer that there is none left")]
    AfterRefusal,
}

/// A rule of bulk copies, and what breaks it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum BulkRule {
    /// The size of a copy without a tensor map.
    #[error("the copy has {bytes} bytes, which is not a multiple of 16")]
    Size {
        /// The bytes.
        bytes: u64,
    },
    /// The coordinates do not fit the tensor map.
    #[error("{coordinates} coordinates for a tensor map of rank {rank}")]
    Rank {
        /// Coordinates of the instruction.
        coordinates: usize,
        /// Modes of the map.
        rank: usize,
    },
    /// Elements smaller than a byte are reached in groups.
    #[error(
        "coordinate {coordinate} along mode 0 is not at the beginning of a group of elements of {element}"
    )]
    Coordinate {
        /// The coordinate.
        coordinate: i64,
        /// The element type.
        element: String,
    },
    /// The barrier is not where the copy goes.
    #[error(
        "the copy goes to block {target} of the cluster, and its mbarrier is in block {barrier}: both have to be in one block, or \
         with `.cta_group::2` in a pair of blocks"
    )]
    BarrierElsewhere {
        /// Rank of the block that the copy goes to.
        target: u32,
        /// Rank of the block of the barrier.
        barrier: u32,
    },
    /// A reduction that elements of this type do not have.
    #[error("elements of {element} have no reduction `{reduction}`")]
    Reduction {
        /// The element type.
        element: String,
        /// The reduction.
        reduction: String,
    },
    /// The simulator does not know it.
    #[error("{what} is not modelled")]
    NotModelled {
        /// What that is.
        what: String,
    },
}
