//! Types of the dialects from values.
//!
//! ```
//! use cute_build::types::{self, Space};
//! use melior::{Context, ir::r#type::Type};
//!
//! let context = Context::new();
//! # let registry = melior::dialect::DialectRegistry::new();
//! # cute_dialect::register_dialects(&registry);
//! # context.append_dialect_registry(&registry);
//! # context.load_all_available_dialects();
//! let half = Type::float16(&context);
//! let matrix = types::pointer(half, Space::Gmem).align(16).memref("(?,64):(64,1)")?;
//! assert_eq!(matrix.to_string(), r#"!cute.memref<f16, gmem, align<16>, "(?,64):(64,1)">"#);
//!
//! let error = types::layout(&context, "(4,8):(1,4").unwrap_err();
//! assert_eq!(error.to_string(), r#"invalid layout "(4,8):(1,4": column 11: expected `,` or `)`, found the end"#);
//! # Ok::<(), cute_build::Error>(())
//! ```

pub use cute_dialect::value::Space;

use cute_algebra::{
    AnyLayout, ComposedLayout, Coord, Dim, Inner, Layout, LayoutLike, ParseError, Stride, Swizzle, Tile,
    Tuple, parse_composed, parse_stride,
};
use cute_arch::Element;
use cute_dialect::{
    types::{natural_align, type_of},
    value::{CoordTensor, MemRef, Ptr, Value},
};
use cute_ffi::types::context_of;
use melior::{
    Context,
    ir::{Attribute, Type},
};

use crate::{
    Error, Input, Result,
    attribute::parse_attribute,
    diagnostics::{NO_REASON, column, reported_at},
};

macro_rules! from_input {
    ($($name:ident $example:literal $variant:ident($t:ty),)*) => {$(
        #[doc = concat!("`!cute.", stringify!($name), "<\"", $example, "\">` from `", $example, "`.")]
        ///
        /// # Errors
        /// [`Error::Text`], with the column.
        pub fn $name<'c>(context: &'c Context, given: impl Input<$t>) -> Result<Type<'c>> {
            Ok(type_of(context, &Value::$variant(given.resolved()?)))
        }
    )*};
}

from_input! {
    int_tuple "(4,(?,8))" IntTuple(Tuple<Dim>),
    shape "(128,(?,8))" Shape(Tuple<Dim>),
    coord "(_,?)" Coord(Coord<Dim>),
    layout "(4,8):(1,4)" Layout(Layout<Dim>),
    tile "[64:1;_]" Tile(Tile<Dim>),
    swizzle "S<3,4,3>" Swizzle(Swizzle),
    arith_tuple_iter "(0,?)" ArithTupleIter(Tuple<Dim>),
}

fn text<T>(
    what: &'static str,
    text: &str,
    parse: impl FnOnce(&str) -> std::result::Result<T, ParseError>,
) -> Result<T> {
    parse(text).map_err(|error| Error::Text { what, text: text.into(), error: Box::new(error) })
}

/// `!cute.stride<"(1,?{i64 div=8})">` from `(1,?{i64 div=8})`.
///
/// # Errors
/// [`Error::Text`], with the column.
pub fn stride<'c>(context: &'c Context, given: &str) -> Result<Type<'c>> {
    let stride: Tuple<Stride<Dim>> = text("stride", given, parse_stride)?;
    Ok(type_of(context, &Value::Stride(stride)))
}

/// `!cute.composed_layout<"S<3,4,3> o 0 o (8,64):(64,1)">` from its text.
///
/// # Errors
/// [`Error::Text`], with the column.
pub fn composed_layout<'c>(context: &'c Context, given: &str) -> Result<Type<'c>> {
    let layout: ComposedLayout<Dim> = text("composed layout", given, parse_composed)?;
    Ok(type_of(context, &Value::ComposedLayout(layout)))
}

/// A pointer to `elem`, with the alignment of the element.
pub fn pointer(elem: Type<'_>, space: Space) -> Pointer<'_> {
    Pointer { elem, space, align: None, swizzle: Swizzle::IDENTITY }
}

/// A pointer type in the making, of which views are made.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct Pointer<'c> {
    elem: Type<'c>,
    space: Space,
    align: Option<i64>,
    swizzle: Swizzle,
}

