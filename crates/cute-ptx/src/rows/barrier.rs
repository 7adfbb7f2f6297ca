//! Barriers of warps, blocks and clusters.

use super::{Family, Row};
use crate::keyword::keywords;
use crate::operation::Operation as O;
use crate::role::roles;
pub use cute_machine::collective::BarrierVerdict;

pub(super) const FAMILY: Family = Family { rows: ROWS, words: WORDS, roles: ROLES, ..Family::NONE };

const ROWS: &[Row] = &[
    // In front of the barrier without a predicate, which NVVM calls the same.
    Row {
        operation: O::BarrierReduce,
        ptx: &[
            "{bar|barrier}.red.{verdict=popc}.{?aligned}.u32 d:u32, id, threads?, q",
            "{bar|barrier}.cta.red.{verdict=popc}.{?aligned}.u32 d:u32, id, threads?, q",
            "{bar|barrier}.red.{verdict=and,or}.{?aligned}.pred d:pred, id, threads?, q",
            "{bar|barrier}.cta.red.{verdict=and,or}.{?aligned}.pred d:pred, id, threads?, q",
        ],
        nvvm: &["barrier id?, threads?, q -> d | reductionOp={verdict}"],
        intrinsic: &[
            "barrier.cta.red.{verdict}.{?aligned}.all id, q -> d",
            "barrier.cta.red.{verdict}.{?aligned}.count id, threads, q -> d",
        ],
    },
    Row {
        operation: O::Barrier,
        ptx: &[
            "{bar|barrier}.sync.{?aligned} id, threads?",
            "{bar|barrier}.cta.sync.{?aligned} id, threads?",
        ],
        nvvm: &["barrier0", "barrier id?, threads?"],
        intrinsic: &["barrier.cta.sync.{?aligned}.all id", "barrier.cta.sync.{?aligned}.count id, threads"],
    },
    Row {
        operation: O::BarrierArrive,
        ptx: &[
            "{bar|barrier}.arrive.{?aligned} id, threads",
            "{bar|barrier}.cta.arrive.{?aligned} id, threads",
        ],
        nvvm: &["barrier.arrive id?, threads"],
        intrinsic: &["barrier.cta.arrive.{?aligned}.count id, threads"],
    },
    Row {
        operation: O::WarpBarrier,
        ptx: &["bar.warp.sync mask"],
        nvvm: &["bar.warp.sync mask"],
        intrinsic: &["bar.warp.sync mask"],
    },
    Row {
        operation: O::ClusterArrive,
        ptx: &["barrier.cluster.arrive.{?release}.{?relaxed}.{?aligned}"],
        nvvm: &["cluster.arrive.{?relaxed} | aligned?"],
        intrinsic: &["barrier.cluster.arrive.{?relaxed}.{?aligned}"],
    },
    Row {
        operation: O::ClusterWait,
        ptx: &["barrier.cluster.wait.{?acquire}.{?aligned}"],
        nvvm: &["cluster.wait | aligned?"],
        intrinsic: &["barrier.cluster.wait.{?aligned}"],
    },
];

roles! {
    const ROLES;

    /// A number of threads.
    THREADS "threads" U32,
}

keywords! {
    const WORDS;

    [BarrierVerdict] "verdict" "#nvvm.reduction<*>" {
        (BarrierVerdict::Count) ["popc"] ["popc"] ["popc"],
        (BarrierVerdict::All) ["and"] ["and"] ["and"],
        (BarrierVerdict::Any) ["or"] ["or"] ["or"],
    }
}
