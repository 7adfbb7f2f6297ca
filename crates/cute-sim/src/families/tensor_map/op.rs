//! Changes of tensor maps as operations of a program.

#![allow(missing_docs, reason = "data between a reader and the machine, described where it is not plain")]

use crate::operand::Slot;
use crate::race::Scope;
use cute_arch::tensor_map::MapField;
use serde::{Deserialize, Serialize};

/// Changes of a tensor map, and operations that make them visible to the TMA.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub enum TensorMapOp {
    /// `tensormap.replace`.
    Replace { address: Slot, space: u32, field: MapField, ordinal: Option<Slot>, value: Slot },
    /// `tensormap.cp_fenceproxy`: addresses and their spaces.
    Copy { to: (Slot, u32), from: (Slot, u32), scope: Scope },
    /// `fence.proxy.tensormap::generic.release`.
    Release { scope: Scope },
    /// `fence.proxy.tensormap::generic.acquire`, of the map at an address.
    Acquire { address: Slot, space: u32, scope: Scope },
}

impl TensorMapOp {
    /// Whether all lanes of a warp execute it together.
    pub(crate) fn is_together(&self) -> bool {
        matches!(self, TensorMapOp::Copy { .. })
    }

    /// The scope of its fence of the generic proxy, if it has one.
    pub(crate) fn fence_scope(&self) -> Option<Scope> {
        match self {
            TensorMapOp::Release { scope }
            | TensorMapOp::Acquire { scope, .. }
            | TensorMapOp::Copy { scope, .. } => Some(*scope),
            TensorMapOp::Replace { .. } => None,
        }
    }
}
