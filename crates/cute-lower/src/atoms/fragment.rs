//! Fragments as registers: the elements of a static view, a few of which fill a register.

use cute_algebra::{self as algebra, AnyLayout, Crd, Tuple};
use cute_dialect::atom::storage;
use cute_ffi::ir;
use melior::ir::{Attribute, Type, Value, r#type::IntegerType};

use super::address;
use crate::{
    Builder, Built,
    values::{bits_of, displaced, view_of},
};

/// The places of the elements of a view.
pub(super) struct Fragment<'c> {
    base: Value<'c, 'c>,
    align: i64,
    /// Bits of an element.
    bits: i64,
    elem: Type<'c>,
    /// Offset of each element, in elements.
    offsets: Vec<i64>,
}

impl<'c> Fragment<'c> {
    /// The elements of a view, in the order of its coordinates.
    pub(super) fn new(b: &Builder<'c>, view: Value<'c, 'c>) -> Built<Self> {
        let memref = view_of(view);
        let AnyLayout::Plain(layout) = &memref.layout else {
            return b.refuse("a fragment with a swizzled layout is not supported");
        };
        let Some(layout) = layout.to_const() else {
            return b.refuse(&format!("a fragment of dynamic layout {layout} is not supported"));
        };
        let at = |i| {
            let offset = b.ask(algebra::crd2idx(&Tuple::leaf(Crd::Int(i)), &layout))?;
            Ok(*offset.as_leaf().expect("an offset in memory is an integer"))
        };
        let size = b.ask(algebra::size(&layout))?;
        let offsets = (0..size).map(at).collect::<Built<Vec<_>>>()?;
        let elem = memref.iter.elem.expect("a fragment is of elements");
        let bits = bits_of(b, &memref)?;
        if bits % 8 != 0 && 8 % bits != 0 {
            return b.refuse(&format!(
                "a fragment of {elem} is not supported: an element of {bits} bits neither has whole bytes nor divides one"
            ));
        }
        let (base, align) = address(b, view)?;
        let elem = storage(b.context(), elem);
        Ok(Self { base, align, bits, elem, offsets })
    }

    /// Every `step`th element alone.
    pub(super) fn every(self, step: usize) -> Self {
        Self { offsets: self.offsets.into_iter().step_by(step).collect(), ..self }
    }

    /// The memory that a static view reaches, in order of address, as integers of `bits` bits.
    pub(super) fn storage(b: &Builder<'c>, view: Value<'c, 'c>, bits: i64) -> Built<Self> {
        let memref = view_of(view);
        if memref.layout.as_composed().is_some() {
            return b.refuse("a fragment with a swizzled layout is not supported");
        }
        let Some(end) = b.ask(algebra::cosize(&memref.layout))?.as_static() else {
            return b.refuse(&format!("a fragment of dynamic layout {} is not supported", memref.layout));
        };
        let Some(whole) = end.checked_mul(bits_of(b, &memref)?) else {
            return b.refuse(&format!("a fragment of {end} elements is too large"));
        };
        let n = whole.unsigned_abs().div_ceil(bits.unsigned_abs());
        let width = u32::try_from(bits).expect("a register has a few bits");
        let elem = IntegerType::new(b.context(), width).into();
        let (base, align) = address(b, view)?;
        Ok(Self { base, align, bits, elem, offsets: (0..n.cast_signed()).collect() })
    }

    /// Registers that hold all elements, of `bits` bits each.
    pub(super) fn registers(&self, bits: i64) -> usize {
        self.offsets.chunks(self.per_register(bits)).len()
    }

    /// Register `i` of a sequence of registers of type `t`, which has `bits` bits.
    pub(super) fn load(&self, b: &Builder<'c>, i: usize, t: Type<'c>, bits: i64) -> Built<Value<'c, 'c>> {
        let elements = self.elements(i, bits);
        if let Some(first) = self.neighbours(elements) {
            return self
                .access(b, first, bits, |b, at| b.typed("llvm.load", &[at.0], t, &[("alignment", at.1)]));
        }
        if self.bits < 8 {
            return self.gather_packed(b, elements, t);
        }
        let vector = Type::vector(&[elements.len() as u64], self.elem);
        let mut gathered = b.typed("llvm.mlir.poison", &[], vector, &[])?;
        for (position, offset) in (0..).zip(elements) {
            let element = self.access(b, *offset, self.bits, |b, at| {
                b.typed("llvm.load", &[at.0], self.elem, &[("alignment", at.1)])
            })?;
            gathered = b.typed("llvm.insertelement", &[gathered, element, b.i32(position)?], vector, &[])?;
        }
        cast(b, gathered, t)
    }

