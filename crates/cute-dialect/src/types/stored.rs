//! The value that is stored with each of our types.

#![allow(unsafe_code)]

use cute_algebra::{AnyLayout, Coord, Dim, Stride, Swizzle, Tile, Tuple};
use cute_ffi::types::{self as stored, Kind, Meaning};
use melior::{Context, ir::Type};

use crate::{
    space::Space,
    value::{Machine, Value},
};

struct Values;

// SAFETY: the program uses no other meaning of types, and a value borrows only types and their
// context.
unsafe impl Meaning for Values {
    type Of<'c> = Shared<'c>;
}

/// A value as MLIR's threads share it.
struct Shared<'c>(Value<'c, Dim>);

// SAFETY: a value consists of plain data, as checked below, and of types of MLIR. Those point to
// storage that their context never changes and that MLIR's threads share, so a thread may read or
// drop them as any other does. No method of a value changes it through a shared reference.
unsafe impl Send for Shared<'_> {}
// SAFETY: as above.
unsafe impl Sync for Shared<'_> {}

/// The parts of values that are not types of MLIR.
const _: () = {
    const fn plain<T: Send + Sync>() {}
    plain::<(Tuple<Dim>, Coord<Dim>, AnyLayout<Dim>, Tile<Dim>, Swizzle, Stride<Dim>)>();
    plain::<(Kind, Space, <Dim as Machine>::Address)>();
};

/// The value that a type of ours stores; `None` for a type of another dialect.
pub fn value<'c>(t: Type<'c>) -> Option<&'c Value<'c, Dim>> {
    stored::value::<Values>(t).map(|shared| &shared.0)
}

/// The type of a kind with the parameter type `inner`, if any, and the text `body`; `value` is its
/// meaning.
pub fn make<'c>(
    c: &'c Context,
    kind: Kind,
    inner: Option<Type<'c>>,
    body: &str,
    value: &Value<'c, Dim>,
) -> Type<'c> {
    stored::make::<Values>(c, kind, inner, body, || Shared(value.clone()))
}
