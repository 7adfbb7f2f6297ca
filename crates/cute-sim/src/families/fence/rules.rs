//! Rules of the async proxy, and fences that are missing.

use serde::Serialize;
use std::fmt;

crate::isa::rules! {
    "X1", "`fence.proxy.async` lies between a generic write and a read by the async proxy, in each thread that writes",
        "Async proxy", "`unfenced`; `proxy_order` if another thread executes the fence (portability)";
    "X2", "`fence.proxy.async` also lies between the writes of `cp.async` and a read by the async proxy",
        "Async proxy", "`proxy_order` (note)";
    "X3", "data that a bulk load wrote needs no fence",
        "Async proxy", "none: legal";
    "X4", "a barrier and a fence lie between a generic read and a write by the async proxy",
        "Async proxy", "`race`; `proxy_order` without the fence (portability)";
    "X5", "data that an MMA has read may be overwritten after a wait for the MMA and a barrier, without a fence",
        "Async proxy", "`race`";
    "X8", "a `fence.proxy.async` that is not restricted to shared memory lies between a generic write of global memory and its bulk load; between blocks, so do a release and an acquire",
        "Async proxy", "`unfenced`, `race`";
    "X11", "a barrier and a fence lie between `tcgen05.alloc` and a write by the async proxy over the address that it wrote",
        "tcgen05.alloc", "`race`; `proxy_order` without the fence (note)";
}

/// A fence that the instruction set requires between an access of the generic proxy and one of the
/// async proxy, and that widely used kernels omit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProxyRule {
    /// After writes by `cp.async`.
    Copy,
    /// After a read, before the bytes are overwritten.
    Read,
    /// After `tcgen05.alloc`, before the address that it wrote is overwritten.
    Allocation,
    /// By the writer, although another thread executed a fence for it.
    OwnFence,
}

impl fmt::Display for ProxyRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ProxyRule::Copy => {
                "`cp.async` writes through the generic proxy, so a `fence.proxy.async` belongs between its wait and the barrier"
            }
            ProxyRule::Read => {
                "a read through the generic proxy is ordered with a write through the async proxy by a `fence.proxy.async` \
                 between the read and the barrier"
            }
            ProxyRule::Allocation => {
                "`tcgen05.alloc` writes its address through the generic proxy, so a `fence.proxy.async` belongs between it and \
                 the write through the async proxy"
            }
            ProxyRule::OwnFence => {
                "each thread that writes must execute the `fence.proxy.async` itself, before the barrier; another thread has executed it"
            }
        })
    }
}
