//! Tensor maps that a kernel changes: the fences that make changes visible to the TMA.
//!
//! A change is an access of the generic proxy, and the TMA reads maps through a separate proxy. So
//! after the change, a thread that has seen it must release it, and after that, a thread that has
//! seen the release must acquire the map. Copies by threads that have seen the acquire use the map
//! as it is then. Both the release and the acquire are acts of an agent, so that the knowledge of
//! them follows from barriers like all other knowledge.

use crate::race::{Known, Scope};
use std::collections::HashMap;

/// Releases, and acquires of a map, that are kept; older ones are forgotten.
pub(crate) const MOST: usize = 256;

#[derive(Debug, Default)]
pub(crate) struct MapFences {
    pub(crate) released: Vec<Fence>,
    pub(crate) acquired: Vec<(Map, Fence)>,
    /// The agent for the fences of each thread.
    pub(crate) agents: HashMap<u32, u32>,
}

/// A buffer of global memory, and where in it a map begins.
pub(crate) type Map = (u32, usize);

/// A fence, and the changes that are visible after it.
#[derive(Debug)]
pub(crate) struct Fence {
    pub(crate) agent: u32,
    pub(crate) time: u32,
    /// The number of its block, and its scope.
    pub(crate) block: u32,
    pub(crate) scope: Scope,
    pub(crate) visible: Known,
}

/// The missing step between a change of a map and its use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MapGap {
    Release,
    Acquire,
}

impl Fence {
    /// Whether this fence and one of a thread of `block` with `scope` reach each other.
    pub(crate) fn meets(&self, block: u32, scope: Scope) -> bool {
        let narrow = self.scope.min(scope);
        if self.block == block { narrow >= Scope::Block } else { narrow >= Scope::Cluster }
    }
}
