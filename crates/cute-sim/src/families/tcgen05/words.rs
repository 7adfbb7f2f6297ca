//! Words of tensor memory by their addresses, and findings about them.

use crate::finding::{FindingKind, TensorRule};
use crate::tensor::tmem::Rect;

/// A finding about a rule of `tcgen05`.
pub(super) fn broken(rule: TensorRule) -> FindingKind {
    FindingKind::Tensor { rule: Box::new(rule) }
}

/// Lane and column of an address.
pub(super) fn lane_and_column(address: u64) -> (u32, u32) {
    (address as u32 >> 16, address as u32 & 0xffff)
}

/// The words from an address on.
pub(super) fn moved(rect: Rect, (lane, column): (u32, u32)) -> Rect {
    Rect { lane: rect.lane + lane, column: rect.column + column, ..rect }
}