impl<'c> Pointer<'c> {
    /// With an address that is a multiple of this number of bytes.
    pub fn align(self, bytes: i64) -> Self {
        Self { align: Some(bytes), ..self }
    }

    /// With a swizzle of the byte address of each access.
    pub fn swizzle(self, swizzle: Swizzle) -> Self {
        Self { swizzle, ..self }
    }

    fn value(self) -> Result<Ptr<'c, Dim>> {
        let Self { elem, space, align, swizzle } = self;
        let align = align.unwrap_or_else(|| natural_align(Some(elem)).unwrap_or(1));
        if align < 1 || align & (align - 1) != 0 {
            let text = format!("an alignment is a positive power of two, in bytes, found {align}");
            return Err(Error::Rule(text));
        }
        if space == Space::Tmem && !swizzle.is_identity() {
            let text = "a swizzle permutes bytes; tensor memory is addressed by lanes and columns";
            return Err(Error::Rule(text.into()));
        }
        Ok(Ptr { elem: Some(elem), space, align, swizzle, address: () })
    }

    /// `!cute.ptr<f16, smem, align<16>>`
    ///
    /// # Errors
    /// Returns [`Error::Rule`] for an alignment that is not a power of two.
    pub fn ptr(self) -> Result<Type<'c>> {
        Ok(type_of(context_of(self.elem), &Value::Ptr(self.value()?)))
    }

    /// `!cute.memref<f16, smem, align<16>, "(8,64):(64,1)">`: a view of elements under a layout,
    /// plain or composed.
    ///
    /// # Errors
    /// As [`ptr`](Self::ptr), [`Error::Text`] for the layout, and [`Error::Rule`] for basis
    /// strides.
    pub fn memref(self, layout: impl Input<AnyLayout<Dim>>) -> Result<Type<'c>> {
        let layout: AnyLayout<Dim> = layout.resolved()?;
        layout.check()?;
        let is_of_bases = layout.outer().has_basis();
        let behind_layout =
            matches!(&layout, AnyLayout::Composed(l) if matches!(l.inner(), Inner::Layout(_)));
        if is_of_bases && !behind_layout {
            let text = format!(
                "a memref has integer strides, found {layout}; basis strides make a !cute.coord_tensor"
            );
            return Err(Error::Rule(text));
        }
        Ok(type_of(context_of(self.elem), &Value::MemRef(MemRef { iter: self.value()?, layout })))
    }
}

/// A tensor of coordinates: an origin, and a layout with basis strides.
///
/// # Errors
/// [`Error::Text`], and [`Error::Rule`] for a stride along no mode of the origin.
pub fn coord_tensor<'c>(
    context: &'c Context,
    origin: impl Input<Tuple<Dim>>,
    layout: impl Input<Layout<Dim>>,
) -> Result<Type<'c>> {
    let view = CoordTensor { origin: origin.resolved()?, layout: layout.resolved()? };
    view.check().map_err(|why| Error::Rule(why.to_string()))?;
    Ok(type_of(context, &Value::CoordTensor(view)))
}

/// `#cute.coord<"(1,_)">` from `(1,_)`: the attribute `proj` of `cute.local_tile`.
///
/// # Errors
/// [`Error::Text`], with the column.
pub fn coord_attribute<'c>(context: &'c Context, given: &str) -> Result<Attribute<'c>> {
    coord(context, given)?;
    parse_attribute(context, &format!("#cute.coord<\"{given}\">"))
}

/// Any type, from all of its text.
///
/// # Errors
/// [`Error::Type`], with what MLIR reports.
pub fn parse<'c>(context: &'c Context, text: &str) -> Result<Type<'c>> {
    let fail = |why| Error::Type { text: text.into(), why };
    reported_at(context, NO_REASON, column, || Type::parse(context, text)).map_err(fail)
}

/// MLIR's type of an element of the hardware.
///
/// # Errors
/// Returns [`Error::Rule`] for an element that MLIR has no type for.
pub fn element(context: &Context, element: Element) -> Result<Type<'_>> {
    let t = cute_dialect::atom::type_of_element(context, element);
    t.ok_or_else(|| Error::Rule(format!("MLIR has no type for {element}")))
}
