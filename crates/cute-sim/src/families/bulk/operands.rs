//! The operands of a bulk copy, in the registers of a warp.

use super::op::{Bulk, BulkFar, BulkMove};
use crate::finding::LaneFinding;
use crate::program::Kernel;
use crate::registers::Registers;

/// Whether the operands of a copy are defined in all these lanes.
pub(super) fn are_defined(
    bulk: &Bulk,
    registers: &Registers,
    kernel: &Kernel,
    active: u32,
) -> Result<(), LaneFinding> {
    let defined = |slot, role| registers.defined(kernel, slot, active, role);
    defined(bulk.shared, "address")?;
    match &bulk.far {
        BulkFar::Box { map, coordinates, .. } => {
            defined(*map, "address of the tensor map")?;
            coordinates.iter().try_for_each(|slot| defined(*slot, "coordinate"))?;
        }
        BulkFar::Global { address, size } | BulkFar::Shared { address, size } => {
            defined(*address, "address")?;
            defined(*size, "size")?;
        }
    }
    match bulk.moves {
        BulkMove::Load { barrier, mask, .. } => {
            defined(barrier, "address of the mbarrier")?;
            mask.map_or(Ok(()), |mask| defined(mask, "multicast mask"))
        }
        BulkMove::Store { bytes, .. } => bytes.map_or(Ok(()), |mask| defined(mask, "mask of bytes")),
    }
}
