//! A builder that writes a layout in preorder. Operations write their results directly, without an
//! intermediate tree of parts.

use smallvec::{SmallVec, smallvec};

use crate::{
    basis::Stride,
    int::Int,
    layout::{Layout, LayoutRef},
    tuple::{Profile, Tuple},
};

/// `(extent, stride)` leaves, four of them without an allocation.
pub(crate) type Leaves<I> = SmallVec<[(I, Stride<I>); 4]>;

/// A layout being written.
#[derive(Debug)]
pub(crate) struct Builder<I> {
    arities: SmallVec<[u32; 8]>,
    shape: SmallVec<[I; 4]>,
    stride: SmallVec<[Stride<I>; 4]>,
}

impl<I: Int> Builder<I> {
    /// Starts with an empty layout.
    pub(crate) fn new() -> Self {
        Self { arities: smallvec![], shape: smallvec![], stride: smallvec![] }
    }

    /// Opens a tuple: the next `rank` layouts are its modes.
    pub(crate) fn tuple(&mut self, rank: usize) -> &mut Self {
        self.arities.push(rank as u32);
        self
    }

    /// Writes a leaf.
    #[inline]
    pub(crate) fn leaf(&mut self, extent: I, stride: Stride<I>) -> &mut Self {
        self.arities.push(Profile::LEAF);
        self.shape.push(extent);
        self.stride.push(stride);
        self
    }

    /// Begins a flat layout, which takes every leaf written until [`close`](Self::close).
    pub(crate) fn open(&mut self) -> usize {
        self.arities.push(0);
        self.arities.len()
    }

    /// Ends the flat layout that [`open`](Self::open) began; a single leaf is not wrapped in a
    /// tuple.
    pub(crate) fn close(&mut self, begin: usize) {
        let leaves = self.arities.len() - begin;
        if leaves == 1 {
            self.arities.remove(begin - 1);
        } else if let Some(rank) = self.arities.get_mut(begin - 1) {
            *rank = leaves as u32;
        }
    }

    /// Writes a layout.
    pub(crate) fn layout(&mut self, layout: LayoutRef<'_, I>) -> &mut Self {
        self.arities.extend_from_slice(layout.shape().arities());
        self.shape.extend(layout.shape().leaves().iter().cloned());
        self.stride.extend(layout.stride().leaves().iter().cloned());
        self
    }

    /// Returns the layout, which must be complete.
    pub(crate) fn finish(self) -> Layout<I> {
        let profile = Profile::from_preorder(self.arities);
        let shape = Tuple::from_parts(profile.clone(), self.shape);
        Layout::from_congruent(shape, Tuple::from_parts(profile, self.stride))
    }
}
