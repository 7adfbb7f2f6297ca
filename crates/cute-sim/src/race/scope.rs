//! Scopes of PTX's memory model, and the two directions in which an operation orders.

/// The threads that an atomic access or a fence is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Scope {
    /// For a read or write that is not atomic: all lanes of the warp execute it together, as
    /// `.sync.aligned` requires. So the knowledge of any one of them is enough, and so is the
    /// knowledge about any one of them.
    Warp,
    Block,
    Cluster,
    /// The device, or the whole system.
    #[default]
    Device,
}

impl Scope {
    /// The scopes of atomic accesses and fences, from the narrowest on.
    pub(crate) const ALL: [Scope; 3] = [Scope::Block, Scope::Cluster, Scope::Device];

    /// The number of this scope in [`ALL`](Self::ALL).
    pub(crate) fn index(self) -> usize {
        (self as usize).saturating_sub(1)
    }
}

/// Whether an atomic access or a fence acquires, and whether it releases; a relaxed access does
/// neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Order {
    pub(crate) acquire: bool,
    pub(crate) release: bool,
    /// Whether it acquires if it is a compare-exchange that fails.
    pub(crate) failed: bool,
}

impl Order {
    pub(crate) const BOTH: Order = Order { acquire: true, release: true, failed: true };
    pub(crate) const ACQUIRE: Order = Order { acquire: true, release: false, failed: true };
    pub(crate) const RELEASE: Order = Order { acquire: false, release: true, failed: false };

    pub(crate) fn is_relaxed(self) -> bool {
        self == Order::default()
    }
}
