//! `cute-check-memory`: checks what the types of a copy do not show. It rejects what is provably
//! wrong, and accepts what it cannot see: a host function, a launch or an allocation elsewhere.
//!
//! * [`maps`]: a tensor map has the swizzle of the shared memory that its copies name. The host's
//!   function makes the map, so the pass runs before host functions leave the module.
//! * [`partitions`]: a copy uses the map that its boxes and coordinates were partitioned by.
//! * [`views`]: a view lies in its allocation.

pub(crate) mod maps;
mod partitions;
mod views;

use cute_algebra::{Dim, Inner, Swizzle};
use cute_build::Error;
use cute_dialect::value::MemRef;
use cute_ffi::ir;
use melior::ir::operation::OperationRef;

use self::partitions::Flow;
use crate::{Built, incoming::Incoming, values::swizzle_of_bytes};

/// Runs the pass.
pub fn run<'c>(root: OperationRef<'c, 'c>) -> Built<()> {
    let ops = ir::walk(root);
    let flow = Flow { within: Incoming::through_calls(&ops), launched: Incoming::in_module(&ops) };
    // Each reports its own errors.
    let right = |op: OperationRef<'c, 'c>| {
        maps::agrees(op, &flow.launched) && partitions::agrees(op, &flow) && views::lies_inside(op)
    };
    let wrong = ops.iter().filter(|op| !right(**op)).count();
    if wrong == 0 { Ok(()) } else { Err(Error::Reported) }
}

/// The swizzle of the byte addresses of a view, whether its pointer has it or its layout; `None` if
/// both do, or the layout has something else.
pub fn swizzle_of(view: &MemRef<'_, Dim>) -> Option<Swizzle> {
    let pointer = view.iter.swizzle;
    let Some(composed) = view.layout.as_composed() else { return Some(pointer) };
    let Inner::Swizzle(own) = composed.inner() else { return None };
    if own.is_identity() {
        return Some(pointer);
    }
    let of_bytes = swizzle_of_bytes(*own, view.iter.bits()?.into())?;
    pointer.is_identity().then_some(of_bytes)
}
