//! The values of expressions, and their text. This module covers the forms of the algebra, not its
//! functions.

use std::{fmt, sync::Arc};

use cute_algebra::{
    AnyLayout, Coord, Crd, Dim, Inner, Int, LayoutLike, Stride, Swizzle, Tile, Tuple, Width, join_values,
};

use crate::{
    error::{Result, at},
    leaf::{Leaf, text},
    tilings::{Atom, Tiling},
};

/// The maximum number of integers in one expression or result, because some operations take
/// quadratic time and space.
pub const MAX_LEAVES: usize = 2048;

/// The maximum nesting depth of a result.
pub const MAX_DEPTH: usize = 256;

/// The value of an expression.
#[derive(Debug, Clone)]
pub enum Value {
    /// `8`, `(4,(2,2))`
    Tuple(Tuple<Leaf>),
    /// `(2,_)`
    Coord(Coord<Leaf>),
    /// `(1@0,1@1)`
    Stride(Tuple<Stride<Leaf>>),
    /// `(4,8):(1,4)`, `S<3,4,3> o 0 o (8,64):(64,1)`
    Layout(AnyLayout<Leaf>),
    /// `[4:1;_]`
    Tile(Tile<Leaf>),
    /// `S<3,4,3>`
    Swizzle(Swizzle),
    /// Yes, no, or not known before run time.
    Truth(Option<bool>),
    /// `SM80_16x8x16_F32F16F16F32_TN`, `UniversalCopy<uint128_t>`
    Atom(Atom),
    /// An atom laid over threads.
    Tiling(Arc<Tiling>),
    /// A layout and the offset at which it starts.
    Part {
        /// The offset of the fixed modes.
        offset: Tuple<Leaf>,
        /// The modes left open.
        layout: AnyLayout<Leaf>,
    },
}

impl Value {
    /// A static integer.
    pub fn integer(value: i64) -> Self {
        Self::Tuple(Tuple::leaf(Leaf::fixed(value)))
    }

    /// The kind of the value, with its article.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Tuple(tuple) if tuple.is_leaf() => "an integer",
            Self::Tuple(_) => "a tuple",
            Self::Coord(_) => "a coordinate with `_`",
            Self::Stride(_) => "a stride",
            Self::Layout(AnyLayout::Plain(_)) => "a layout",
            Self::Layout(AnyLayout::Composed(_)) => "a composed layout",
            Self::Tile(_) => "a tile",
            Self::Swizzle(_) => "a swizzle",
            Self::Truth(_) => "a truth value",
            Self::Atom(atom) => atom.kind(),
            Self::Tiling(tiling) => tiling.kind(),
            Self::Part { .. } => "an offset with a layout (use layout(..) or offset(..) of it)",
        }
    }

    /// The value as an answer. Atoms and tilings, whose text is the call that makes them, also show
    /// their facts.
    pub fn answer(&self) -> Result<String> {
        let facts = match self {
            Self::Atom(atom) => atom.facts(),
            Self::Tiling(tiling) => at(1, tiling.facts())?,
            _ => return Ok(format!("{self}\n")),
        };
        let lines = facts.into_iter().map(|fact| format!("  {} = {}\n", fact.name, fact.value));
        Ok(std::iter::once(format!("{self}\n")).chain(lines).collect())
    }

    /// Number of integers in its text.
    pub fn leaves(&self) -> usize {
        match self {
            Self::Tuple(tuple) => tuple.leaves().len(),
            Self::Coord(coord) => coord.leaves().len(),
            Self::Stride(stride) => stride.leaves().len(),
            Self::Layout(layout) | Self::Part { layout, .. } => layout_leaves(layout),
            Self::Tile(tile) => tile_leaves(tile),
            Self::Swizzle(_) | Self::Truth(_) | Self::Atom(_) | Self::Tiling(_) => 1,
        }
    }

    /// Levels of nesting.
    pub fn depth(&self) -> usize {
        match self {
            Self::Tuple(tuple) => tuple.depth(),
            Self::Coord(coord) => coord.depth(),
            Self::Stride(stride) => stride.depth(),
            Self::Layout(layout) | Self::Part { layout, .. } => layout.outer().depth(),
            Self::Tile(tile) => tile_depth(tile),
            Self::Swizzle(_) | Self::Truth(_) | Self::Atom(_) | Self::Tiling(_) => 0,
        }
    }
}

