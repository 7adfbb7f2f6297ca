//! Tilers: the right operands of compositions and divides. A [`Tiler`] is a layout, which applies
//! to the whole domain of the left operand, or a shape or [`Tile`], which applies mode by mode. The
//! tiler `(4,8)` takes the first 4 elements of mode 0 and the first 8 of mode 1; the tile `[4:2;_]`
//! takes every second element of mode 0, four in all, and leaves mode 1 as it is.
//!
//! ```
//! use cute_algebra::{composition, parse_layout, parse_tiler};
//! let taken = |tiler| composition(&parse_layout("(8,16):(1,8)").unwrap(), &parse_tiler(tiler).unwrap());
//! assert_eq!(taken("(4,8)")?.to_string(), "(4,8):(1,8)");
//! assert_eq!(taken("[4:2;_]")?.to_string(), "(4,16):(2,8)");
//! assert_eq!(taken("4:2")?.to_string(), "4:2");
//! # Ok::<(), cute_algebra::Error>(())
//! ```

use std::{borrow::Cow, fmt};

use crate::{
    int::Int,
    layout::{Layout, text},
    tuple::{Tuple, TupleRef},
};

/// One element of a tile, or a whole tile: `[3:1;_;[2:1]]`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Tile<I> {
    /// A layout, for one mode as a whole.
    Layout(Layout<I>),
    /// An extent `n`, short for `n:1` (and 1 for `1:0`).
    Int(I),
    /// `_`: the mode stays as it is.
    Underscore,
    /// One element per mode, leading modes first.
    Modes(Vec<Self>),
}

impl<I: Int> Tile<I> {
    /// The tile that is equivalent to a shape: one extent per mode.
    pub fn from_shape(shape: TupleRef<'_, I>) -> Self {
        match shape.as_leaf() {
            Some(extent) => Self::Int(extent.clone()),
            None => Self::Modes(shape.modes().map(Self::from_shape).collect()),
        }
    }

    /// Number of elements; 1 for anything but [`Tile::Modes`].
    pub fn rank(&self) -> usize {
        match self {
            Self::Modes(modes) => modes.len(),
            _ => 1,
        }
    }

    /// The same tile with another type of leaf: `f` is called on the leaves in the order of the
    /// text.
    pub fn map<J: Int>(&self, f: &mut impl FnMut(&I) -> J) -> Tile<J> {
        match self {
            Self::Layout(layout) => Tile::Layout(layout.map(f)),
            Self::Int(extent) => Tile::Int(f(extent)),
            Self::Underscore => Tile::Underscore,
            Self::Modes(modes) => Tile::Modes(modes.iter().map(|m| m.map(f)).collect()),
        }
    }

    /// Whether every leaf is static.
    pub fn is_static(&self) -> bool {
        match self {
            Self::Layout(layout) => layout.is_static(),
            Self::Int(extent) => extent.is_static(),
            Self::Underscore => true,
            Self::Modes(modes) => modes.iter().all(Self::is_static),
        }
    }

    /// The tile over plain integers, if it is static.
    pub fn to_const(&self) -> Option<Tile<i64>> {
        self.is_static().then(|| self.map(&mut Int::expect_static))
    }
}

/// The right operand of a composition or divide.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Tiler<I> {
    /// One layout over the whole domain: `(4,8):(1,4)`.
    Layout(Layout<I>),
    /// A shape, by mode: `(4,8)`.
    Shape(Tuple<I>),
    /// A tile, by mode: `[4:1;8:1]`.
    Tile(Tile<I>),
}

impl<I: Int> Tiler<I> {
    /// The tiler as a tile; a layout becomes the one element for the whole domain.
    pub fn to_tile(&self) -> Cow<'_, Tile<I>> {
        match self {
            Self::Layout(layout) => Cow::Owned(Tile::Layout(layout.clone())),
            Self::Shape(shape) => Cow::Owned(Tile::from_shape(shape.view())),
            Self::Tile(tile) => Cow::Borrowed(tile),
        }
    }

    /// The same tiler with another type of leaf: `f` is called on the leaves in the order of the
    /// text.
    pub fn map<J: Int>(&self, f: &mut impl FnMut(&I) -> J) -> Tiler<J> {
        match self {
            Self::Layout(layout) => Tiler::Layout(layout.map(f)),
            Self::Shape(shape) => Tiler::Shape(shape.map(f)),
            Self::Tile(tile) => Tiler::Tile(tile.map(f)),
        }
    }
}

impl<I: Int> Tiler<I> {
    /// The tiler over plain integers, if it is static.
    pub fn to_const(&self) -> Option<Tiler<i64>> {
        self.to_tile().is_static().then(|| self.map(&mut Int::expect_static))
    }
}

impl<I: Int> From<Layout<I>> for Tiler<I> {
    fn from(layout: Layout<I>) -> Self {
        Self::Layout(layout)
    }
}

impl<I: Int> From<Tuple<I>> for Tiler<I> {
    fn from(shape: Tuple<I>) -> Self {
        Self::Shape(shape)
    }
}

impl<I: Int> From<Tile<I>> for Tiler<I> {
    fn from(tile: Tile<I>) -> Self {
        Self::Tile(tile)
    }
}

impl<I: Int> fmt::Display for Tile<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout(layout) => layout.fmt(f),
            Self::Int(extent) => extent.dim().fmt(f),
            Self::Underscore => write!(f, "_"),
            Self::Modes(modes) => {
                write!(f, "[")?;
                for (i, mode) in modes.iter().enumerate() {
                    write!(f, "{}{mode}", if i == 0 { "" } else { ";" })?;
                }
                write!(f, "]")
            }
        }
    }
}

impl<I: Int> fmt::Display for Tiler<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layout(layout) => layout.fmt(f),
            Self::Shape(shape) => write!(f, "{}", text(shape.view())),
            Self::Tile(tile) => tile.fmt(f),
        }
    }
}
