//! Barriers that are used wrongly.

use serde::Serialize;
use std::fmt;

/// A fence that is missing between accesses of tensor memory by different threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TensorFence {
    /// `tcgen05.fence::before_thread_sync`, by the thread of the earlier access.
    Before,
    /// `tcgen05.fence::after_thread_sync`, by the thread of the later access.
    After,
}

impl TensorFence {
    /// Why the relaxed synchronisation of the threads does not order their accesses.
    pub(crate) fn why_unordered(self) -> &'static str {
        match self {
            TensorFence::Before => {
                "relaxed synchronisation orders tensor memory only together with fences: the thread that issued the earlier \
                 access, or waited for it, must execute `tcgen05.fence::before_thread_sync` before it arrives"
            }
            TensorFence::After => {
                "relaxed synchronisation orders tensor memory only together with fences: the thread must execute \
                 `tcgen05.fence::after_thread_sync` between its wait and this access"
            }
        }
    }
}

impl fmt::Display for TensorFence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TensorFence::Before => {
                "PTX requires a `tcgen05.fence::before_thread_sync` between that access and the synchronisation of the threads"
            }
            TensorFence::After => {
                "PTX requires a `tcgen05.fence::after_thread_sync` between the synchronisation of the threads and this access"
            }
        })
    }
}
