//! The memory that a load, a store or an atomic operation accesses.

use crate::finding::AccessKind;
use crate::race::{Order, Reach, Scope};
use cute_machine::types::Leaf;
use serde::{Deserialize, Serialize};

/// The memory accessed by a load or store.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Access {
    /// Address space of the pointer's type.
    pub space: u32,
    /// Bytes from the first to the last leaf.
    pub bytes: u64,
    /// Bytes that divide its address.
    pub align: u64,
    /// Its values, each with the register beside the first one.
    pub leaves: Box<[Leaf]>,
    /// Atomic or volatile: it does not race with other such accesses.
    pub strong: bool,
    /// The threads with which it may synchronise.
    pub scope: Scope,
    /// The order that it makes.
    pub order: Order,
}

impl Access {
    /// The accesses that it does not race with, if it is of an atomic kind.
    pub(crate) fn reach(&self, kind: AccessKind) -> Reach {
        let width = self.leaves.first().map_or(0, |leaf| leaf.bytes as u8);
        match self.scope {
            Scope::Warp => Reach { scope: Scope::Warp, ..Reach::default() },
            scope if kind.is_atomic() => Reach { width, scope },
            _ => Reach::default(),
        }
    }
}
