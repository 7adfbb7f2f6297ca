//! Packed elements of 1, 2 and 4 bits: element i at a byte address occupies the bits from `i *
//! width` on, lowest first. A view begins at a whole byte, and its elements are accessed through
//! their bytes.

use std::rc::Rc;

use cute_algebra::{Payload, Width};
use cute_dialect::value::{Machine, Ptr, Space};
use cute_ffi::ir;
use melior::ir::{Attribute, Type, Value, operation::OperationRef, r#type::IntegerType};

use super::{bits_as, held, refuse_single};
use crate::{
    Builder, Built,
    emit::{Emit, Expr, Graph, ops::op as emit_op},
    values::displaced,
};

/// A byte, and the bit in it at which an element begins, as i32.
struct Place<'c> {
    byte: Value<'c, 'c>,
    bit: Value<'c, 'c>,
}

impl<'c> Place<'c> {
    fn of(op: OperationRef<'c, 'c>, graph: &Rc<Graph<'c>>, ptr: &Ptr<'c, Emit<'c>>) -> Built<Self> {
        let bits = bits(ptr);
        let per_byte = (8 / bits) as i64;
        let swizzled = |address: &Expr<'c>| graph.value(&Emit::swizzled(address, ptr.swizzle));
        let Some((base, index)) = ptr.address.inside_byte(bits) else {
            return Ok(Self { byte: swizzled(&ptr.address), bit: graph.constant(0, Width::I32) });
        };
        // For `base + index` elements: byte index / per_byte, and element index % per_byte of that
        // byte.
        let low = per_byte.ilog2() as i32;
        let (bytes, bit) = match &index {
            Expr::Constant(n, width) => (
                Expr::Constant(n.div_euclid(per_byte), *width),
                Expr::Constant(n.rem_euclid(per_byte) * i64::from(bits), Width::I32),
            ),
            _ => {
                let width =
                    width_of(graph.value(&index)).map_or_else(|| Builder::before(op).fail("an index"), Ok)?;
                let place = index.and(&Expr::Constant(per_byte - 1, width), width);
                let place = if width == Width::I64 { place.resize(width, Width::I32) } else { place };
                (index.shift_left(-low, width), place.shift_left(bits.ilog2() as i32, Width::I32))
            }
        };
        use cute_dialect::value::AddressPayload;
        Ok(Self { byte: swizzled(&base.element(&bytes, 8)), bit: graph.value(&bit) })
    }
}

fn bits(ptr: &Ptr<'_, Emit<'_>>) -> u32 {
    ptr.bits().expect("packed elements have a size")
}

fn width_of(value: Value<'_, '_>) -> Option<Width> {
    cute_dialect::types::scalar_width(ir::type_of(value))
}

/// The integer that registers hold an element in. Elements of 6 bits are not inside one byte.
fn register<'c>(op: OperationRef<'c, 'c>, ptr: &Ptr<'c, Emit<'c>>) -> Built<Type<'c>> {
    let elem = ptr.elem.expect("an access is to elements");
    if 8 % bits(ptr) == 0 { held(op, elem) } else { refuse_single(op, elem) }
}

fn alignment<'c>(op: OperationRef<'c, 'c>) -> (&'static str, Attribute<'c>) {
    ("alignment", Builder::before(op).attr(1i64))
}

/// The element at `ptr`.
pub(super) fn load<'c>(
    op: OperationRef<'c, 'c>,
    graph: &Rc<Graph<'c>>,
    ptr: &Ptr<'c, Emit<'c>>,
) -> Built<Value<'c, 'c>> {
    let t = register(op, ptr)?;
    let place = Place::of(op, graph, ptr)?;
    let (byte, word) = types(op);
    let byte = emit_op(op, "llvm.load", &[place.byte], byte, &[alignment(op)]);
    let word_of = emit_op(op, "llvm.zext", &[byte], word, &[]);
    let moved = emit_op(op, "llvm.lshr", &[word_of, place.bit], word, &[]);
    Ok(bits_as(op, emit_op(op, "llvm.trunc", &[moved], t, &[]), ptr.elem.expect("an access is to elements")))
}

/// Stores `value` in the element at `ptr` and keeps the rest of its byte, so no other thread may
/// access the byte.
pub(super) fn store<'c>(
    op: OperationRef<'c, 'c>,
    graph: &Rc<Graph<'c>>,
    ptr: &Ptr<'c, Emit<'c>>,
    value: Value<'c, 'c>,
) -> Built<()> {
    let value = bits_as(op, value, register(op, ptr)?);
    if ptr.space != Space::Rmem {
        return Builder::before(op).refuse(&format!(
            "a store of a single element of {} bits to {} is not supported: another thread may write the rest of its byte; store to rmem, and copy bytes",
            bits(ptr),
            ptr.space.name()
        ));
    }
    let place = Place::of(op, graph, ptr)?;
    let (byte, word) = types(op);
    let make = |name: &str, operands: &[Value<'c, 'c>]| emit_op(op, name, operands, word, &[]);
    let old = emit_op(op, "llvm.load", &[place.byte], byte, &[alignment(op)]);
    let mask = make("llvm.shl", &[graph.constant((1 << bits(ptr)) - 1, Width::I32), place.bit]);
    let others = make("llvm.xor", &[mask, graph.constant(-1, Width::I32)]);
    let kept = make("llvm.and", &[make("llvm.zext", &[old]), others]);
    let new = make("llvm.shl", &[make("llvm.zext", &[value]), place.bit]);
    let whole = make("llvm.or", &[kept, new]);
    let whole = emit_op(op, "llvm.trunc", &[whole], byte, &[]);
    Builder::before(op).effect("llvm.store", &[whole, place.byte], &[alignment(op)])?;
    Ok(())
}

/// A byte and a word.
fn types<'c>(op: OperationRef<'c, 'c>) -> (Type<'c>, Type<'c>) {
    let c = ir::context(op);
    (IntegerType::new(c, 8).into(), IntegerType::new(c, 32).into())
}

/// Fills a fragment with zeros, because storing an element reads the rest of its byte. Each word
/// has a store of its own, since LLVM keeps what is stored at once in one value.
pub fn clear<'c>(entry: OperationRef<'c, 'c>, memory: Value<'c, 'c>, bytes: u32) -> Built<()> {
    const WORD: u32 = 4;
    let b = Builder::before(entry);
    for at in (0..bytes).step_by(WORD as usize) {
        let t = Type::vector(&[(bytes - at).min(WORD).into()], types(entry).0);
        let zeros = b.attribute(&format!("dense<0> : {t}"))?;
        let zeros = emit_op(entry, "arith.constant", &[], t, &[("value", zeros)]);
        let place = if at == 0 { memory } else { displaced(&b, memory, at.cast_signed())? };
        b.effect("llvm.store", &[zeros, place], &[alignment(entry)])?;
    }
    Ok(())
}
