//! Rules of `clusterlaunchcontrol`.

use serde::Serialize;

/// A rule of `clusterlaunchcontrol` that is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum ControlRule {
    /// A request after one that was refused.
    #[error("requests another cluster, although the thread has read the response that none is left")]
    AfterRefusal,
}
