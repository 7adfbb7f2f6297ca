//! Scopes of PTX's memory model, and the two directions in which an operation orders.

use serde::{Deserialize, Serialize};

/// The threads that an atomic access or a fence is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Scope {
    /// For a read or write that is not atomic: all lanes of the warp execute it together, as
    /// `.sync.aligned` requires. So the knowledge of any one of them is enough, and so is the
    /// knowledge about any one of them.
    Warp,
    /// The threads of a block.
    Block,
    /// The threads of a cluster.
    Cluster,
    /// The device, or the whole system.
    #[default]
    Device,
}

impl Scope {
    /// The scopes of atomic accesses and fences, from the narrowest on.
    pub const ALL: [Scope; 3] = [Scope::Block, Scope::Cluster, Scope::Device];

    /// The number of this scope in [`ALL`](Self::ALL).
    pub fn index(self) -> usize {
        (self as usize).saturating_sub(1)
    }
}

/// Whether an atomic access or a fence acquires, and whether it releases; a relaxed access does
/// neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Order {
    /// Later accesses stay behind it.
    pub acquire: bool,
    /// Earlier accesses stay before it.
    pub release: bool,
    /// Whether it acquires if it is a compare-exchange that fails.
    pub failed: bool,
}

impl Order {
    /// `acq_rel`.
    pub const BOTH: Order = Order { acquire: true, release: true, failed: true };
    /// `acquire`.
    pub const ACQUIRE: Order = Order { acquire: true, release: false, failed: true };
    /// `release`.
    pub const RELEASE: Order = Order { acquire: false, release: true, failed: false };

    /// Whether it neither acquires nor releases.
    pub fn is_relaxed(self) -> bool {
        self == Order::default()
    }
}
