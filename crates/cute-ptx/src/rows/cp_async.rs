//! Copies of threads: `cp.async`, in groups.

use super::{Family, Row};
use crate::operation::Operation as O;

pub(super) const FAMILY: Family = Family { rows: ROWS, ..Family::NONE };

const ROWS: &[Row] = &[
    // A register of bits is the number of bytes that are read, and a predicate says that none are.
    Row {
        operation: O::AsyncCopy,
        ptx: &[
            "cp.async.{ca|cg}.shared.global.{!L2::cache_hint}.{hint*} [at@shared], [from@global], #count, _:u64",
            "cp.async.{ca|cg}.shared::cta.global.{!L2::cache_hint}.{hint*} [at@shared], [from@global], #count, _:u64",
            "cp.async.{ca|cg}.shared.global.{!L2::cache_hint}.{hint*} [at@shared], [from@global], #count, bytes, _:u64",
            "cp.async.{ca|cg}.shared::cta.global.{!L2::cache_hint}.{hint*} [at@shared], [from@global], #count, bytes, _:u64",
            "cp.async.{ca|cg}.shared.global.{hint*} [at@shared], [from@global], #count, bytes?",
            "cp.async.{ca|cg}.shared::cta.global.{hint*} [at@shared], [from@global], #count, bytes?",
        ],
        nvvm: &["cp.async.shared.global at, from, bytes? | size=#count, modifier={ca|cg}"],
        intrinsic: &[
            "cp.async.ca.shared.global.{4|8|16} at, from",
            "cp.async.ca.shared.global.{4|8|16}.{!s} at, from, bytes",
            "cp.async.cg.shared.global.{!16} at, from",
            "cp.async.cg.shared.global.{!16}.{!s} at, from, bytes",
        ],
    },
    Row {
        operation: O::AsyncCommit,
        ptx: &["cp.async.commit_group"],
        nvvm: &["cp.async.commit.group"],
        intrinsic: &["cp.async.commit.group"],
    },
    Row {
        operation: O::AsyncWait,
        ptx: &["cp.async.wait_group #count", "cp.async.wait_all"],
        nvvm: &["cp.async.wait.group | n=#count"],
        intrinsic: &["cp.async.wait.group #count", "cp.async.wait.all"],
    },
];
