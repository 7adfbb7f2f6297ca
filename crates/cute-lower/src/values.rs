//! Values whose form earlier checks guarantee.

use cute_algebra::{Dim, Swizzle};
use cute_dialect::{
    types::value_of,
    value::{Machine, MemRef, Value as Cute},
};
use cute_ffi::ir;
use melior::ir::{
    Value,
    attribute::{DenseI32ArrayAttribute, TypeAttribute},
    operation::OperationRef,
    r#type::IntegerType,
};

use crate::{Builder, Built};

/// The first result of an op that has one.
pub fn result<'c>(op: OperationRef<'c, 'c>) -> Value<'c, 'c> {
    ir::result(op, 0).unwrap_or_else(|| panic!("'{}' has a result", ir::op_name(op)))
}

/// The memref of a value that the verifier has checked to be a view.
pub fn view_of<'c>(value: Value<'c, 'c>) -> MemRef<'c, Dim> {
    match value_of(ir::type_of(value)).into_owned() {
        Cute::MemRef(view) => view,
        other => panic!("the verifier requires a memref, but accepted {}", other.what()),
    }
}

/// Bits of an element of a view; an error where elements have no size.
pub fn bits_of<I: Machine>(b: &Builder<'_>, view: &MemRef<'_, I>) -> Built<i64> {
    match view.iter.bits() {
        Some(bits) => Ok(bits.into()),
        None => b.refuse("accesses elements that have no size"),
    }
}

/// The address `bytes` after another.
pub fn displaced<'c>(b: &Builder<'c>, base: Value<'c, 'c>, bytes: i32) -> Built<Value<'c, 'c>> {
    let byte = IntegerType::new(b.context(), 8).into();
    let index = DenseI32ArrayAttribute::new(b.context(), &[bytes]).into();
    let attributes = [("rawConstantIndices", index), ("elem_type", TypeAttribute::new(byte).into())];
    b.typed("llvm.getelementptr", &[base], ir::type_of(base), &attributes)
}

/// The swizzle of byte addresses that a swizzle of elements is: an element of `bits` is `bits / 8`
/// bytes, so the fields move up by log2 of that. `None` if elements do not divide bytes evenly.
pub fn swizzle_of_bytes(swizzle: Swizzle, bits: i64) -> Option<Swizzle> {
    let bits = u32::try_from(bits).ok().filter(|bits| bits.is_power_of_two())?;
    let base = i64::from(swizzle.base()) + i64::from(bits.ilog2()) - 3;
    Swizzle::new(swizzle.bits().into(), base, swizzle.shift().into()).ok()
}
