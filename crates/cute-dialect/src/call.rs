//! An op with its operands and attributes, in the form that the functions of [`ops`](crate::ops)
//! and the verifiers use.

use std::borrow::Cow;

use cute_algebra::{AnyLayout, Coord, Dim, Int, Layout, LayoutLike, Tiler, Tuple};
use cute_ffi::ops::{AttributeName, OpKind};
use melior::Context;

use crate::{
    atom::{CopyAtom, MmaAtom},
    attributes::Attributes,
    error::{Error, Result},
    value::{CoordTensor, Machine, MemRef, Ptr, SmemDescView, TiledCopy, TiledMma, Value},
};

/// One op with its operands.
pub struct Call<'a, 'c, I: Machine> {
    /// The kind of op.
    pub kind: OpKind,
    /// The values of the operands, in the order of the op's definition.
    pub operands: &'a [Cow<'a, Value<'c, I>>],
    /// The attributes that `td/` declares.
    pub attributes: &'a Attributes<'c>,
    /// The declared results; empty while they are inferred.
    pub declared: &'a [Cow<'a, Value<'c, Dim>>],
    /// The context for new types.
    pub context: &'c Context,
}

impl<'c, I: Machine> Call<'_, 'c, I> {
    /// Operand `i`.
    pub fn operand(&self, i: usize) -> Result<&Value<'c, I>> {
        let found = self.operands.len();
        self.optional(i)
            .ok_or_else(|| Error::OperandCount { expected: format!("at least {} operands", i + 1), found })
    }

    /// Operand `i`, if it exists.
    pub fn optional(&self, i: usize) -> Option<&Value<'c, I>> {
        self.operands.get(i).map(|v| &**v)
    }

    pub(crate) fn wrong<T>(&self, index: usize, expected: &'static str) -> Result<T> {
        Err(Error::OperandKind { index, expected, found: self.operand(index)?.what() })
    }

    /// The layout of operand `i`, whatever carries it.
    pub fn layout(&self, i: usize) -> Result<AnyLayout<I>> {
        match self.operand(i)?.layout() {
            Some(layout) => Ok(layout),
            None => self.wrong(i, "a layout, composed layout, memref or coord_tensor"),
        }
    }

    /// Operand `i`, a layout or composed layout: no view of something.
    pub fn pure_layout(&self, i: usize) -> Result<AnyLayout<I>> {
        match self.operand(i)? {
            Value::Layout(_) | Value::ComposedLayout(_) => self.layout(i),
            _ => self.wrong(i, "a layout or composed layout"),
        }
    }

    /// Operand `i` with its layout, or the outer layout of a composed one, replaced by the result
    /// of `f`.
    pub(crate) fn map_outer(
        &self,
        i: usize,
        f: impl FnOnce(&Layout<I>) -> std::result::Result<Layout<I>, cute_algebra::Error>,
    ) -> Result<Value<'c, I>> {
        Ok(match self.operand(i)? {
            Value::Layout(layout) => Value::Layout(f(layout)?),
            Value::ComposedLayout(layout) => Value::from_layout(layout.map_outer(f)?.simplify()),
            Value::MemRef(view) => {
                Value::MemRef(MemRef { iter: view.iter.clone(), layout: view.layout.map_outer(f)? })
            }
            Value::CoordTensor(view) => {
                Value::CoordTensor(CoordTensor { origin: view.origin.clone(), layout: f(&view.layout)? })
            }
            Value::SmemDescView(view) => {
                Value::SmemDescView(SmemDescView { iter: view.iter.clone(), layout: f(&view.layout)? })
            }
            _ => return self.wrong(i, "a layout, composed layout, memref or coord_tensor"),
        })
    }

    /// A plain layout.
    pub fn plain(&self, i: usize) -> Result<&Layout<I>> {
        match self.operand(i)? {
            Value::Layout(layout) => Ok(layout),
            _ => self.wrong(i, "a layout"),
        }
    }

    /// Operand `i`, a shape.
    pub fn shape(&self, i: usize) -> Result<&Tuple<I>> {
        match self.operand(i)? {
            Value::Shape(shape) => Ok(shape),
            _ => self.wrong(i, "a shape"),
        }
    }

    pub(crate) fn int_tuple(&self, i: usize) -> Result<&Tuple<I>> {
        match self.operand(i)? {
            Value::IntTuple(t) => Ok(t),
            _ => self.wrong(i, "an int_tuple"),
        }
    }

    /// Operand `i` as a coordinate, or an error that names it.
    pub fn coord(&self, i: usize) -> Result<&Coord<I>> {
        match self.operand(i)? {
            Value::Coord(coord) => Ok(coord),
            _ => self.wrong(i, "a coord"),
        }
    }

    /// A tuple of integers, whatever its kind; no `_`, no basis.
    pub(crate) fn integers(&self, i: usize) -> Result<Tuple<I>> {
        match self.operand(i)? {
            Value::IntTuple(t) | Value::Shape(t) => Ok(t.clone()),
            Value::Coord(c) => c
                .to_ints()
                .ok_or_else(|| Error::Rule(format!("operand #{i} has a `_`, but integers are required"))),
            Value::Stride(s) => Ok(s.try_map(|d| d.expect_int("a tuple of integers").cloned())?),
            _ => self.wrong(i, "an int_tuple, shape, stride or coord"),
        }
    }

    /// A tiler: layout, shape or tile.
    pub fn tiler(&self, i: usize) -> Result<Tiler<I>> {
        match self.operand(i)? {
            Value::Layout(layout) => Ok(layout.clone().into()),
            Value::Shape(shape) => Ok(shape.clone().into()),
            Value::Tile(tile) => Ok(tile.clone().into()),
            _ => self.wrong(i, "a layout, shape or tile"),
        }
    }

    /// Operand `i` as a memref, or an error that names it.
    pub fn memref(&self, i: usize) -> Result<&MemRef<'c, I>> {
        match self.operand(i)? {
            Value::MemRef(view) => Ok(view),
            _ => self.wrong(i, "a memref"),
        }
    }

    pub(crate) fn ptr(&self, i: usize) -> Result<&Ptr<'c, I>> {
        match self.operand(i)? {
            Value::Ptr(ptr) => Ok(ptr),
            _ => self.wrong(i, "a ptr"),
        }
    }

    pub(crate) fn tiled_copy(&self, i: usize) -> Result<&TiledCopy<'c>> {
        match self.operand(i)? {
            Value::TiledCopy(tiled) => Ok(tiled),
            _ => self.wrong(i, "a tiled_copy"),
        }
    }

    /// The declared result, for ops whose result type determines the result.
    pub(crate) fn declared(&self, i: usize) -> Result<&Value<'c, Dim>> {
        self.declared
            .get(i)
            .map(|v| &**v)
            .ok_or_else(|| Error::Rule("the result type cannot be inferred; declare it".into()))
    }

    /// The attribute `proj`, which selects the modes to keep.
    pub fn kept(&self) -> Result<Option<Coord<I>>> {
        self.attributes.coord(AttributeName::Proj)?.map(kept).transpose()
    }
}

