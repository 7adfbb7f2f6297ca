//! Rules of instructions about launches, and requests that break them.

use serde::Serialize;

crate::isa::rules! {
    "X7", "a `fence.proxy.async` and a barrier lie between a read of a response of `clusterlaunchcontrol` and the next request into the same place",
        "clusterlaunchcontrol.try_cancel", "`unfenced`, `race`";
    "C7", "a launch that may begin early uses what earlier launches access only after `griddepcontrol.wait`: see [dependent launches](#dependent-launches)",
        "griddepcontrol", "`race`; portability if the earlier launch has ended, because the one between them has waited for it";
    "C8", "no request for another cluster follows a refusal, and the first block is used only if `is_canceled` is true; with multicast each block expects 16 bytes",
        "clusterlaunchcontrol", "`launch_control`, `undefined`, `deadlock`";
}

/// A rule of `clusterlaunchcontrol` that is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum ControlRule {
    /// A request after one that was refused.
    #[error("requests another cluster, although the thread has read the response that none is left")]
    AfterRefusal,
}
