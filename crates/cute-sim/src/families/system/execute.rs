//! The effect of each call of the system.

use super::heap::{heap_allocate, heap_release};
use super::op::SystemOp;
use super::print::print;
use crate::finding::LaneFinding;
use crate::machine::issuing::Issuing;
use crate::machine::parts::Parts;

/// Executes a call of the system.
pub(crate) fn call_system(
    parts: &mut Parts<'_, '_>,
    own: &mut Issuing<'_>,
    op: &SystemOp,
) -> Result<(), LaneFinding> {
    match *op {
        SystemOp::Print { dst, format, arguments } => print(parts, own, dst, format, arguments),
        SystemOp::Allocate { dst, bytes } => heap_allocate(parts, own, dst, bytes),
        SystemOp::Release { address } => heap_release(parts, own, address),
    }
}
