//! The parameters of functions: their names, and one by one the run-time leaves that they are passed as. A leaf knows
//! where it is in the type, and what the type promises of it.
//!
//! The order of leaves is that of [`leaf_types`]. Whoever generates code, writes a manifest or passes arguments asks here.

use std::fmt;

use cute_algebra::{AnyLayout, Dim, Inner, Layout, ModePath, Tile, Tuple};
use cute_ffi::ir;
use melior::ir::{
    BlockLike, Type, TypeLike,
    attribute::TypeAttribute,
    operation::{OperationLike, OperationRef},
    r#type::FunctionType,
};

use crate::{
    types::{State, leaf_types, value_of},
    value::Value,
};

/// A parameter of a function, before its type is taken apart.
#[derive(Debug, Clone)]
pub struct Parameter<'c> {
    /// The name in the source, without `%`; `arg0` and so on where the source has none.
    pub name: String,
    /// The declared type.
    pub r#type: Type<'c>,
    /// What is passed for it.
    pub leaves: Vec<Leaf<'c>>,
}

/// A run-time value that is passed for a parameter.
#[derive(Debug, Clone)]
pub struct Leaf<'c> {
    /// The type that it is passed as.
    pub r#type: Type<'c>,
    /// What it is in the parameter's type.
    pub role: Role,
    /// The mode that it belongs to.
    pub path: ModePath,
    /// What the type promises of it.
    pub promises: Vec<Promise>,
}

/// What a leaf is in the type that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The parameter itself: a scalar, or a type of another dialect.
    Value,
    /// The address of a pointer or view.
    Pointer,
    /// An extent of a shape.
    Extent,
    /// A stride of a layout.
    Stride,
    /// The offset of a composed layout, or the origin of a coordinate tensor.
    Offset,
    /// An extent or stride of a layout that is applied behind another.
    Inner,
    /// An integer of a coordinate or tuple.
    Coordinate,
    /// A field of an atom's run-time state.
    Field(&'static str),
}

impl Role {
    /// One word, as the manifest has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Pointer => "pointer",
            Self::Extent => "extent",
            Self::Stride => "stride",
            Self::Offset => "offset",
            Self::Inner => "inner",
            Self::Coordinate => "coordinate",
            Self::Field(name) => name,
        }
    }
}

impl fmt::Display for Leaf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        described(f, self.role, &self.path)
    }
}

/// `the stride of mode (0,1)`.
fn described(f: &mut impl fmt::Write, role: Role, path: &ModePath) -> fmt::Result {
    let what = match role {
        Role::Value => return f.write_str("the value"),
        Role::Pointer => return f.write_str("the address"),
        Role::Field(name) => return write!(f, "the field {name}"),
        Role::Inner => "a leaf of the inner layout",
        Role::Extent => "the extent",
        Role::Stride => "the stride",
        Role::Offset => "the offset",
        Role::Coordinate => "the integer",
    };
    f.write_str(what)?;
    if path.indices().is_empty() { Ok(()) } else { write!(f, " of {path}") }
}

/// What a type promises of a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    /// At least 1, as every extent.
    Positive,
    /// Divisible by more than 1: `?{div=8}`, or the alignment of an address.
    MultipleOf(i64),
}

impl Promise {
    /// Whether a value keeps the promise.
    pub fn holds(self, value: i64) -> bool {
        match self {
            Self::Positive => value > 0,
            Self::MultipleOf(n) => value % n == 0,
        }
    }

    /// What is wrong when `leaf` has a value that does not keep the promise; it is text, or a directive of printf.
    pub fn broken(self, leaf: &str, value: &str) -> String {
        format!("{leaf} is {value}, its type promises {self}")
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Positive => f.write_str("at least 1"),
            Self::MultipleOf(n) => write!(f, "a multiple of {n}"),
        }
    }
}

