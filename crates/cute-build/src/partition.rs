//! Atoms and tilings as values of a program, and the fragments that they work on.

use cute_algebra::MmaOperand;
use cute_arch::atoms::Space as AtomSpace;
use cute_dialect::{
    atom::{CopyAtom, MmaAtom},
    ops::{atoms, fragments, s2t, scales},
    partition::GemmOperand,
    types::{type_of, value_of},
    value::{TiledCopy, TiledMma, Value as Cute},
};
use cute_ffi::ir;
use melior::ir::Type;

use crate::{Builder, Result, Value};

/// An atom of a copy or of an MMA.
#[derive(Debug, Clone)]
pub enum AnyAtom<'c> {
    /// An atom of a copy.
    Copy(CopyAtom<'c>),
    /// An atom of an MMA.
    Mma(MmaAtom<'c>),
}

impl<'c> From<CopyAtom<'c>> for AnyAtom<'c> {
    fn from(atom: CopyAtom<'c>) -> Self {
        Self::Copy(atom)
    }
}

impl<'c> From<MmaAtom<'c>> for AnyAtom<'c> {
    fn from(atom: MmaAtom<'c>) -> Self {
        Self::Mma(atom)
    }
}

impl<'c, T: Clone + Into<AnyAtom<'c>>> From<&T> for AnyAtom<'c> {
    fn from(atom: &T) -> Self {
        atom.clone().into()
    }
}

