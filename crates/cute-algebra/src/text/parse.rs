//! A recursive descent parser for every string form. The parser checks the grammar; the constructor
//! of each value checks the value.

use super::cursor::{Cursor, Result, at};
use crate::{
    axis::Axis,
    basis::{Basis, Stride, check_codomain},
    composed::{AnyLayout, ComposedLayout, Inner},
    coord::{Coord, Crd},
    dim::{Dim, Width},
    error::Error,
    layout::{Layout, make_layout},
    swizzle::Swizzle,
    tile::{Tile, Tiler},
    tuple::Tuple,
};

/// `8`, `-1`, `?`, `?{div=8}`, `?{i64}`, `?{i64 div=8}`
fn dim(c: &mut Cursor<'_>) -> Result<Dim> {
    if !c.eat("?") {
        return match c.peek() {
            Some('-' | '0'..='9') => Ok(Dim::fixed(c.integer()?)),
            _ => Err(c.unexpected("an integer, `?` or `(`")),
        };
    }
    if !c.eat("{") {
        return Ok(Dim::dynamic(Width::I32, 1));
    }
    let width = if c.eat("i64") {
        Some(Width::I64)
    } else if c.eat("i32") {
        Some(Width::I32)
    } else {
        None
    };
    let mut div = 1;
    if width.is_none() || c.peek() != Some('}') {
        c.expect("div", if width.is_none() { "`i64`, `i32` or `div=`" } else { "`div=` or `}`" })?;
        c.expect("=", "`=`")?;
        let before = c.clone();
        div = c.integer()?;
        if div < 1 {
            *c = before;
            return Err(c.unexpected("a positive divisor"));
        }
    }
    c.expect("}", "`}`")?;
    Ok(Dim::dynamic(width.unwrap_or(Width::I32), div))
}

/// `leaf` or `( tuple , ... )`
fn tuple<T>(c: &mut Cursor<'_>, leaf: &mut impl FnMut(&mut Cursor<'_>) -> Result<T>) -> Result<Tuple<T>> {
    if c.eat("(") {
        Ok(Tuple::from_modes(c.list(",", ")", "`,` or `)`", |c| tuple(c, leaf))?))
    } else {
        Ok(Tuple::leaf(leaf(c)?))
    }
}

/// `dim [ "/" integer ] ( "@" integer )*`, or `dim [ "/" integer ] "@" name`
fn stride_leaf(c: &mut Cursor<'_>) -> Result<Stride<Dim>> {
    let column = c.column();
    let scale = dim(c)?;
    let den = if c.eat("/") { c.integer()? } else { 1 };
    let mut path = Vec::new();
    while c.eat("@") {
        let column = c.column();
        if path.is_empty() && !matches!(c.peek(), Some('-' | '0'..='9')) {
            let axis = at(column, Axis::new(c.word("a mode, or the name of an axis")?))?;
            return at(column, Stride::ratio(scale, den, Basis::named(axis)));
        }
        let level = c.integer()?;
        let negative =
            || Error::Unsupported { what: "basis element", why: format!("index {level} is negative") };
        path.push(at(column, usize::try_from(level).map_err(|_| negative()))?);
    }
    path.reverse();
    if den != 1 && path.is_empty() {
        let whole = matches!(scale.as_static(), Some(n) if den != 0 && n % den == 0);
        let why =
            format!("{scale}/{den} is not an integer, and a ratio needs a basis, such as {scale}/{den}@0");
        at(column, if whole { Ok(()) } else { Err(Error::Unsupported { what: "stride", why }) })?;
    }
    let basis = at(column, Basis::new(&path))?;
    at(column, Stride::ratio(scale, den, basis))
}

fn coord_leaf(c: &mut Cursor<'_>) -> Result<Crd<Dim>> {
    if c.eat("_") { Ok(Crd::Underscore) } else { Ok(Crd::Int(dim(c)?)) }
}

/// A tuple of strides that can be added.
fn stride(c: &mut Cursor<'_>) -> Result<Tuple<Stride<Dim>>> {
    let column = c.column();
    let stride = tuple(c, &mut stride_leaf)?;
    at(column, check_codomain(stride.leaves()))?;
    Ok(stride)
}

/// `shape [ ":" stride ]`
fn layout(c: &mut Cursor<'_>) -> Result<Layout<Dim>> {
    let column = c.column();
    let shape = tuple(c, &mut dim)?;
    if !c.eat(":") {
        return at(column, make_layout(&shape));
    }
    let stride = stride(c)?;
    at(column, Layout::new(shape, stride))
}

