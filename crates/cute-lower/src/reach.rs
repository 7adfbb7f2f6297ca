//! The number of elements of memory that a static layout needs.

use cute_algebra::{self as algebra, AnyLayout, Crd, Dim, Inner, Tuple};
use cute_ffi::ir::op_name;
use melior::ir::operation::OperationRef;

use crate::{Builder, Built};

/// The largest number of elements of a composed layout that are evaluated one by one: more than any
/// memory has.
const MOST_EVALUATED: i64 = 1 << 22;

/// The number of elements that a static layout reaches: one more than its largest offset.
pub fn reach<'c>(op: OperationRef<'c, 'c>, layout: &AnyLayout<Dim>) -> Built<i64> {
    let b = Builder::before(op);
    let fixed = |n: &Dim| n.as_static().expect("the verifier lets static layouts alone be allocated");
    let end = fixed(&b.ask(algebra::cosize(layout))?);
    let Some(composed) = layout.as_composed() else { return Ok(end) };
    match composed.inner() {
        // It permutes within aligned blocks: whole ones.
        Inner::Swizzle(s) => {
            let block = if s.is_identity() { 0 } else { s.base() + s.shift().unsigned_abs() + s.bits() };
            let block = 1i64 << block.min(31);
            let offset = fixed(composed.offset().as_leaf().expect("a swizzle takes an integer"));
            let whole = end.checked_add(offset).and_then(|n| n.checked_add(block - 1));
            whole.map_or_else(|| too_large(op, end), |n| Ok(n / block * block))
        }
        // The sum of its offset and of the outer layout's passes through another layout.
        Inner::Layout(_) => {
            let size = fixed(&b.ask(algebra::size(layout))?);
            if size > MOST_EVALUATED {
                return too_large(op, size);
            }
            let mut end = 0;
            for i in 0..size {
                let at = b.ask(algebra::crd2idx(&Tuple::leaf(Crd::Int(Dim::fixed(i))), layout))?;
                end = end.max(1 + fixed(at.as_leaf().expect("an offset in memory is an integer")));
            }
            Ok(end)
        }
    }
}

/// Refuses to allocate as many elements.
pub fn too_large<T>(op: OperationRef<'_, '_>, elements: i64) -> Built<T> {
    Builder::before(op).fail(&format!("'{}' op of {elements} elements is too large", op_name(op)))
}
