//! The string forms of the algebra: the text between the quotes in `!cute.layout<"...">` and
//! similar types.
//!
//! | form | example |
//! |---|---|
//! | leaf | `8`, `-1`, `?`, `?{div=8}`, `?{i64 div=8}` |
//! | tuple | `(4,(2,2))`, `(4)`, `()` |
//! | basis stride | `4@1`, `1@0@2` (last number outermost), `1/2@0`, `4@laneid` |
//! | layout | `(4,8):(1,4)`; a shape alone is compact column-major |
//! | coordinate | `(2,_)` |
//! | tile | `[3:1;_;[2:1]]` |
//! | swizzle | `S<3,4,3>` |
//! | composed layout | `S<3,4,3> o 0 o (8,64):(64,1)` |
//! | descriptor | `(16@0,(1/2@1,-2@0@1))` |
//!
//! Each type prints through `Display`. Spaces are allowed between tokens.

pub(crate) mod cursor;
mod descriptor;
mod parse;
mod suggest;
mod values;

pub use cursor::{Cursor, ParseError};
pub use descriptor::{Descriptor, Entry, Fractions, parse_descriptor};
pub use parse::{
    parse_composed, parse_coord, parse_int_tuple, parse_layout, parse_layout_or_composed, parse_shape,
    parse_stride, parse_swizzle, parse_tile, parse_tiler,
};
pub use suggest::{closest, near};
pub use values::{join_values, split_values};
