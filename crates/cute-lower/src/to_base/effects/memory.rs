//! Loads and stores of single elements. An element of less than a byte is [`packed`] with others.

pub(super) mod packed;
mod vector;

use std::rc::Rc;

use cute_dialect::{atom::storage, ops::tensors, types::bit_width, value::Ptr};
use cute_ffi::ir;
use melior::ir::{Attribute, Type, TypeLike, Value, operation::OperationRef};

use super::{super::coordinates, Lowered, Site};
use crate::{
    Builder, Built,
    emit::{Emit, Graph, ops::op as emit_op},
};
pub use vector::{load_vector, store_vector};

/// `memref.load`.
pub fn load<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let ptr = at.ask(tensors::address(at.call))?;
    let ptr = coordinates::address(at.graph(), at.call, ptr);
    at.made([read(at.op, at.graph(), &ptr)?])
}

/// `memref.store`.
pub fn store<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let ptr = at.ask(tensors::address(at.call))?;
    let ptr = coordinates::address(at.graph(), at.call, ptr);
    write(at.op, at.graph(), &ptr, at.operand(2))?;
    Ok(Vec::new())
}

/// The address of an access, and its alignment.
fn accessed<'c>(
    op: OperationRef<'c, 'c>,
    graph: &Rc<Graph<'c>>,
    ptr: &Ptr<'c, Emit<'c>>,
) -> (Value<'c, 'c>, Attribute<'c>) {
    let ptr = ptr.swizzled();
    (graph.value(&ptr.address), Builder::before(op).attr(ptr.align))
}

/// Loads the element at `ptr`.
fn read<'c>(
    op: OperationRef<'c, 'c>,
    graph: &Rc<Graph<'c>>,
    ptr: &Ptr<'c, Emit<'c>>,
) -> Built<Value<'c, 'c>> {
    if ptr.is_packed() {
        return packed::load(op, graph, ptr);
    }
    let elem = ptr.elem.expect("an access is to elements");
    let (address, align) = accessed(op, graph, ptr);
    let loaded = emit_op(op, "llvm.load", &[address], held(op, elem)?, &[("alignment", align)]);
    Ok(bits_as(op, loaded, elem))
}

/// Stores an element at `ptr`.
fn write<'c>(
    op: OperationRef<'c, 'c>,
    graph: &Rc<Graph<'c>>,
    ptr: &Ptr<'c, Emit<'c>>,
    value: Value<'c, 'c>,
) -> Built<()> {
    if ptr.is_packed() {
        return packed::store(op, graph, ptr, value);
    }
    let value = bits_as(op, value, held(op, ptr.elem.expect("an access is to elements"))?);
    write_held(op, graph, ptr, value)
}

/// Stores bits of LLVM's own types at `ptr`.
fn write_held<'c>(
    op: OperationRef<'c, 'c>,
    graph: &Rc<Graph<'c>>,
    ptr: &Ptr<'c, Emit<'c>>,
    value: Value<'c, 'c>,
) -> Built<()> {
    let (address, align) = accessed(op, graph, ptr);
    Builder::before(op).effect("llvm.store", &[value, address], &[("alignment", align)])?;
    Ok(())
}

/// The type of LLVM that an element is loaded and stored as: an integer for floats that LLVM lacks.
fn held<'c>(op: OperationRef<'c, 'c>, elem: Type<'c>) -> Built<Type<'c>> {
    let t = storage(ir::context(op), elem);
    // MLIR's bitcast does not accept signed or unsigned integers, and treats tf32 as a type of 19
    // bits.
    let same_bits = elem.is_float() && Some(ir::float_width(elem)) == bit_width(elem);
    if t == elem || same_bits {
        return Ok(t);
    }
    refuse_single(op, elem)
}

fn refuse_single<'c, T>(op: OperationRef<'c, 'c>, elem: Type<'c>) -> Built<T> {
    let bits = bit_width(elem).expect("an element has a width");
    Builder::before(op).refuse(&format!("a single {elem} is not supported; recast the iterator to i{bits}"))
}

/// Reinterprets a value as another type of the same width.
fn bits_as<'c>(op: OperationRef<'c, 'c>, value: Value<'c, 'c>, t: Type<'c>) -> Value<'c, 'c> {
    if ir::type_of(value) == t { value } else { emit_op(op, "arith.bitcast", &[value], t, &[]) }
}
