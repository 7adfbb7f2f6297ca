//! The value that is stored with each of our types.

#![allow(unsafe_code)]

use cute_algebra::Dim;
use cute_ffi::types::{self as stored, Kind, Meaning};
use melior::{Context, ir::Type};

use crate::value::Value;

struct Values;

// SAFETY: the program uses no other meaning of types, and a value borrows only types and their
// context.
unsafe impl Meaning for Values {
    type Of<'c> = Value<'c, Dim>;
}

/// The value that a type of ours stores; `None` for a type of another dialect.
pub fn value<'c>(t: Type<'c>) -> Option<&'c Value<'c, Dim>> {
    stored::value::<Values>(t)
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
    stored::make::<Values>(c, kind, inner, body, value)
}