    /// Gathers scattered elements of less than a byte: each is shifted from its place in its byte
    /// to its place in the register.
    fn gather_packed(&self, b: &Builder<'c>, elements: &[i64], t: Type<'c>) -> Built<Value<'c, 'c>> {
        let (byte, mask) = (IntegerType::new(b.context(), 8).into(), b.i32((1 << self.bits) - 1)?);
        let word = IntegerType::new(b.context(), 32).into();
        let mut gathered = b.i32(0)?;
        for (position, offset) in (0..).zip(elements) {
            let loaded = self
                .access(b, *offset, 8, |b, at| b.typed("llvm.load", &[at.0], byte, &[("alignment", at.1)]))?;
            let bit = b.i32(offset * self.bits % 8)?;
            let moved = b.typed("llvm.zext", &[loaded], word, &[])?;
            let moved = b.typed("llvm.lshr", &[moved, bit], word, &[])?;
            let moved = b.typed("llvm.and", &[moved, mask], word, &[])?;
            let moved = b.typed("llvm.shl", &[moved, b.i32(position * self.bits)?], word, &[])?;
            gathered = b.typed("llvm.or", &[gathered, moved], word, &[])?;
        }
        cast(b, gathered, t)
    }

    /// Register `i` of `bits` bits is `value`.
    pub(super) fn store(&self, b: &Builder<'c>, i: usize, value: Value<'c, 'c>, bits: i64) -> Built<()> {
        let elements = self.elements(i, bits);
        let put = |b: &Builder<'c>, value, at: (Value<'c, 'c>, Attribute<'c>)| {
            b.effect("llvm.store", &[value, at.0], &[("alignment", at.1)])
        };
        if let Some(first) = self.neighbours(elements) {
            return self.access(b, first, bits, |b, at| put(b, value, at));
        }
        if self.bits < 8 {
            return b.refuse(&format!(
                "a fragment of elements of {} bits that lie apart is not written by registers; give its values unit stride",
                self.bits
            ));
        }
        let vector = cast(b, value, Type::vector(&[elements.len() as u64], self.elem))?;
        for (position, offset) in (0..).zip(elements) {
            let element = b.typed("llvm.extractelement", &[vector, b.i32(position)?], self.elem, &[])?;
            self.access(b, *offset, self.bits, |b, at| put(b, element, at))?;
        }
        Ok(())
    }

    /// The elements of register `i` of `bits` bits.
    fn elements(&self, i: usize, bits: i64) -> &[i64] {
        self.offsets.chunks(self.per_register(bits)).nth(i).expect("the fragment has this register")
    }

    fn per_register(&self, bits: i64) -> usize {
        (bits / self.bits.max(1)).max(1) as usize
    }

    /// The start of the elements, if they are contiguous from a whole byte on.
    fn neighbours(&self, elements: &[i64]) -> Option<i64> {
        let first = *elements.first().filter(|first| **first * self.bits % 8 == 0)?;
        elements.iter().zip(first..).all(|(offset, expected)| *offset == expected).then_some(first)
    }

    /// An access of `bits` bits at an element: `f` of the address and its alignment.
    fn access<T>(
        &self,
        b: &Builder<'c>,
        offset: i64,
        bits: i64,
        f: impl FnOnce(&Builder<'c>, (Value<'c, 'c>, Attribute<'c>)) -> Built<T>,
    ) -> Built<T> {
        let bytes = offset * self.bits / 8;
        // The lowest bit of all three is the largest power of two that divides them.
        let known = self.align | bytes | (bits / 8).max(1);
        let align = known & known.wrapping_neg();
        let at = if bytes == 0 { self.base } else { displaced(b, self.base, bytes as i32)? };
        f(b, (at, b.attr(align)))
    }
}

/// Reinterprets the bits as another type.
pub(super) fn cast<'c>(b: &Builder<'c>, value: Value<'c, 'c>, t: Type<'c>) -> Built<Value<'c, 'c>> {
    if ir::type_of(value) == t { Ok(value) } else { b.typed("llvm.bitcast", &[value], t, &[]) }
}
