//! Tilers: what a layout is composed with or divided by, as a whole or mode by mode.

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
    /// `_`: the mode as it is.
    Underscore,
    /// One element per mode, leading modes first.
    Modes(Vec<Self>),
}

impl<I: Int> Tile<I> {
    /// The tile that a shape stands for: one extent per mode.
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

    /// The same tile in another interpretation: `f` sees the leaves in the order of the text.
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

/// What tiles a layout.
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

    /// The same tiler in another interpretation: `f` sees the leaves in the order of the text.
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
