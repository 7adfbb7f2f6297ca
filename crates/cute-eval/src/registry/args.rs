//! The arguments of a call: checks of their number, and conversions to the kind of value that a
//! function needs.

use std::fmt;

use cute_algebra::{
    AnyLayout, ComposedLayout, Coord, Crd, Inner, Layout, Stride, Swizzle, Tile, TiledCopy, TiledMma, Tiler,
    Tuple, TupleRef, make_layout,
};
use cute_arch::atoms::{CopyAtom, MmaAtom};

use super::Function;
use crate::{
    error::{Error, Result, at},
    leaf::Leaf,
    tilings::{Atom, Tiling},
    value::Value,
};

/// The role of a value in errors. Its text is made where there is one.
#[derive(Debug, Clone)]
pub enum Role {
    /// Any role.
    Text(String),
    /// An argument of a function, counted from 1.
    Argument(usize, &'static str),
}

impl<T: Into<String>> From<T> for Role {
    fn from(text: T) -> Self {
        Self::Text(text.into())
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Argument(index, function) => write!(f, "argument {index} of {function}"),
        }
    }
}

/// A value to convert, with its position.
#[derive(Debug, Clone)]
pub struct Arg {
    /// Names the value in errors.
    pub what: Role,
    /// The column at which it starts.
    pub column: usize,
    /// The value to convert.
    pub value: Value,
}

impl Arg {
    /// The error for a value of the wrong kind.
    pub fn not(&self, expected: &'static str) -> Error {
        let text = self.value.to_string();
        let mut found: String = text.chars().take(60).collect();
        if found.len() < text.len() {
            found.push_str("...");
        }
        Error::Kind {
            column: self.column,
            what: self.what.to_string(),
            expected,
            found,
            kind: self.value.kind(),
        }
    }

    /// A plain or composed layout; a shape is its compact layout.
    pub fn layout(&self) -> Result<AnyLayout<Leaf>> {
        match &self.value {
            Value::Layout(layout) => Ok(layout.clone()),
            Value::Tuple(shape) => Ok(at(self.column, make_layout(shape))?.into()),
            _ => Err(self.not("a layout")),
        }
    }

    /// A layout that is not composed.
    pub fn plain(&self) -> Result<Layout<Leaf>> {
        match self.layout()? {
            AnyLayout::Plain(layout) => Ok(layout),
            AnyLayout::Composed(_) => Err(self.not("a plain layout")),
        }
    }

    /// An integer or tuple of integers.
    pub fn tuple(&self) -> Result<Tuple<Leaf>> {
        match &self.value {
            Value::Tuple(tuple) => Ok(tuple.clone()),
            _ => Err(self.not("an integer or a tuple of integers")),
        }
    }

    /// A tuple of integers and `_`.
    pub fn coord(&self) -> Result<Coord<Leaf>> {
        match &self.value {
            Value::Tuple(tuple) => Ok(tuple.to_coord()),
            Value::Coord(coord) => Ok(coord.clone()),
            _ => Err(self.not("a coordinate")),
        }
    }

    /// Integers and basis elements.
    pub fn stride(&self) -> Result<Tuple<Stride<Leaf>>> {
        match &self.value {
            Value::Tuple(tuple) => Ok(tuple.map(|leaf| Stride::int(leaf.clone()))),
            Value::Stride(stride) => Ok(stride.clone()),
            _ => Err(self.not("a stride")),
        }
    }

    /// A shape, a tile or a layout.
    pub fn tiler(&self) -> Result<Tiler<Leaf>> {
        match &self.value {
            Value::Tuple(shape) => Ok(Tiler::Shape(shape.clone())),
            Value::Layout(AnyLayout::Plain(layout)) => Ok(Tiler::Layout(layout.clone())),
            Value::Tile(tile) => Ok(Tiler::Tile(tile.clone())),
            Value::Coord(coord) => Ok(Tiler::Tile(tile_of(coord.view()))),
            _ => Err(self.not("a tiler: a shape (4,8), a tile [4:1;_] or a plain layout")),
        }
    }