fn layout_leaves(layout: &AnyLayout<Leaf>) -> usize {
    let inner = match layout {
        AnyLayout::Composed(composed) => match composed.inner() {
            Inner::Layout(inner) => 2 * inner.flat().len(),
            Inner::Swizzle(_) => 1,
        },
        AnyLayout::Plain(_) => 0,
    };
    inner + 2 * layout.outer().flat().len()
}

fn tile_leaves(tile: &Tile<Leaf>) -> usize {
    match tile {
        Tile::Layout(layout) => 2 * layout.flat().len(),
        Tile::Int(_) | Tile::Underscore => 1,
        Tile::Modes(modes) => modes.iter().map(tile_leaves).sum(),
    }
}

fn tile_depth(tile: &Tile<Leaf>) -> usize {
    match tile {
        Tile::Layout(layout) => layout.depth(),
        Tile::Int(_) | Tile::Underscore => 0,
        Tile::Modes(modes) => 1 + modes.iter().map(tile_depth).max().unwrap_or(0),
    }
}

/// The algebra prints the [`Dim`] half of a leaf: every dynamic leaf is printed as `?`, then gets
/// its own text.
struct Dynamics(Vec<String>);

impl Dynamics {
    fn print<T: fmt::Display>(form: impl FnOnce(&mut Self) -> T) -> String {
        let mut dynamics = Self(Vec::new());
        let plain = form(&mut dynamics).to_string();
        join_values(&plain, dynamics.0)
    }

    fn dim(&mut self, leaf: &Leaf) -> Dim {
        if leaf.is_static() {
            return leaf.dim();
        }
        self.0.push(text(leaf));
        Dim::dynamic(Width::I32, 1)
    }
}

/// A tuple of integers as text.
pub fn show_tuple(tuple: &Tuple<Leaf>) -> String {
    Dynamics::print(|d| tuple.map(|leaf| d.dim(leaf)))
}

/// A layout as text.
pub fn show_layout(layout: &impl LayoutLike<Leaf = Leaf>) -> String {
    let layout = layout.to_any();
    Dynamics::print(|d| layout.map(|leaf| d.dim(leaf)))
}

/// A stride leaf as text.
pub fn show_stride(stride: &Stride<Leaf>) -> String {
    Dynamics::print(|d| stride.map(|leaf| d.dim(leaf)))
}

/// A coordinate as text.
pub fn show_coord(coord: &Coord<Leaf>) -> String {
    Dynamics::print(|d| coord.map(|crd: &Crd<Leaf>| crd.map(|leaf| d.dim(leaf))))
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&match self {
            Self::Tuple(tuple) => show_tuple(tuple),
            Self::Coord(coord) => show_coord(coord),
            Self::Stride(stride) => Dynamics::print(|d| stride.map(|s| s.map(|leaf| d.dim(leaf)))),
            Self::Layout(layout) => show_layout(layout),
            Self::Tile(tile) => Dynamics::print(|d| tile.map(&mut |leaf| d.dim(leaf))),
            Self::Swizzle(swizzle) => swizzle.to_string(),
            Self::Atom(atom) => atom.name().to_string(),
            Self::Tiling(tiling) => tiling.to_string(),
            Self::Truth(Some(truth)) => truth.to_string(),
            Self::Truth(None) => "unknown".to_string(),
            Self::Part { offset, layout } => {
                format!("offset {}, layout {}", show_tuple(offset), show_layout(layout))
            }
        })
    }
}
