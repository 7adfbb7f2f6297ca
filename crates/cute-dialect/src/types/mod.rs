//! Types: conversion between MLIR's types and [`Value`], and their bodies. A type stores the value
//! that it stands for.

mod attribute;
mod parse;
mod print;
mod state;
mod stored;

pub use crate::scalars::{bit_width, integer, is_flag, natural_align, scalar_type, scalar_width};
pub use attribute::placement;
pub use parse::{parse, text as parse_text};
pub use print::{body, described};
pub use state::{DESCRIPTOR_ALIGN, DESCRIPTOR_BYTES, State, StateField};

use std::borrow::Cow;

use cute_algebra::{Dim, Inner, Width};
use cute_ffi::{dialect::TypePart, types::context_of};
use melior::{
    Context,
    ir::{Type, r#type::IntegerType},
};

use stored::make;

use crate::value::{MemRef, Space, Value};

/// The value that a type stands for.
pub fn value_of<'c>(t: Type<'c>) -> Cow<'c, Value<'c, Dim>> {
    match (stored::value(t), scalar_width(t)) {
        (Some(value), _) => Cow::Borrowed(value),
        (None, Some(width)) => Cow::Owned(Value::Scalar(Dim::dynamic(width, 1))),
        (None, None) => Cow::Owned(Value::Other(t)),
    }
}

/// The type of values like this one.
pub fn type_of<'c>(c: &'c Context, value: &Value<'c, Dim>) -> Type<'c> {
    match (value.kind(), value) {
        (Some(kind), _) => make(c, kind, inner(c, value), &print::rest(value), value),
        (None, Value::Scalar(i)) => scalar_type(c, machine_width(*i)),
        (None, Value::Flag(_)) => IntegerType::new(c, 1).into(),
        (None, Value::Other(t)) => *t,
        (None, _) => Type::none(c),
    }
}

/// The beginning of a body.
enum Beginning<'c> {
    Type(Type<'c>),
    /// The type of values like this one.
    Of(Box<Value<'c, Dim>>),
}

/// The type that a body begins with.
fn beginning<'c>(value: &Value<'c, Dim>) -> Option<Beginning<'c>> {
    Some(match value {
        Value::Ptr(p) => Beginning::Type(p.elem?),
        Value::MemRef(view) => Beginning::Type(view.iter.elem?),
        Value::CopyAtom(atom) if atom.begins_with_element() => Beginning::Type(atom.elem()),
        Value::SmemDesc(descriptor) => Beginning::Type(descriptor.of?.elem),
        Value::SmemDescView(view) => Beginning::Of(Box::new(Value::SmemDesc(view.iter.clone()))),
        Value::TiledCopy(tiled) => Beginning::Of(Box::new(Value::CopyAtom(tiled.atom.clone()))),
        Value::TiledMma(tiled) => Beginning::Of(Box::new(Value::MmaAtom(tiled.atom.clone()))),
        _ => return None,
    })
}

fn inner<'c>(c: &'c Context, value: &Value<'c, Dim>) -> Option<Type<'c>> {
    beginning(value).map(|beginning| match beginning {
        Beginning::Type(t) => t,
        Beginning::Of(value) => type_of(c, &value),
    })
}

/// The width of a machine integer. A static one is a constant of 32 bits where it fits.
pub fn machine_width(i: Dim) -> Width {
    match (i.width(), i.as_static()) {
        (Some(width), _) => width,
        (None, Some(n)) if !Width::I32.holds(n) => Width::I64,
        _ => Width::I32,
    }
}

/// The types of the run-time values of a type of ours: the pointer, then the dynamic leaves; for an
/// atom, its state.
pub fn leaf_types<'c>(t: Type<'c>) -> Option<Vec<Type<'c>>> {
    let c = context_of(t);
    let value = stored::value(t)?;
    if let Some(state) = State::of(value) {
        return Some(
            state.fields.iter().flat_map(|f| leaf_types(f.holds).unwrap_or(vec![f.holds])).collect(),
        );
    }
    let pointer = match value {
        Value::Ptr(p) => Some(p),
        Value::MemRef(view) => Some(&view.iter),
        _ => None,
    };
    let mut out: Vec<Type> = pointer.map(|p| llvm_pointer(c, p.space)).into_iter().collect();
    out.extend(value.leaves().iter().filter_map(|d| d.width()).map(|width| scalar_type(c, width)));
    Some(out)
}

/// LLVM's pointer type of a space; tensor memory is an i32 address.
pub fn llvm_pointer(c: &Context, space: Space) -> Type<'_> {
    match space {
        Space::Tmem => scalar_type(c, Width::I32),
        _ => melior::dialect::llvm::r#type::pointer(c, space.address_space()),
    }
}

/// The vector of the elements of a static view.
pub fn vector_of<'c>(view: &MemRef<'c, Dim>) -> Option<Type<'c>> {
    let size = cute_algebra::size(&view.layout).ok()?.as_static()?;
    Some(Type::vector(&[u64::try_from(size).ok()?], view.iter.elem?))
}

/// Explains why a type cannot be the type of an attribute: coordinates in attributes are static.
pub fn why_no_attribute(t: Type<'_>) -> Option<String> {
    let value = value_of(t);
    let Value::Coord(coord) = value.as_ref() else { return Some(format!("{t} is not a coordinate")) };
    let paths = coord.view().leaf_paths();
    let mut leaves = paths.iter().zip(coord.leaves());
    let (path, leaf) =
        leaves.find(|(_, leaf)| leaf.as_int().is_some_and(|i| !cute_algebra::Int::is_static(i)))?;
    Some(format!("a coordinate in an attribute must be static, but {path} of {coord} is {leaf}"))
}

/// A part of a type that the assembly format leaves out: iterator, layout, vector or atom.
pub fn part<'c>(t: Type<'c>, part: TypePart) -> Option<Type<'c>> {
    let c = context_of(t);
    let value = match (stored::value(t)?.clone(), part) {
        (Value::MemRef(view), TypePart::Iter) => Value::Ptr(view.iter),
        (Value::MemRef(view), TypePart::Layout) => Value::from_layout(view.layout),
        (Value::MemRef(view), TypePart::Vector) => return vector_of(&view),
        (Value::CoordTensor(view), TypePart::Iter) => Value::ArithTupleIter(view.origin),
        (Value::CoordTensor(view), TypePart::Layout) => Value::Layout(view.layout),
        (Value::SmemDescView(view), TypePart::Iter) => Value::SmemDesc(view.iter),
        (Value::SmemDescView(view), TypePart::Layout) => Value::Layout(view.layout),
        (Value::Layout(layout), TypePart::Shape) => Value::Shape(layout.shape().clone()),
        (Value::Layout(layout), TypePart::Stride) => Value::Stride(layout.stride().clone()),
        (Value::CoordTensor(view), TypePart::Shape) => Value::Shape(view.layout.shape().clone()),
        (Value::ComposedLayout(composed), TypePart::Inner) => match composed.inner() {
            Inner::Swizzle(swizzle) => Value::Swizzle(*swizzle),
            Inner::Layout(layout) => Value::Layout((**layout).clone()),
        },
        (Value::ComposedLayout(composed), TypePart::Offset) => Value::IntTuple(composed.offset().clone()),
        (Value::ComposedLayout(composed), TypePart::Outer) => Value::Layout(composed.outer().clone()),
        (Value::TiledCopy(tiled), TypePart::Atom) => Value::CopyAtom(tiled.atom),
        (Value::TiledMma(tiled), TypePart::Atom) => Value::MmaAtom(tiled.atom),
        _ => return None,
    };
    Some(type_of(c, &value))
}
