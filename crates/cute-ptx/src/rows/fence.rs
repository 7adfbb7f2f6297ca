//! Fences.

use super::{Family, Row};
use crate::keyword::keywords;
use crate::operation::Operation as O;

pub(super) const FAMILY: Family = Family { rows: ROWS, words: WORDS, ..Family::NONE };

const ROWS: &[Row] = &[
    Row {
        operation: O::Fence,
        // Those that are restricted to shared memory order all memory here.
        ptx: &[
            "fence.{order?}.{scope=cta,cluster,gpu,sys}",
            "fence.{order=acquire}.sync_restrict::shared::cluster.{scope=cluster}",
            "fence.{order=release}.sync_restrict::shared::cta.{scope=cluster}",
            "membar.{scope=cta,gl,sys}",
        ],
        nvvm: &[
            "memory.barrier | scope={scope}",
            "fence.{order=sc}.{scope=cluster}",
            "fence.sync_restrict | order={order=acquire,release}, scope=cluster",
        ],
        intrinsic: &[
            "membar.{scope=cta,gl,sys}",
            "fence.{order=sc}.{scope=cluster}",
            "fence.{order=acquire}.sync_restrict.space.cluster.{scope=scope.cluster}",
            "fence.{order=release}.sync_restrict.space.cta.{scope=scope.cluster}",
        ],
    },
    Row {
        operation: O::FenceBarriers,
        ptx: &["fence.mbarrier_init.release.cluster"],
        nvvm: &["fence.mbarrier.init"],
        intrinsic: &["fence.mbarrier_init.release.cluster"],
    },
    Row {
        operation: O::FenceProxy,
        ptx: &["fence.proxy.{proxy}", "membar.proxy.{proxy=alias}"],
        nvvm: &[
            "fence.proxy | kind={proxy}",
            "fence.proxy.sync_restrict | order={order=release}, proxy=async.shared::cta",
        ],
        intrinsic: &["fence.proxy.{proxy}"],
    },
    Row {
        operation: O::FenceMapRelease,
        ptx: &["fence.proxy.tensormap::generic.release.{scope=cta,cluster,gpu,sys}"],
        nvvm: &["fence.proxy.release | scope={scope}"],
        intrinsic: &["fence.proxy.tensormap_generic.release.{scope=cta,cluster,gpu,sys}"],
    },
    Row {
        operation: O::FenceMapAcquire,
        ptx: &["fence.proxy.tensormap::generic.acquire.{scope=cta,cluster,gpu,sys} [at], #bytes"],
        nvvm: &["fence.proxy.acquire at, bytes | scope={scope}"],
        intrinsic: &["fence.proxy.tensormap_generic.acquire.{scope=cta,cluster,gpu,sys} at, bytes"],
    },
    // Accesses of the async proxy are visible to a thread that has waited for them.
    Row {
        operation: O::Nothing,
        ptx: &["fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster"],
        nvvm: &["fence.proxy.sync_restrict | order={order=acquire}"],
        intrinsic: &["fence.proxy.async_generic.acquire.sync_restrict.space.cluster.scope.cluster"],
    },
];

keywords! {
    const WORDS;

    /// The direction in which a fence orders.
    FenceOrder "order" "#nvvm.mem_order<*>" {
        /// Both directions.
        AcquireRelease ["acq_rel"] ["acq_rel"] ["acq_rel"],
        /// Both, in one order for all threads.
        Sequential ["sc"] ["sc"] ["sc"],
        /// Later accesses stay behind it.
        Acquire ["acquire"] ["acquire"] ["acquire"],
        /// Earlier accesses stay before it.
        Release ["release"] ["release"] ["release"],
    }

    /// The accesses between which a fence of proxies orders.
    Proxy "proxy" "#nvvm.proxy_kind<*>" {
        /// The async proxy's to any memory.
        Async ["async"] ["async"] ["async"],
        /// Those to global memory.
        AsyncGlobal ["async.global"] ["async.global"] ["async.global"],
        /// Those to shared memory.
        AsyncShared
            ["async.shared::cta" "async.shared::cluster" "async::generic.release.sync_restrict::shared::cta.cluster"]
            ["async.shared"]
            ["async.shared_cta" "async.shared_cluster" "async_generic.release.sync_restrict.space.cta.scope.cluster"],
        /// Those by another address of the same memory.
        Alias ["alias"] ["alias"] ["alias"],
    }
}
