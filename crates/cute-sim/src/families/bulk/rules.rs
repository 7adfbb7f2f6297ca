//! Rules of bulk copies, and how copies break them.

use serde::Serialize;

crate::isa::rules! {
    "M18", "in each block of its mask, a multicast load needs a free slot, an initialised barrier, and all of its bytes expected",
        "cp.async.bulk.tensor", "`race`, `mbarrier`, `deadlock`";
    "M19", "bytes outside the tensor are filled, and counted",
        "cp.async.bulk.tensor", "`deadlock`";
    "X6", "before a block returns, it waits with `wait_group.read 0` until its bulk stores have read its shared memory",
        "cp.async.bulk.wait_group", "`unfinished` (note)";
    "X6", "the source of a bulk store may be overwritten after a `wait_group.read` by the thread that committed the store, and a barrier; a store by a whole warp is one store, and any of its lanes may wait",
        "cp.async.bulk.wait_group", "`race`";
    "X9", "other threads and blocks may read the result of a bulk store after a `wait_group` without `.read` by the thread that committed it, which then releases",
        "cp.async.bulk.wait_group", "`race`";
}

/// A rule of bulk copies, and what breaks it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "rule", rename_all = "snake_case")]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum BulkRule {
    /// The size of a copy without a tensor map.
    #[error("the copy has {bytes} bytes, which is not a multiple of 16")]
    Size { bytes: u64 },
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
        coordinate: i64,
        /// The element type.
        element: String,
    },
    /// The tensor map is one of the other kind.
    #[error(
        "the tensor map is one of {map}, but the instruction copies {instruction}: a map of boxes \
         (cuTensorMapEncodeTiled) goes with `.tile` or without a mode, a map of im2col (cuTensorMapEncodeIm2col) \
         with `.im2col` or `.im2col_no_offs`"
    )]
    Mode {
        /// The kind of the map.
        map: &'static str,
        /// The data that the instruction copies.
        instruction: &'static str,
    },
    /// No column of pixels of an im2col map begins like this.
    #[error("{broken}")]
    Column {
        /// The rule that is broken.
        broken: String,
    },
    /// The barrier is not in the block of the copy's destination.
    #[error(
        "the copy goes to block {target} of the cluster, but its mbarrier is in block {barrier}: both must \
         be in one block, or with `.cta_group::2` in a pair of blocks"
    )]
    BarrierElsewhere {
        /// Rank of the destination block.
        target: u32,
        /// Rank of the block of the barrier.
        barrier: u32,
    },
    /// A reduction that is not defined for elements of this type.
    #[error("elements of {element} have no reduction `{reduction}`, only elements of {taken}")]
    Reduction {
        /// The element type.
        element: String,
        reduction: String,
        /// The elements that have it.
        taken: String,
    },
    /// A store of elements that are only loaded.
    #[error(
        "the TMA pads elements of 4 bits to bytes when it loads them, but does not store them from bytes: \
         pack them in shared memory, and store them by a tensor map of packed elements"
    )]
    NotStored,
    /// The simulator does not model it.
    #[error("{what} is not modelled")]
    NotModelled {
        /// The unmodelled feature.
        what: String,
    },
}