    /// One mode of a tile: an integer, a layout, `_`, a tile, or a tuple of integers and `_`, which
    /// goes on mode by mode.
    pub fn mode_of_tile(&self) -> Result<Tile<Leaf>> {
        match &self.value {
            Value::Tuple(tuple) => Ok(Tile::from_shape(tuple.view())),
            Value::Layout(AnyLayout::Plain(layout)) => Ok(Tile::Layout(layout.clone())),
            Value::Coord(coord) => Ok(tile_of(coord.view())),
            Value::Tile(tile) => Ok(tile.clone()),
            _ => Err(self.not("an integer, a plain layout, `_` or a tile")),
        }
    }

    /// `self o offset o outer`.
    pub fn composed(&self, offset: &Self, outer: &Self) -> Result<Value> {
        let inner = match &self.value {
            Value::Swizzle(swizzle) => Inner::Swizzle(*swizzle),
            Value::Layout(AnyLayout::Plain(layout)) => layout.clone().into(),
            Value::Tuple(shape) => at(self.column, make_layout(shape))?.into(),
            _ => return Err(self.not("a swizzle or a plain layout")),
        };
        Ok(Value::Layout(ComposedLayout::new(inner, offset.tuple()?, outer.plain()?).into()))
    }

    /// One integer, static or dynamic.
    pub fn leaf(&self) -> Result<Leaf> {
        self.tuple()?.as_leaf().cloned().ok_or_else(|| self.not("an integer"))
    }

    /// One static integer.
    pub fn number(&self) -> Result<i64> {
        use cute_algebra::Int;
        self.leaf()?.as_static().ok_or_else(|| self.not("a static integer"))
    }

    /// One non-negative static integer.
    pub fn index(&self) -> Result<usize> {
        usize::try_from(self.number()?).map_err(|_| self.not("a non-negative integer"))
    }

    /// A plain layout without dynamic integers.
    pub fn constant(&self) -> Result<Layout<i64>> {
        self.plain()?.to_const().ok_or_else(|| self.not("a static layout"))
    }

    /// A tile by mode without dynamic integers.
    pub fn tile(&self) -> Result<Tile<i64>> {
        self.tiler()?.to_tile().to_const().ok_or_else(|| self.not("a static tile"))
    }

    /// The MMA that a tiled MMA consists of.
    pub fn mma_atom(&self) -> Result<&'static MmaAtom> {
        match &self.value {
            Value::Atom(Atom::Mma(atom)) => Ok(atom),
            _ => Err(self.not("an MMA atom, such as SM80_16x8x16_F32F16F16F32_TN")),
        }
    }

    /// The copy that a tiled copy consists of.
    pub fn copy_atom(&self) -> Result<&'static CopyAtom> {
        match &self.value {
            Value::Atom(Atom::Copy(atom)) => Ok(atom),
            _ => Err(self.not("a copy atom, such as UniversalCopy<uint128_t>")),
        }
    }

    /// An MMA atom laid over threads.
    pub fn tiled_mma(&self) -> Result<&TiledMma> {
        match &self.value {
            Value::Tiling(tiling) => match &**tiling {
                Tiling::Mma { mma, .. } => Ok(mma),
                Tiling::Copy { .. } => Err(self.not("a tiled MMA")),
            },
            _ => Err(self.not("a tiled MMA")),
        }
    }

    /// A copy atom laid over threads.
    pub fn tiled_copy(&self) -> Result<&TiledCopy> {
        match &self.value {
            Value::Tiling(tiling) => match &**tiling {
                Tiling::Copy { copy, .. } => Ok(copy),
                Tiling::Mma { .. } => Err(self.not("a tiled copy")),
            },
            _ => Err(self.not("a tiled copy")),
        }
    }

    /// A swizzle alone, without a layout.
    pub fn swizzle(&self) -> Result<Swizzle> {
        match &self.value {
            Value::Swizzle(swizzle) => Ok(*swizzle),
            _ => Err(self.not("a swizzle")),
        }
    }
}

/// The tile whose extents are the integers of a coordinate: `(4,_)` is `[4;_]`.
fn tile_of(coord: TupleRef<'_, Crd<Leaf>>) -> Tile<Leaf> {
    match coord.as_leaf() {
        Some(Crd::Int(extent)) => Tile::Int(extent.clone()),
        Some(Crd::Underscore) => Tile::Underscore,
        None => Tile::Modes(coord.modes().map(tile_of).collect()),
    }
}