/// `_`, `[ tile ; ... ]`, an extent or a layout
fn tile(c: &mut Cursor<'_>) -> Result<Tile<Dim>> {
    if c.eat("[") {
        return Ok(Tile::Modes(c.list(";", "]", "`;` or `]`", tile)?));
    }
    if c.eat("_") {
        return Ok(Tile::Underscore);
    }
    let column = c.column();
    let shape = tuple(c, &mut dim)?;
    match shape.as_leaf() {
        Some(extent) if c.peek() != Some(':') => Ok(Tile::Int(*extent)),
        _ => {
            c.expect(":", "`:` and a stride (a tile of several modes is written `[4:1;1024:1]`)")?;
            let stride = stride(c)?;
            Ok(Tile::Layout(at(column, Layout::new(shape, stride))?))
        }
    }
}

fn swizzle(c: &mut Cursor<'_>) -> Result<Swizzle> {
    let column = c.column();
    c.expect("S", "`S<`")?;
    c.expect("<", "`<`")?;
    let bits = c.integer()?;
    c.expect(",", "`,`")?;
    let base = c.integer()?;
    c.expect(",", "`,`")?;
    let shift = c.integer()?;
    c.expect(">", "`>`")?;
    at(column, Swizzle::new(bits, base, shift))
}

/// `layout` or `inner o offset o outer`
fn any_layout(c: &mut Cursor<'_>) -> Result<AnyLayout<Dim>> {
    let column = c.column();
    let inner = if c.peek() == Some('S') {
        Inner::Swizzle(swizzle(c)?)
    } else {
        let plain = layout(c)?;
        if c.peek() != Some('o') {
            return Ok(AnyLayout::Plain(plain));
        }
        plain.into()
    };
    c.expect("o", "`o` and the offset")?;
    let offset = tuple(c, &mut dim)?;
    c.expect("o", "`o` and the outer layout")?;
    let composed = ComposedLayout::new(inner, offset, layout(c)?);
    at(column, composed.check())?;
    Ok(AnyLayout::Composed(composed))
}

fn whole<T>(text: &str, read: impl FnOnce(&mut Cursor<'_>) -> Result<T>) -> Result<T> {
    let mut cursor = Cursor::new(text);
    let value = read(&mut cursor)?;
    cursor.end("the end")?;
    Ok(value)
}

/// Reads a tuple of integers, such as `(4,(?,-2))`.
pub fn parse_int_tuple(text: &str) -> Result<Tuple<Dim>> {
    whole(text, |c| tuple(c, &mut dim))
}

/// Reads a shape: a tuple of non-negative integers, such as `(4,(?,2))`.
pub fn parse_shape(text: &str) -> Result<Tuple<Dim>> {
    whole(text, |c| {
        tuple(c, &mut |c: &mut Cursor<'_>| match c.peek() {
            Some('-') => Err(c.unexpected("a non-negative extent")),
            _ => dim(c),
        })
    })
}

/// Reads a stride, such as `(1,4@1,1/2@0@1)`.
pub fn parse_stride(text: &str) -> Result<Tuple<Stride<Dim>>> {
    whole(text, stride)
}

/// Reads a coordinate, such as `(2,(_,?))`.
pub fn parse_coord(text: &str) -> Result<Coord<Dim>> {
    whole(text, |c| tuple(c, &mut coord_leaf))
}

/// Reads a layout, such as `(4,8):(8,1)`; a shape alone gives its compact column-major layout.
pub fn parse_layout(text: &str) -> Result<Layout<Dim>> {
    whole(text, layout)
}

/// Reads a tile, such as `[4:1;_]`, or a single element of one.
pub fn parse_tile(text: &str) -> Result<Tile<Dim>> {
    whole(text, tile)
}

/// Reads a tiler: a shape `(4,8)`, a tile `[4:1;8:1]` or a layout `(4,8):(1,4)`.
pub fn parse_tiler(text: &str) -> Result<Tiler<Dim>> {
    whole(text, |c| {
        if matches!(c.peek(), Some('[' | '_')) {
            return tile(c).map(Tiler::Tile);
        }
        let column = c.column();
        let shape = tuple(c, &mut dim)?;
        if !c.eat(":") {
            return Ok(Tiler::Shape(shape));
        }
        let stride = stride(c)?;
        Ok(Tiler::Layout(at(column, Layout::new(shape, stride))?))
    })
}

/// Reads a swizzle, such as `S<3,4,3>`.
pub fn parse_swizzle(text: &str) -> Result<Swizzle> {
    whole(text, swizzle)
}

/// Reads a composed layout, such as `S<3,4,3> o 0 o (8,64):(64,1)`; a plain layout reads as that
/// layout behind `S<0,4,3> o 0 o`.
pub fn parse_composed(text: &str) -> Result<ComposedLayout<Dim>> {
    Ok(match parse_layout_or_composed(text)? {
        AnyLayout::Composed(composed) => composed,
        AnyLayout::Plain(layout) => ComposedLayout::swizzled(Swizzle::IDENTITY, layout),
    })
}

/// Reads a plain or composed layout.
pub fn parse_layout_or_composed(text: &str) -> Result<AnyLayout<Dim>> {
    whole(text, any_layout)
}
