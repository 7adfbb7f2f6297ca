//! Types of the dialects, from the text between their quotes.
//!
//! ```
//! use cute_mlir::types;
//! use melior::{Context, ir::r#type::Type};
//!
//! let context = Context::new();
//! cute_mlir::load(&context);
//! let matrix = types::memref(&context, Type::float16(&context), types::Space::Gmem, Some(16), "(?,64):(64,1)")?;
//! assert_eq!(matrix.to_string(), r#"!cute.memref<f16, gmem, align<16>, "(?,64):(64,1)">"#);
//!
//! let error = types::layout(&context, "(4,8):(1,4").unwrap_err();
//! assert_eq!(error.to_string(), r#"invalid layout "(4,8):(1,4": column 11: expected `,` or `)`, found the end"#);
//! # Ok::<(), cute_mlir::Error>(())
//! ```

pub use cute_dialect::{atom::Cache, value::Space};

use cute_algebra::{
    Dim, ParseError, Swizzle, parse_composed, parse_coord, parse_descriptor, parse_int_tuple, parse_layout,
    parse_shape, parse_stride, parse_swizzle, parse_tile,
};
use cute_dialect::{types::type_of, value::Value};
use melior::{
    Context,
    ir::{Attribute, Type},
};

use crate::{
    Error,
    diagnostics::{NO_REASON, column, reported_at},
};

macro_rules! from_text {
    ($($name:ident $what:literal $example:literal $variant:ident $parse:ident,)*) => {$(
        #[doc = concat!("`!cute.", stringify!($name), "<\"", $example, "\">` from `", $example, "`.")]
        ///
        /// # Errors
        /// [`Error::Text`], with the column.
        pub fn $name<'c>(context: &'c Context, text: &str) -> Result<Type<'c>, Error> {
            from_text(context, $what, text, |text| $parse(text).map(Value::$variant))
        }
    )*};
}

from_text! {
    int_tuple "int_tuple" "(4,(?,8))" IntTuple parse_int_tuple,
    shape "shape" "(128,(?,8))" Shape parse_shape,
    stride "stride" "(1,?{i64 div=8})" Stride parse_stride,
    coord "coord" "(_,?)" Coord parse_coord,
    layout "layout" "(4,8):(1,4)" Layout parse_layout,
    tile "tile" "[64:1;_]" Tile parse_tile,
    swizzle "swizzle" "S<3,4,3>" Swizzle parse_swizzle,
    composed_layout "composed layout" "S<3,4,3> o 0 o (8,64):(64,1)" ComposedLayout parse_composed,
    arith_tuple_iter "int_tuple" "(0,?)" ArithTupleIter parse_int_tuple,
}

fn from_text<'c>(
    context: &'c Context,
    what: &'static str,
    text: &str,
    parse: impl FnOnce(&str) -> Result<Value<'c, Dim>, ParseError>,
) -> Result<Type<'c>, Error> {
    let value = parse(text).map_err(|error| Error::Text { what, text: text.into(), error: error.into() })?;
    Ok(type_of(context, &value))
}

/// A pointer to `elem`. `align` is in bytes, with the element's own alignment as the default. A
/// swizzle applies to the byte address of each access.
///
/// # Errors
/// Returns [`Error::Type`] for an alignment that is not a power of two.
pub fn ptr<'c>(
    context: &'c Context,
    elem: Type<'c>,
    space: Space,
    align: Option<u32>,
    swizzle: Option<Swizzle>,
) -> Result<Type<'c>, Error> {
    let swizzle = swizzle.map(|s| format!(", {s}")).unwrap_or_default();
    parse(context, &format!("!cute.ptr<{}{swizzle}>", pointer(elem, space, align)))
}

/// A view of `elem`s in memory under a layout, plain or composed. `align` is in bytes.
///
/// # Errors
/// [`Error::Type`]: an alignment that is not a power of two, or what is wrong with the layout.
pub fn memref<'c>(
    context: &'c Context,
    elem: Type<'c>,
    space: Space,
    align: Option<u32>,
    layout: &str,
) -> Result<Type<'c>, Error> {
    parse(context, &format!("!cute.memref<{}, \"{layout}\">", pointer(elem, space, align)))
}

