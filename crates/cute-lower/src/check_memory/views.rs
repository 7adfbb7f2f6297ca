//! A view lies in its allocation, if the sizes of both and the place of the view are static.
//!
//! Accesses that go through an address are checked by the simulator one by one. A descriptor of a
//! matrix only carries the first address, so a view that is too large reads the next object.

use cute_algebra::{self as algebra, AnyLayout, Crd, Dim, Inner, Tuple};
use cute_dialect::{
    ops::OpKind,
    types::value_of,
    value::{MemRef, Value as Cute},
};
use cute_ffi::{
    self, Severity,
    ir::{self, op_name},
};
use melior::ir::{Value, operation::OperationRef};

use crate::{origin::allocation, reach::reach};

/// The largest number of elements of a view that are evaluated one by one.
const MOST_EVALUATED: i64 = 1 << 16;

/// Whether an op does not make a view that leaves its allocation.
pub(super) fn lies_inside<'c>(op: OperationRef<'c, 'c>) -> bool {
    let outside =
        (OpKind::from_name(op_name(op)) == Some(OpKind::MakeView)).then(|| Outside::of(op)).flatten();
    outside.map(|outside| outside.report()).is_none()
}

/// A view that leaves its allocation.
struct Outside<'c> {
    op: OperationRef<'c, 'c>,
    allocation: OperationRef<'c, 'c>,
    /// Elements that the view reaches.
    elements: i64,
    /// Bits of an element, of the part of the allocation before the view, and of all of it.
    bits: i64,
    before: i64,
    size: i64,
}

impl<'c> Outside<'c> {
    fn of(op: OperationRef<'c, 'c>) -> Option<Self> {
        let view = memref(ir::result(op, 0)?)?;
        let elements = end_of(&view.layout)?;
        // Only the first of several elements without a size has an address.
        let bits = i64::from(view.iter.bits()?);
        let (allocation, before) = allocation(ir::operands(op).first().copied()?)?;
        let memory = memref(ir::result(allocation, 0)?)?;
        let size = reach(allocation, &memory.layout).ok()?.checked_mul(memory.iter.bits()?.into())?;
        // Elements of less than a byte fill whole bytes.
        let size = size.checked_add(7)? / 8 * 8;
        let end = elements.checked_mul(bits)?.checked_add(before)?;
        (end > size || before < 0).then_some(Self { op, allocation, elements, bits, before, size })
    }

    fn report(&self) {
        let Self { elements, bits, before, size, .. } = *self;
        let begins = match before {
            0 => String::new(),
            _ => format!(", which begin at byte {} of the allocation", before.div_euclid(8)),
        };
        let room = (size - before).max(0) / bits.max(1);
        let text = format!(
            "'{}' op leaves its allocation: the layout reaches {elements} elements of {bits} bits{begins}, and the allocation has room \
             for {room}; make the layout smaller, or allocate memory for all of its elements",
            op_name(self.op)
        );
        let note = format!("{} bytes are allocated here", size / 8);
        cute_ffi::emit(
            ir::location(self.op),
            Severity::Error,
            &text,
            &[(ir::location(self.allocation), note)],
        );
    }
}

fn memref<'c>(value: Value<'c, 'c>) -> Option<MemRef<'c, Dim>> {
    match value_of(ir::type_of(value)).into_owned() {
        Cute::MemRef(view) => Some(view),
        _ => None,
    }
}

/// One more than the largest offset of a static layout without negative strides.
fn end_of(layout: &AnyLayout<Dim>) -> Option<i64> {
    use cute_algebra::LayoutLike;
    let positive =
        |stride: &algebra::Stride<Dim>| stride.as_int().and_then(Dim::as_static).is_some_and(|n| n >= 0);
    if !layout.outer().stride().leaves().iter().all(positive) {
        return None;
    }
    match layout.as_composed().map(|composed| composed.inner()) {
        None => algebra::cosize(layout).ok()?.as_static(),
        Some(Inner::Layout(_)) => None,
        Some(Inner::Swizzle(_)) => {
            let size = algebra::size(layout).ok()?.as_static().filter(|n| *n <= MOST_EVALUATED)?;
            let at = |i| {
                let coordinate = Tuple::leaf(Crd::Int(Dim::fixed(i)));
                algebra::crd2idx(&coordinate, layout).ok()?.as_leaf()?.as_static()
            };
            (0..size).map(at).try_fold(0, |end, at| Some(i64::max(end, at? + 1)))
        }
    }
}
