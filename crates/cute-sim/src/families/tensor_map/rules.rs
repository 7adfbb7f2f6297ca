//! Rules of changes of tensor maps, and fences that are missing beside them.

use serde::Serialize;
use std::fmt;

crate::isa::rules! {
    "X10", "a map that the kernel changed is released and then acquired before a copy uses it; one lane may release for all later users",
        "membar / fence: fence.proxy.tensormap", "`unfenced_map`";
    "X10", "a map may be changed after the loads that use it are complete, or after a `commit_group` and `wait_group.read 0` by the thread that issued them",
        "cp.async.bulk.wait_group", "`race`";
}

/// A fence that is missing between a change of a tensor map and its use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MapFence {
    /// After the change.
    Release,
    /// Before the use.
    Acquire,
}

impl fmt::Display for MapFence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MapFence::Release => {
                "and nothing makes the change visible to the TMA: a thread that has seen the change must execute \
                 `fence.proxy.tensormap::generic.release` or `tensormap.cp_fenceproxy`, and then whoever copies \
                 `fence.proxy.tensormap::generic.acquire`, whose scopes reach each other"
            }
            MapFence::Acquire => {
                "and may not see the change: the copying thread must execute `fence.proxy.tensormap::generic.acquire` for this map, after \
                 the release and with a scope that reaches it"
            }
        })
    }
}