/// A tensor of coordinates: an origin, and a layout with basis strides.
///
/// # Errors
/// [`Error::Type`]
pub fn coord_tensor<'c>(context: &'c Context, origin: &str, layout: &str) -> Result<Type<'c>, Error> {
    parse(context, &format!("!cute.coord_tensor<\"{origin}\", \"{layout}\">"))
}

/// A plain load and store of `bits` bits, or of one element.
///
/// # Errors
/// Returns [`Error::Type`] for an access that the hardware does not have.
pub fn universal_copy<'c>(
    context: &'c Context,
    elem: Type<'c>,
    bits: Option<u32>,
) -> Result<Type<'c>, Error> {
    parse(context, &format!("!cute_nvgpu.atom.universal_copy<{elem}{}>", width(bits)))
}

/// `cp.async` of `bits` bits, or of one element, from global to shared memory.
///
/// # Errors
/// Returns [`Error::Type`] for an access that the hardware does not have.
pub fn simt_async_copy<'c>(
    context: &'c Context,
    elem: Type<'c>,
    cache: Cache,
    bits: Option<u32>,
) -> Result<Type<'c>, Error> {
    let (cache, bits) = (cache.name(), width(bits));
    parse(context, &format!("!cute_nvgpu.atom.simt_async_copy<{elem}, cache = {cache}{bits}>"))
}

/// A copy atom tiled over threads and values: `tv` maps (thread, value) to the position in the tile
/// that `tiler` cuts, column-major.
///
/// # Errors
/// [`Error::Type`]
pub fn tiled_copy<'c>(
    context: &'c Context,
    atom: Type<'c>,
    tv: &str,
    tiler: &str,
) -> Result<Type<'c>, Error> {
    parse(
        context,
        &format!("!cute.tiled_copy<{atom}, layout_copy_tv = <\"{tv}\">, tiler_mn = <\"{tiler}\">>"),
    )
}

/// `#cute.coord<"(1,_)">` from `(1,_)`: the attribute `proj` of `cute.local_tile`.
///
/// # Errors
/// [`Error::Text`], with the column.
pub fn coord_attribute<'c>(context: &'c Context, text: &str) -> Result<Attribute<'c>, Error> {
    coord(context, text)?;
    let whole = format!("#cute.coord<\"{text}\">");
    let parsed = reported_at(context, NO_REASON, column, || Attribute::parse(context, &whole));
    parsed.map_err(|why| Error::Type { text: whole.clone(), why })
}

/// `#cute.descriptor<"(16@0,1@1)">` from `(16@0, 1@1)`; counts are reduced.
///
/// # Errors
/// [`Error::Text`], with the column.
pub fn descriptor_attribute<'c>(context: &'c Context, text: &str) -> Result<Attribute<'c>, Error> {
    let at = |error: ParseError| Error::Text { what: "descriptor", text: text.into(), error: error.into() };
    parse_descriptor(text).map_err(at)?;
    let whole = format!("#cute.descriptor<\"{text}\">");
    let parsed = reported_at(context, NO_REASON, column, || Attribute::parse(context, &whole));
    parsed.map_err(|why| Error::Type { text: whole.clone(), why })
}

/// Any type, from all of its text.
///
/// # Errors
/// [`Error::Type`], with what MLIR reports.
pub fn parse<'c>(context: &'c Context, text: &str) -> Result<Type<'c>, Error> {
    let fail = |why| Error::Type { text: text.into(), why };
    reported_at(context, NO_REASON, column, || Type::parse(context, text)).map_err(fail)
}

fn pointer(elem: Type<'_>, space: Space, align: Option<u32>) -> String {
    let align = align.map(|n| format!(", align<{n}>")).unwrap_or_default();
    format!("{elem}, {}{align}", space.name())
}

fn width(bits: Option<u32>) -> String {
    bits.map(|n| format!(", {n} b")).unwrap_or_default()
}
