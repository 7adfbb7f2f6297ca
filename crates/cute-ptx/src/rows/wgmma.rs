//! `wgmma`: products of a warpgroup.

use super::{Family, NONE, Row, Spellings};
use crate::operation::Operation as O;

pub(super) const FAMILY: Family = Family { rows: ROWS, apart: APART, ..Family::NONE };

const ROWS: &[Row] = &[
    Row {
        operation: O::GroupFence,
        ptx: &["wgmma.fence.sync.aligned"],
        nvvm: &["wgmma.fence.aligned"],
        intrinsic: &["wgmma.fence.sync.aligned"],
    },
    Row {
        operation: O::GroupCommit,
        ptx: &["wgmma.commit_group.sync.aligned"],
        nvvm: &["wgmma.commit.group.sync.aligned"],
        intrinsic: &["wgmma.commit_group.sync.aligned"],
    },
    Row {
        operation: O::GroupWait,
        ptx: &["wgmma.wait_group.sync.aligned #count"],
        nvvm: &["wgmma.wait.group.sync.aligned | group=#count"],
        intrinsic: &["wgmma.wait_group.sync.aligned #count"],
    },
];

const APART: Spellings = Spellings {
    ptx: &["wgmma.mma_async", "wgmma.mma_async.sp"],
    nvvm: &["wgmma.mma_async"],
    intrinsic: NONE,
};