/// The parameters of a function; none of a declaration.
pub fn of_function<'c>(f: OperationRef<'c, '_>) -> Vec<Parameter<'c>> {
    if ir::body(f).is_none() {
        return Vec::new();
    }
    (0..count(f))
        .map(|i| {
            let argument =
                ir::block_argument(f, i).expect("MLIR verifies that a body has the arguments of its type");
            let (name, t) =
                (ir::argument_name(f, i).unwrap_or_else(|| format!("arg{i}")), ir::type_of(argument));
            Parameter { name, r#type: t, leaves: leaves_of(t) }
        })
        .collect()
}

/// Parameters of a function, without the buffers that a `gpu.func` declares behind them.
fn count(f: OperationRef<'_, '_>) -> usize {
    let declared = f.attribute("function_type").and_then(TypeAttribute::try_from).ok();
    match declared.map(|t| t.value()).filter(|t| t.is_function()) {
        Some(t) => FunctionType::try_from(t).expect("the type is a function's").input_count(),
        None => ir::body(f).map_or(0, |b| b.argument_count()),
    }
}

/// The leaves of a type, in the order of [`leaf_types`]; a type of another dialect is its own leaf.
pub fn leaves_of<'c>(t: Type<'c>) -> Vec<Leaf<'c>> {
    let one = |role, t| Leaf { r#type: t, role, path: ModePath::root(), promises: Vec::new() };
    let Some(types) = leaf_types(t) else { return vec![one(Role::Value, t)] };
    let value = value_of(t);
    if let Some(state) = State::of(&*value) {
        let fields = state.fields.iter();
        let leaves = fields.flat_map(|f| {
            let types = leaf_types(f.holds).unwrap_or(vec![f.holds]);
            types.into_iter().map(|t| one(Role::Field(f.name), t))
        });
        return leaves.collect();
    }
    let pointer = match &*value {
        Value::Ptr(p) => Some(p.align),
        Value::MemRef(view) => Some(view.iter.align),
        _ => None,
    };
    let address = pointer.map(|align| (Role::Pointer, ModePath::root(), promises(Role::Pointer, align)));
    let places = places(&value).into_iter().zip(value.leaves());
    let dynamic = places.filter(|(_, dim)| dim.width().is_some());
    let integers = dynamic.map(|((role, path), dim)| (role, path, promises(role, dim.divisor())));
    let leaves = address.into_iter().chain(integers).zip(types);
    leaves.map(|((role, path, promises), t)| Leaf { r#type: t, role, path, promises }).collect()
}

fn promises(role: Role, divisor: i64) -> Vec<Promise> {
    let positive = (role == Role::Extent).then_some(Promise::Positive);
    let multiple = (divisor > 1).then_some(Promise::MultipleOf(divisor));
    positive.into_iter().chain(multiple).collect()
}

/// What each integer leaf is, static ones too: in the order of [`Value::leaves`].
fn places(value: &Value<'_, Dim>) -> Vec<(Role, ModePath)> {
    fn tuple<T>(role: Role, t: &Tuple<T>) -> Vec<(Role, ModePath)> {
        t.view().leaf_paths().into_iter().map(|path| (role, path)).collect()
    }
    fn layout(l: &Layout<Dim>, [shape, stride]: [Role; 2]) -> Vec<(Role, ModePath)> {
        [tuple(shape, l.shape()), tuple(stride, l.stride())].concat()
    }
    fn tile(t: &Tile<Dim>) -> Vec<(Role, ModePath)> {
        match t {
            Tile::Layout(l) => layout(l, OUTER),
            Tile::Int(_) => vec![(Role::Extent, ModePath::root())],
            Tile::Underscore => Vec::new(),
            Tile::Modes(modes) => {
                let inside =
                    |(i, m)| tile(m).into_iter().map(move |(r, path): (_, ModePath)| (r, path.inside(i)));
                modes.iter().enumerate().flat_map(inside).collect()
            }
        }
    }
    fn any(l: &AnyLayout<Dim>) -> Vec<(Role, ModePath)> {
        match l {
            AnyLayout::Plain(l) => layout(l, OUTER),
            AnyLayout::Composed(l) => {
                let inner = match l.inner() {
                    Inner::Swizzle(_) => Vec::new(),
                    Inner::Layout(inner) => layout(inner, [Role::Inner; 2]),
                };
                [inner, tuple(Role::Offset, l.offset()), layout(l.outer(), OUTER)].concat()
            }
        }
    }
    const OUTER: [Role; 2] = [Role::Extent, Role::Stride];
    let integer = |role| vec![(role, ModePath::root())];
    match value {
        Value::Shape(t) => tuple(Role::Extent, t),
        Value::IntTuple(t) | Value::ArithTupleIter(t) => tuple(Role::Coordinate, t),
        Value::Stride(t) => tuple(Role::Stride, t),
        Value::Coord(t) => {
            let leaves = tuple(Role::Coordinate, t).into_iter().zip(t.leaves());
            leaves.filter(|(_, c)| c.as_int().is_some()).map(|(place, _)| place).collect()
        }
        Value::Tile(t) => tile(t),
        Value::CoordTensor(view) => [tuple(Role::Offset, &view.origin), layout(&view.layout, OUTER)].concat(),
        Value::SmemDescView(view) => [integer(Role::Pointer), layout(&view.layout, OUTER)].concat(),
        Value::Scalar(_) | Value::Assumed(_) | Value::SmemDesc(_) => integer(Role::Value),
        Value::FastDivisor(parts) => vec![(Role::Value, ModePath::root()); parts.len()],
        other => other.layout().map(|l| any(&l)).unwrap_or_default(),
    }
}
