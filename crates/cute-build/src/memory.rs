//! Ops on memory: fragments, pointers and views.

use cute_algebra::{AnyLayout, CopySide, Dim, Layout, LayoutLike, Tuple};
use cute_dialect::{
    atom::{CopyAtom, CopyFamily},
    types::{type_of, value_of, vector_of},
    value::{CoordTensor, MemRef, Space, Value as Cute},
};
use cute_ffi::ir;
use melior::ir::Type;

use crate::{At, Builder, Result, Value, types};

impl<'c> Builder<'c> {
    /// All elements of a fragment as a vector.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn load_vec(&self, fragment: Value<'c>) -> Result<Value<'c>> {
        self.inferred("cute.memref.load_vec", &[fragment], &[])
    }

    /// Stores a vector to all elements of a fragment.
    ///
    /// # Errors
    /// As [`Draft::build`](crate::Draft::build).
    #[track_caller]
    pub fn store_vec(&self, vector: Value<'c>, fragment: Value<'c>) -> Result<()> {
        self.effect("cute.memref.store_vec", &[vector, fragment], &[])
    }

    /// Stores a number to all elements of a fragment.
    ///
    /// # Errors
    /// As [`Draft::build`](crate::Draft::build); the fragment must have a static layout.
    #[track_caller]
    pub fn fill(&self, fragment: Value<'c>, number: i64) -> Result<()> {
        let value = value_of(ir::type_of(fragment));
        let vector = match value.as_ref() {
            Cute::MemRef(view) => vector_of(view),
            _ => None,
        };
        let Some(t) = vector else {
            return self
                .fail(&format!("a fragment is a memref with a static layout, found {}", value.what()));
        };
        let numbers = self.or_named(if number == 0 { "zeros" } else { "numbers" }).number(t, number)?;
        self.store_vec(numbers, fragment)
    }

    /// A predicate of a copy: a byte per call, whether the first coordinate of the call is inside a
    /// shape. The coordinates are those of a thread's part of an identity tensor, `(V, rest..)`.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value); the extents of the rest are static.
    #[track_caller]
    pub fn inside_of(&self, coordinates: Value<'c>, shape: Value<'c>) -> Result<Value<'c>> {
        let rank = value_of(ir::type_of(coordinates)).layout().map_or(1, |layout| layout.outer().rank());
        let here = self.here();
        let extents = (1..rank).map(|mode| here.extent(coordinates, mode)).collect::<Result<Vec<_>>>()?;
        let calls = Tuple::from_leaves([1].into_iter().chain(extents.iter().copied()));
        let layout: Layout<i64> = self.ask(cute_algebra::make_layout(&calls))?;
        let bytes = types::pointer(self.integer_type(8), Space::Rmem).align(32).memref(layout)?;
        let predicate = self.or_named("inside").alloca(bytes)?;
        for call in 0..extents.iter().product() {
            let mut rest = call;
            let indices = extents.iter().map(|n| (rest % n, rest /= n).0);
            let at: Vec<_> = [0].into_iter().chain(indices).map(At::Int).collect();
            let first = self.slice(coordinates, &at)?;
            let first = self.inferred("cute.get_iter", &[first], &[])?;
            let first = self.inferred("cute.deref_arith_tuple_iter", &[first], &[])?;
            let bit = self.inferred("cute.elem_less", &[first, shape], &[])?;
            let byte = self.typed("arith.extui", &[bit], self.integer_type(8), &[])?;
            self.effect("cute.memref.store", &[predicate, self.coord(&at)?, byte], &[])?;
        }
        Ok(predicate)
    }

    /// Registers with the elements of a view. Where a predicate excludes a call of the copy, its
    /// elements are 0.
    ///
    /// # Errors
    /// As [`fragment_like`](Self::fragment_like).
    #[track_caller]
    pub fn load_fragment(
        &self,
        copy: Value<'c>,
        from: Value<'c>,
        predicate: Option<Value<'c>>,
    ) -> Result<Value<'c>> {
        let registers = self.loaded_by(copy, from)?;
        if predicate.is_some() {
            self.unnamed().fill(registers, 0)?;
        }
        self.unnamed().copy_if(predicate, copy, from, registers)?;
        Ok(registers)
    }

    /// Registers for what a thread loads. A part of tensor memory has all lanes of a warp, and the
    /// thread gets its own of them: `((values,rest),rest..)`.
    #[track_caller]
    fn loaded_by(&self, copy: Value<'c>, from: Value<'c>) -> Result<Value<'c>> {
        let (copy_value, from_value) = (value_of(ir::type_of(copy)), value_of(ir::type_of(from)));
        let atom = match copy_value.as_ref() {
            Cute::TiledCopy(tiled) => &tiled.atom,
            Cute::CopyAtom(atom) => atom,
            _ => return self.fragment_like(from),
        };
        let (CopyAtom::Tmem(load), Cute::MemRef(view)) = (atom, from_value.as_ref()) else {
            return self.fragment_like(from);
        };
        let shape = view.layout.outer().shape().clone();
        let Some(first) = shape.mode(0).filter(|first| !first.is_leaf() && !shape.is_leaf()) else {
            return self.fail(&format!(
                "a load from tensor memory takes a thread's part, ((values,rest),rest..), not {shape}: partition it by the copy"
            ));
        };
        let own = Tuple::leaf(Dim::fixed(load.values_of(CopySide::Dst)));
        let first = self.ask(first.to_owned().replace(0, own))?;
        let shape = self.ask(shape.replace(0, first))?;
        let layout = self.ask(cute_algebra::make_layout(&shape))?;
        self.alloca(types::pointer(load.elem, Space::Rmem).align(16).memref(layout)?)
    }

    /// Memory of a view's type: registers of the thread, where the type is of `rmem`.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn alloca(&self, t: Type<'c>) -> Result<Value<'c>> {
        self.typed("cute.memref.alloca", &[], t, &[])
    }

    /// A pointer some elements further on.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn add_offset(&self, pointer: Value<'c>, elements: impl Into<At<'c>>) -> Result<Value<'c>> {
        let plain = self.unnamed();
        let offset = match elements.into() {
            At::Value(value) => plain.or_named("at").make_int(value)?,
            At::Int(n) => plain.or_named("offset").int_tuple(n)?,
            At::All => return self.fail("an offset is an integer, found _"),
        };
        self.inferred("cute.add_offset", &[pointer, offset], &[])
    }

    /// Memory from a byte of `memory` on, as a pointer of some type.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn pointer(&self, memory: Value<'c>, byte: i64, t: Type<'c>) -> Result<Value<'c>> {
        let memory = match byte {
            0 => memory,
            byte => self.unnamed().or_named("memory").add_offset(memory, byte)?,
        };
        self.typed("cute.recast_iter", &[memory], t, &[])
    }

    /// Memory from a byte of `memory` on, as a view of some type.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn view(&self, memory: Value<'c>, byte: i64, t: Type<'c>) -> Result<Value<'c>> {
        let value = value_of(t);
        let Cute::MemRef(view) = value.as_ref() else {
            return self.fail(&format!("a view has the type of a memref, found {t}"));
        };
        let pointer = type_of(self.context(), &Cute::Ptr(view.iter.clone()));
        let pointer = self.unnamed().or_named("pointer").pointer(memory, byte, pointer)?;
        self.typed("cute.make_view", &[pointer], t, &[])
    }

    /// A view: a layout of elements at a pointer, or of coordinates from one on.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn view_of(&self, pointer: Value<'c>, layout: Value<'c>) -> Result<Value<'c>> {
        let (pointer_value, layout_value) = (value_of(ir::type_of(pointer)), value_of(ir::type_of(layout)));
        let view = match (pointer_value.as_ref(), layout_value.as_ref()) {
            (Cute::Ptr(iter), Cute::Layout(plain)) => {
                Cute::MemRef(MemRef { iter: iter.clone(), layout: AnyLayout::from(plain.clone()) })
            }
            (Cute::Ptr(iter), Cute::ComposedLayout(composed)) => {
                Cute::MemRef(MemRef { iter: iter.clone(), layout: AnyLayout::from(composed.clone()) })
            }
            (Cute::ArithTupleIter(origin), Cute::Layout(layout)) => {
                Cute::CoordTensor(CoordTensor { origin: origin.clone(), layout: layout.clone() })
            }
            _ => return self.fail("a view is of a pointer or a coordinate, and a layout"),
        };
        self.typed("cute.make_view", &[pointer, layout], type_of(self.context(), &view), &[])
    }

    /// The dynamic shared memory of the block, as bytes.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn dynamic_shared_memory(&self) -> Result<Value<'c>> {
        let bytes = types::pointer(self.integer_type(8), Space::Smem).align(1024).ptr()?;
        self.or_named("smem").typed("cute_nvgpu.arch.get_dyn_smem", &[], bytes, &[])
    }
}