impl<'c> Builder<'c> {
    /// An atom without run-time state.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn atom(&self, atom: impl Into<AnyAtom<'c>>) -> Result<Value<'c>> {
        self.atom_with(atom, &[])
    }

    /// An atom with its run-time state, such as the flag of a `wgmma` that adds to its
    /// accumulators.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn atom_with(&self, atom: impl Into<AnyAtom<'c>>, state: &[Value<'c>]) -> Result<Value<'c>> {
        let value = match atom.into() {
            AnyAtom::Copy(atom) => Cute::CopyAtom(atom),
            AnyAtom::Mma(atom) => Cute::MmaAtom(atom),
        };
        self.typed("cute.make_atom", state, type_of(self.context(), &value), &[])
    }

    /// A copy laid over threads and values.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn tiled_copy(&self, copy: &TiledCopy<'c>) -> Result<Value<'c>> {
        let atom = self.unnamed().or_named("atom").atom(&copy.atom)?;
        let t = type_of(self.context(), &Cute::TiledCopy(copy.clone()));
        self.typed("cute.make_tiled_copy", &[atom], t, &[])
    }

    /// An MMA laid over threads, whose atom has this run-time state.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn tiled_mma(&self, mma: &TiledMma<'c>, state: &[Value<'c>]) -> Result<Value<'c>> {
        let atom = self.unnamed().or_named("atom").atom_with(&mma.atom, state)?;
        let t = type_of(self.context(), &Cute::TiledMma(mma.clone()));
        self.typed("cute.make_tiled_mma", &[atom], t, &[])
    }

    /// The MMA that adds to its accumulators, or overwrites them: the field `accum_c` of a `wgmma`
    /// or `tcgen05.mma`.
    ///
    /// # Errors
    /// Returns [`Error::Rule`](crate::Error::Rule) for an MMA without that field, and the errors of
    /// [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn accumulating(&self, mma: Value<'c>, adds: Value<'c>) -> Result<Value<'c>> {
        let value = value_of(ir::type_of(mma));
        let Cute::TiledMma(tiled) = value.as_ref() else {
            return self.fail(&format!("expected a tiled_mma, found {}", value.what()));
        };
        let state =
            tiled.atom.state().filter(|state| state.fields.iter().any(|(name, _)| *name == "accum_c"));
        let Some(state) = state else {
            return self.fail(
                "this MMA always adds to its accumulators: accumulate is for wgmma and tcgen05.mma, so fill them with 0 before",
            );
        };
        let field = self.attribute(&format!("#cute_nvgpu.{}<accum_c>", state.attribute))?;
        self.inferred("cute_nvgpu.atom.set_value", &[mma, adds], &[("field", field)])
    }

    /// A copy with the thread-value layout of a matrix of an MMA: `make_tiled_copy_A` and its
    /// siblings.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn tiled_copy_of(&self, which: MmaOperand, atom: Value<'c>, mma: Value<'c>) -> Result<Value<'c>> {
        self.inferred(&format!("cute.make_tiled_copy_{which}"), &[atom, mma], &[])
    }

    /// A thread's part of a matrix of an MMA.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn mma_partition(
        &self,
        mma: Value<'c>,
        which: impl Into<GemmOperand>,
        of: Value<'c>,
        thread: Value<'c>,
    ) -> Result<Value<'c>> {
        let (operands, id) = ([mma, of, self.coordinate(thread)?], which.into().number());
        self.op("cute.tiled.mma.partition").operands(&operands).attribute("operand_id", id).value()
    }

    /// The shape of a thread's part of a matrix of an MMA.
    ///
    /// # Errors
    /// As [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn mma_partition_shape(
        &self,
        mma: Value<'c>,
        which: impl Into<GemmOperand>,
        shape: Value<'c>,
    ) -> Result<Value<'c>> {
        let op = self.op("cute.tiled.mma.partition_shape").operands(&[mma, shape]);
        op.attribute("operand_id", which.into().number()).value()
    }

    /// Registers for a thread's part of a matrix or of scale factors, a partition or its shape;
    /// tensor memory for the accumulators of `tcgen05.mma`, from its first column on.
    ///
    /// # Errors
    /// Returns [`Error::Rule`](crate::Error::Rule) where the MMA has no such fragment, and the
    /// errors of [`Draft::value`](crate::Draft::value).
    #[track_caller]
    pub fn mma_fragment(
        &self,
        mma: Value<'c>,
        which: impl Into<GemmOperand>,
        like: Value<'c>,
    ) -> Result<Value<'c>> {
        let (which, mma_value, like_value) =
            (which.into(), value_of(ir::type_of(mma)), value_of(ir::type_of(like)));
        let of_shape = matches!(like_value.as_ref(), Cute::Shape(_));
        let layout = match like_value.as_ref() {
            Cute::Shape(shape) => self.ask(cute_algebra::make_layout(shape))?.into(),
            other => match other.layout() {
                Some(layout) => layout,
                None => {
                    let found = other.what();
                    return self.fail(&format!("a fragment is like a shape or a view, found {found}"));
                }
            },
        };
        let Cute::TiledMma(TiledMma { atom, .. }) = mma_value.as_ref() else {
            return self.fail(&format!("expected a tiled_mma, found {}", mma_value.what()));
        };
        let fragment = match atom.space_of(which.matrix()) {
            _ if which.is_scales() => scales::fragment(atom, which, &layout, of_shape),
            AtomSpace::Tensor => fragments::in_tensor_memory(atom, which.matrix(), &layout),
            _ => atoms::mma_fragment(atom, which.matrix(), &layout),
        };
        let fragment = self.ask(fragment)?;
        self.make_fragment(mma, which.number(), like, type_of(self.context(), &Cute::MemRef(fragment)))
    }

    /// Descriptors of a matrix, a partition of shared memory.
    ///
    /// # Errors
    /// As [`mma_fragment`](Self::mma_fragment).
    #[track_caller]
    pub fn mma_descriptors(&self, mma: Value<'c>, which: MmaOperand, part: Value<'c>) -> Result<Value<'c>> {
        let (mma_value, part_value) = (value_of(ir::type_of(mma)), value_of(ir::type_of(part)));
        let (Cute::TiledMma(tiled), Cute::MemRef(view)) = (mma_value.as_ref(), part_value.as_ref()) else {
            return self.fail("descriptors are of a tiled_mma and a memref");
        };
        let matrix = self.ask(fragments::smem_matrix(&tiled.atom, which, view))?;
        self.make_fragment(
            mma,
            which as i32,
            part,
            type_of(self.context(), &Cute::SmemDescView(matrix.view.unstated())),
        )
    }

    /// The descriptors of what a copy to tensor memory reads, for its partition of shared memory.
    ///
    /// # Errors
    /// As [`mma_fragment`](Self::mma_fragment).
    #[track_caller]
    pub fn copy_descriptors(&self, copy: Value<'c>, part: Value<'c>) -> Result<Value<'c>> {
        let (copy_value, part_value) = (value_of(ir::type_of(copy)), value_of(ir::type_of(part)));
        let (Cute::CopyAtom(CopyAtom::S2t(atom)), Cute::MemRef(view)) =
            (copy_value.as_ref(), part_value.as_ref())
        else {
            return self.fail("descriptors are of a copy to tensor memory and a memref");
        };
        let view = self.ask(s2t::matrix(atom, view))?.view;
        let t = type_of(self.context(), &Cute::SmemDescView(view));
        self.typed("cute_nvgpu.atom.get_copy_s2t_smem_desc_view", &[copy, part], t, &[])
    }

    #[track_caller]
    fn make_fragment(&self, mma: Value<'c>, which: i32, like: Value<'c>, t: Type<'c>) -> Result<Value<'c>> {
        let op = self.op("cute.mma.make_fragment").operands(&[mma, like]);
        op.attribute("operand_id", which).results(&[t]).value()
    }

    /// Registers for the elements of a view.
    ///
    /// # Errors
    /// As [`mma_fragment`](Self::mma_fragment).
    #[track_caller]
    pub fn fragment_like(&self, like: Value<'c>) -> Result<Value<'c>> {
        let value = value_of(ir::type_of(like));
        let Cute::MemRef(view) = value.as_ref() else {
            return self.fail(&format!("a fragment is like a memref, found {}", value.what()));
        };
        let Some(elem) = view.iter.elem else { return self.fail("the memref has no element type") };
        let fragment = self.ask(atoms::fragment_like(elem, &view.layout))?;
        let t = type_of(self.context(), &Cute::MemRef(fragment));
        self.typed("cute.make_fragment_like", &[like], t, &[])
    }
}