/// A coordinate that selects the modes to keep.
pub fn kept<I: Machine>(coord: &Coord<Dim>) -> Result<Coord<I>> {
    if coord.leaves().iter().any(|c| c.as_int().is_some_and(|i| !i.is_static())) {
        return Err(Error::Rule(format!(
            "the coordinate {coord} has a dynamic leaf: it selects the modes to keep, so it must be static"
        )));
    }
    Ok(coord.map(|c| c.map(|d| I::from_i64(d.as_static().expect("no leaf is dynamic")))))
}

impl<'c, I: Machine> Call<'_, 'c, I> {
    /// The copy atom of operand 0, bare or tiled.
    pub fn copy_atom(&self) -> Result<CopyAtom<'c>> {
        match self.operand(0)? {
            Value::CopyAtom(atom) => Ok(atom.clone()),
            Value::TiledCopy(tiled) => Ok(tiled.atom.clone()),
            _ => self.wrong(0, "a copy atom or tiled_copy"),
        }
    }

    /// The MMA atom of operand 0, bare or tiled.
    pub fn mma_atom(&self) -> Result<&MmaAtom<'c>> {
        match self.operand(0)? {
            Value::MmaAtom(atom) => Ok(atom),
            Value::TiledMma(tiled) => Ok(&tiled.atom),
            _ => self.wrong(0, "an MMA atom or tiled_mma"),
        }
    }

    pub(crate) fn tiled_mma(&self, i: usize) -> Result<&TiledMma<'c>> {
        match self.operand(i)? {
            Value::TiledMma(tiled) => Ok(tiled),
            _ => self.wrong(i, "a tiled_mma"),
        }
    }

    /// The shape of a view, for messages.
    pub fn shape_of(&self, i: usize) -> Result<Tuple<I>> {
        Ok(self.layout(i)?.outer().shape().clone())
    }
}
