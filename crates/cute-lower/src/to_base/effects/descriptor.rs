//! TMA descriptors, which the host makes.

use cute_algebra::Width;
use cute_dialect::{
    ops::tma::{DescribedTensor, describe},
    types::llvm_pointer,
    value::{CoordTensor, Space, Value as Cute},
};
use cute_ffi::ir::{self, op_name};
use melior::ir::attribute::{DenseI32ArrayAttribute, StringAttribute};

use super::{Lowered, Site};
use crate::{
    Builder,
    emit::{Emit, Expr},
    to_base::values::Made,
};

/// `atom.make_non_exec_tiled_tma_load`, `_store` and `_reduce`: the host encodes the descriptor,
/// and the atom is its address. Attributes hold all static properties of the descriptor.
pub fn make<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let b = Builder::before(at.op);
    let function = ir::enclosing_isolated(at.op);
    if function.and_then(ir::enclosing_isolated).is_some_and(|m| op_name(m) == "gpu.module") {
        return b.refuse("a descriptor is made by the host: pass it to the kernel");
    }
    let DescribedTensor { plan, boxes, .. } = at.ask(describe(at.call))?;
    let Cute::MemRef(tensor) = &*at.call.operands[0] else {
        return b.refuse("a descriptor is of a memref");
    };
    let number = |n: &Emit<'c>| at.graph().value(&n.materialize(Width::I64));
    let address = at.graph().value(&tensor.iter.address);
    let extents = plan.modes.iter().map(|mode| number(&mode.extent));
    let strides = plan.modes.iter().map(|mode| number(&mode.stride));
    let operands: Vec<_> = std::iter::once(address).chain(extents).chain(strides).collect();
    let (c, rank) = (b.context(), plan.modes.len() as i32);
    let list = |numbers: &[i32]| DenseI32ArrayAttribute::new(c, numbers).into();
    let text = |text: String| StringAttribute::new(c, &text).into();
    let boxed: Vec<_> = plan.modes.iter().map(|mode| mode.boxed as i32).collect();
    let attributes = [
        ("box_shape", list(&boxed)),
        ("element", text(plan.element.to_string())),
        ("swizzle", text(plan.swizzle.to_string())),
        ("operandSegmentSizes", list(&[1, rank, rank])),
    ];
    let map = b.typed("cuda.tensor_map", &operands, llvm_pointer(c, Space::Generic), &attributes)?;
    let map = Expr::Value(at.graph().clone(), map);
    let coordinates = Cute::CoordTensor(CoordTensor { origin: boxes.origin(), layout: boxes.coordinates });
    Ok(vec![Made::Leaves(vec![map]), Made::Value(coordinates)])
}
