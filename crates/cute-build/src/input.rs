//! Parts of types as callers give them: values of the algebra, or their text.

use cute_algebra::{
    AnyLayout, ComposedLayout, Coord, Dim, Layout, Swizzle, Tile, Tuple, parse_coord, parse_int_tuple,
    parse_layout, parse_layout_or_composed, parse_swizzle, parse_tile,
};

use crate::{Error, Result};

/// A `T`, given as itself, as a known value, or as text.
///
/// ```
/// use cute_algebra::{Dim, Layout};
/// use cute_build::Input;
///
/// let layout: Layout<Dim> = "(4,?):(1,4)".resolved()?;
/// assert_eq!(layout.to_string(), "(4,?):(1,4)");
/// let error = Input::<Layout<Dim>>::resolved("(4,8):(1").unwrap_err();
/// assert_eq!(error.to_string(), r#"invalid layout "(4,8):(1": column 9: expected `,` or `)`, found the end"#);
/// # Ok::<(), cute_build::Error>(())
/// ```
pub trait Input<T> {
    /// The value.
    ///
    /// # Errors
    /// [`Error::Text`] for text that does not parse, with the column.
    fn resolved(self) -> Result<T>;
}

macro_rules! input {
    ($($t:ty, $what:literal, $parse:ident;)*) => {$(
        impl Input<$t> for &str {
            fn resolved(self) -> Result<$t> {
                let wrong = |error| Error::Text { what: $what, text: self.into(), error: Box::new(error) };
                $parse(self).map_err(wrong)
            }
        }
        impl Input<$t> for &String {
            fn resolved(self) -> Result<$t> {
                self.as_str().resolved()
            }
        }
        impl Input<$t> for $t {
            fn resolved(self) -> Result<$t> {
                Ok(self)
            }
        }
        impl Input<$t> for &$t {
            fn resolved(self) -> Result<$t> {
                Ok(self.clone())
            }
        }
    )*};
}

input! {
    Tuple<Dim>, "int_tuple", parse_int_tuple;
    Coord<Dim>, "coord", parse_coord;
    Layout<Dim>, "layout", parse_layout;
    AnyLayout<Dim>, "layout", parse_layout_or_composed;
    Tile<Dim>, "tile", parse_tile;
    Swizzle, "swizzle", parse_swizzle;
}

impl Input<Layout<Dim>> for Layout<i64> {
    fn resolved(self) -> Result<Layout<Dim>> {
        Ok(self.map(|n| Dim::fixed(*n)))
    }
}

impl Input<Layout<Dim>> for &Layout<i64> {
    fn resolved(self) -> Result<Layout<Dim>> {
        Ok(self.map(|n| Dim::fixed(*n)))
    }
}

impl Input<AnyLayout<Dim>> for Layout<Dim> {
    fn resolved(self) -> Result<AnyLayout<Dim>> {
        Ok(self.into())
    }
}

impl Input<AnyLayout<Dim>> for ComposedLayout<Dim> {
    fn resolved(self) -> Result<AnyLayout<Dim>> {
        Ok(self.into())
    }
}

impl Input<AnyLayout<Dim>> for Layout<i64> {
    fn resolved(self) -> Result<AnyLayout<Dim>> {
        Ok(self.map(|n| Dim::fixed(*n)).into())
    }
}

/// Known layouts, for the threads and values of copies.
impl Input<Layout<i64>> for &str {
    fn resolved(self) -> Result<Layout<i64>> {
        let layout: Layout<Dim> = self.resolved()?;
        layout.to_const().ok_or_else(|| Error::Rule(format!("the layout {layout} must be static")))
    }
}

impl Input<Layout<i64>> for Layout<i64> {
    fn resolved(self) -> Result<Layout<i64>> {
        Ok(self)
    }
}

impl Input<Layout<i64>> for &Layout<i64> {
    fn resolved(self) -> Result<Layout<i64>> {
        Ok(self.clone())
    }
}

/// Extents, one per mode: `[64, 8]` is `[64:1;8:1]`.
impl<const N: usize> Input<Tile<Dim>> for [i64; N] {
    fn resolved(self) -> Result<Tile<Dim>> {
        let modes = self.map(|n| Layout::identity(Dim::fixed(n)).map(Tile::Layout));
        Ok(Tile::Modes(modes.into_iter().collect::<std::result::Result<_, _>>()?))
    }
}

/// Extents or indices, one per mode.
impl<const N: usize> Input<Tuple<Dim>> for [i64; N] {
    fn resolved(self) -> Result<Tuple<Dim>> {
        Ok(Tuple::from_leaves(self.map(Dim::fixed)))
    }
}

/// A single integer.
impl Input<Tuple<Dim>> for i64 {
    fn resolved(self) -> Result<Tuple<Dim>> {
        Ok(Tuple::leaf(Dim::fixed(self)))
    }
}
