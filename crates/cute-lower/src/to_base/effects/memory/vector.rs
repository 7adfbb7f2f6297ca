//! Loads and stores of all elements of a view at once, as wide as alignment allows.

use cute_algebra::Width;
use cute_dialect::value::{MemRef, Ptr};
use cute_ffi::ir;
use melior::ir::{Type, operation::OperationRef, r#type::IntegerType};

use super::{accessed, bits_as, held, packed, write, write_held};
use crate::{
    Built,
    emit::{Emit, ops::op as emit_op},
    to_base::effects::{Lowered, Site},
    together::{elements, neighbours, together},
};

/// The words that the elements of a view fill, if they are packed and all side by side: the widest
/// of 32, 16 and 8 bits that divide both the elements and the alignment. LLVM takes vectors of
/// elements of less than a byte to pieces through local memory.
fn words<'c>(op: OperationRef<'c, 'c>, view: &MemRef<'c, Emit<'c>>, count: i64) -> Option<Type<'c>> {
    let bits = view.iter.bits().filter(|bits| *bits < 8 && 8 % *bits == 0)?;
    // An alignment of one byte is also that of an address inside a byte.
    let at_byte = view.iter.align > 1 || view.iter.address.inside_byte(bits).is_none();
    let all = count * i64::from(bits);
    let word = [32, 16, 8].into_iter().find(|word| all % word == 0 && 8 * view.iter.align % word == 0)?;
    let fill = neighbours(view) == count && at_byte;
    fill.then(|| Type::vector(&[(all / word) as u64], IntegerType::new(ir::context(op), word as u32).into()))
}

/// `memref.load_vec`.
pub fn load_vector<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let (op, graph, declared) = (at.op, at.graph(), at.result_type(0));
    let view = at.ask(at.call.memref(0))?;
    let elements = at.ask(elements(view))?;
    let elem = held(op, view.iter.elem.expect("a vector is of elements"))?;
    let t = Type::vector(&[elements.len() as u64], elem);
    if let Some(words) = words(op, view, elements.len() as i64) {
        let (address, align) = accessed(op, graph, &view.iter);
        let words = emit_op(op, "llvm.load", &[address], words, &[("alignment", align)]);
        return at.made([bits_as(op, emit_op(op, "vector.bitcast", &[words], t, &[]), declared)]);
    }
    let count = together(view, &elements);
    let read = |ptr: &Ptr<'c, Emit<'c>>, t: Type<'c>| -> Built<_> {
        if ptr.is_packed() {
            return Ok(bits_as(op, packed::load(op, graph, ptr)?, elem));
        }
        let (address, align) = accessed(op, graph, ptr);
        Ok(emit_op(op, "llvm.load", &[address], t, &[("alignment", align)]))
    };
    if let ([first, ..], true) = (elements.as_slice(), count == elements.len() && !view.iter.is_packed()) {
        return at.made([bits_as(op, read(first, t)?, declared)]);
    }
    let mut vector = emit_op(op, "llvm.mlir.poison", &[], t, &[]);
    let index = |i: usize| graph.constant(i as i64, Width::I32);
    for (i, ptr) in elements.iter().enumerate().step_by(count) {
        let piece = read(ptr, piece_of(elem, count))?;
        for j in 0..count {
            let element = if count == 1 {
                piece
            } else {
                emit_op(op, "llvm.extractelement", &[piece, index(j)], elem, &[])
            };
            vector = emit_op(op, "llvm.insertelement", &[vector, element, index(i + j)], t, &[]);
        }
    }
    at.made([bits_as(op, vector, declared)])
}

/// `memref.store_vec`.
pub fn store_vector<'c>(at: &mut Site<'_, 'c>) -> Lowered<'c> {
    let (op, graph, vector) = (at.op, at.graph(), at.operand(0));
    let view = at.ask(at.call.memref(1))?;
    let elements = at.ask(elements(view))?;
    let elem = held(op, view.iter.elem.expect("a vector is of elements"))?;
    let vector = bits_as(op, vector, Type::vector(&[elements.len() as u64], elem));
    if let Some(words) = words(op, view, elements.len() as i64) {
        write_held(op, graph, &view.iter, emit_op(op, "vector.bitcast", &[vector], words, &[]))?;
        return Ok(Vec::new());
    }
    let count = together(view, &elements);
    if let ([first, ..], true) = (elements.as_slice(), count == elements.len() && !view.iter.is_packed()) {
        write_held(op, graph, first, vector)?;
        return Ok(Vec::new());
    }
    let index = |i: usize| graph.constant(i as i64, Width::I32);
    for (i, ptr) in elements.iter().enumerate().step_by(count) {
        let element = |j: usize| emit_op(op, "llvm.extractelement", &[vector, index(i + j)], elem, &[]);
        if count == 1 {
            write(op, graph, ptr, element(0))?;
            continue;
        }
        let t = piece_of(elem, count);
        let mut piece = emit_op(op, "llvm.mlir.poison", &[], t, &[]);
        for j in 0..count {
            piece = emit_op(op, "llvm.insertelement", &[piece, element(j), index(j)], t, &[]);
        }
        write_held(op, graph, ptr, piece)?;
    }
    Ok(Vec::new())
}

/// The type of this number of elements together.
fn piece_of(elem: Type<'_>, count: usize) -> Type<'_> {
    if count == 1 { elem } else { Type::vector(&[count as u64], elem) }
}