/// The arguments of a call, in the number that the function takes.
#[derive(Debug)]
pub struct Args {
    column: usize,
    args: Vec<Arg>,
}

impl Args {
    /// Checks the number of `values`.
    pub fn new(function: &Function, column: usize, values: Vec<(usize, Value)>) -> Result<Self> {
        let (least, most) = function.arity();
        let found = values.len();
        if found < least || most.is_some_and(|most| found > most) {
            let plural = |n: usize| format!("{n} argument{}", if n == 1 { "" } else { "s" });
            let expected = match most {
                Some(most) if most == least => plural(least),
                Some(most) => format!("{least} to {}", plural(most)),
                None => format!("at least {}", plural(least)),
            };
            let (name, signature) = (function.name.to_string(), function.signature());
            return Err(Error::Arity { column, name, expected, found, signature });
        }
        let args = values.into_iter().enumerate().map(|(i, (column, value))| {
            let what = Role::Argument(i + 1, function.name);
            Arg { what, column, value }
        });
        Ok(Self { column, args: args.collect() })
    }

    /// The number of arguments.
    pub fn count(&self) -> usize {
        self.args.len()
    }

    /// Argument `i`, which the function must have.
    pub fn get(&self, i: usize) -> Result<&Arg> {
        let missing = || Error::Unexpected {
            column: self.column,
            expected: "another argument",
            found: "the end".to_string(),
        };
        self.args.get(i).ok_or_else(missing)
    }

    /// The arguments from `i` on, or the modes of one tuple there, as indices.
    pub fn indices(&self, i: usize) -> Result<Vec<usize>> {
        if self.args.len() == i + 1
            && let Value::Tuple(tuple) = &self.get(i)?.value
            && !tuple.is_leaf()
        {
            let arg = self.get(i)?;
            let mode = |leaf: &Leaf| {
                use cute_algebra::Int;
                leaf.as_static().and_then(|n| usize::try_from(n).ok())
            };
            return tuple
                .leaves()
                .iter()
                .map(|leaf| mode(leaf).ok_or_else(|| arg.not("a tuple of non-negative integers")))
                .collect();
        }
        self.args.iter().skip(i).map(Arg::index).collect()
    }

    /// The result of the algebra, or its error at the column of the call.
    pub fn at<T>(&self, result: cute_algebra::error::Result<T>) -> Result<T> {
        at(self.column, result)
    }

    /// Argument `i`, converted by [`Arg::layout`].
    pub fn layout(&self, i: usize) -> Result<AnyLayout<Leaf>> {
        self.get(i)?.layout()
    }
    /// Argument `i`, converted by [`Arg::plain`].
    pub fn plain(&self, i: usize) -> Result<Layout<Leaf>> {
        self.get(i)?.plain()
    }
    /// Argument `i`, converted by [`Arg::tuple`].
    pub fn tuple(&self, i: usize) -> Result<Tuple<Leaf>> {
        self.get(i)?.tuple()
    }
    /// Argument `i`, converted by [`Arg::coord`].
    pub fn coord(&self, i: usize) -> Result<Coord<Leaf>> {
        self.get(i)?.coord()
    }
    /// Argument `i`, converted by [`Arg::tiler`].
    pub fn tiler(&self, i: usize) -> Result<Tiler<Leaf>> {
        self.get(i)?.tiler()
    }
    /// Argument `i`, converted by [`Arg::leaf`].
    pub fn leaf(&self, i: usize) -> Result<Leaf> {
        self.get(i)?.leaf()
    }
    /// Argument `i`, converted by [`Arg::number`].
    pub fn number(&self, i: usize) -> Result<i64> {
        self.get(i)?.number()
    }
    /// Argument `i`, converted by [`Arg::index`].
    pub fn index(&self, i: usize) -> Result<usize> {
        self.get(i)?.index()
    }

    /// A shape, or the shape of a layout.
    pub fn shape(&self, i: usize) -> Result<Tuple<Leaf>> {
        match &self.get(i)?.value {
            Value::Layout(layout) => Ok(cute_algebra::LayoutLike::outer(layout).shape().clone()),
            _ => self.tuple(i),
        }
    }
}
