//! `cute-check-memory`: checks what the types of a copy do not show. It rejects what is provably
//! wrong, and accepts what it cannot see: a host function, a launch or an allocation elsewhere.
//!
//! * [`maps`]: a tensor map has the swizzle of the shared memory that its copies name. The host's
//!   function makes the map, so the pass runs before host functions leave the module.
//! * [`views`]: a view lies in its allocation.

pub(crate) mod maps;
mod views;

use cute_algebra::{Dim, Inner, Swizzle};
use cute_build::Error;
use cute_dialect::value::MemRef;
use cute_ffi::ir;
use melior::ir::operation::OperationRef;

use crate::{Built, incoming::Incoming, values::swizzle_of_bytes};

/// Runs the pass.
pub fn run<'c>(root: OperationRef<'c, 'c>) -> Built<()> {
    let ops = ir::walk(root);
    let incoming = Incoming::in_module(&ops);
    // Each reports its own errors.
    let wrong = ops.iter().filter(|op| !maps::agrees(**op, &incoming) || !views::lies_inside(**op)).count();
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
