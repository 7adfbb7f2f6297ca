//! Where the memory of a value was allocated, as far as static offsets tell.

use cute_algebra::{AnyLayout, Dim, Sliceable, Tuple};
use cute_dialect::{
    ops::OpKind,
    types::value_of,
    value::{Space, Value as Cute},
};
use cute_ffi::ir::{self, op_name};
use melior::ir::{Value, operation::OperationRef};

/// The allocation that a pointer or a view begins in, and the bits before it.
pub fn allocation<'c>(mut value: Value<'c, 'c>) -> Option<(OperationRef<'c, 'c>, i64)> {
    let mut before = 0i64;
    loop {
        let op = ir::definer(value)?;
        let operand = |i: usize| ir::operands(op).get(i).copied();
        let own = value_of(ir::type_of(value)).into_owned();
        let offset = match OpKind::from_name(op_name(op))? {
            OpKind::MemRefAllocSmem => return Some((op, before)),
            OpKind::MemRefAlloca | OpKind::MmaMakeFragment | OpKind::MakeFragmentLike => {
                let local = matches!(own, Cute::MemRef(view) if view.iter.space == Space::Rmem);
                return local.then_some((op, before));
            }
            OpKind::AddOffset => {
                let Cute::Ptr(ptr) = own else { return None };
                let Cute::IntTuple(offset) = value_of(ir::type_of(operand(1)?)).into_owned() else {
                    return None;
                };
                bits(&offset, ptr.bits())?
            }
            OpKind::Slice => {
                let whole = value_of(ir::type_of(operand(0)?)).into_owned();
                let at = value_of(ir::type_of(operand(1)?)).into_owned();
                let (Cute::MemRef(view), Cute::Coord(at)) = (whole, at) else { return None };
                let AnyLayout::Plain(layout) = &view.layout else { return None };
                let (_, offset) = layout.slice_and_offset(&at).ok()?;
                bits(&offset, view.iter.bits())?
            }
            // These begin where their operand begins.
            OpKind::GetIter | OpKind::RecastIter | OpKind::MakeView | OpKind::GroupModes => 0,
            _ => return None,
        };
        before = before.checked_add(offset)?;
        value = operand(0)?;
    }
}

/// A static offset in elements of a size, in bits. Elements without a size are not moved by 0.
fn bits(offset: &Tuple<Dim>, elem: Option<u32>) -> Option<i64> {
    match offset.as_leaf()?.as_static()? {
        0 => Some(0),
        offset => offset.checked_mul(elem?.into()),
    }
}
