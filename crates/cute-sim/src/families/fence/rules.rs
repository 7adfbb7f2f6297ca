//! Fences that are missing.

use serde::Serialize;
use std::fmt;

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
