//! The parameters of functions: their names, and the run-time leaves that are passed for them. Each
//! leaf has its position in the type and the type's promises about it.
//!
//! The order of leaves is that of [`leaf_types`]. Code generation, manifests and argument passing
//! all use this module. An [`Abi`] decides whether each leaf is a parameter of the compiled kernel,
//! or all leaves of an argument form one struct.

use std::{fmt, str::FromStr};

use cute_algebra::{AnyLayout, Dim, Inner, Layout, ModePath, Tile, Tuple};
use cute_ffi::{ir, types::context_of};
pub use cute_manifest::{Promise, Role};
use melior::ir::{
    BlockLike, Type, TypeLike,
    attribute::TypeAttribute,
    operation::{OperationLike, OperationRef},
    r#type::{FunctionType, IntegerType},
};

use crate::{
    atom::CopyAtom,
    types::{State, StateField, leaf_types, value_of},
    value::Value,
};

/// How a kernel receives its arguments. In both ABIs, static parts are not passed, and leaves have
/// the same order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Abi {
    /// Each leaf is a parameter.
    Flat,
    /// CuTe DSL's ABI: all leaves of an argument form one parameter, a C struct by value; a scalar
    /// or pointer is passed as itself.
    Dsl,
}

/// Why something does not name an ABI.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoAbi {
    /// There is no ABI with this name.
    #[error("'{0}' is not the name of an ABI; there are dsl and flat")]
    Name(String),
    /// An attribute that is not a text.
    #[error("{0} is not the name of an ABI")]
    NotText(String),
    /// The attribute of a kernel.
    #[error("'{name}': {why}", name = Abi::ATTRIBUTE)]
    Attribute {
        /// Why its value is not a name.
        why: Box<NoAbi>,
    },
}

impl Abi {
    /// The attribute of a kernel that names its ABI; without it, the ABI is flat.
    pub const ATTRIBUTE: &str = "cute.abi";

    /// All ABIs.
    pub const ALL: [Self; 2] = [Self::Dsl, Self::Flat];

    /// The name in the attribute and on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flat => "flat",
            Self::Dsl => "dsl",
        }
    }

    /// The ABI of a kernel.
    ///
    /// # Errors
    /// Returns an error if its attribute does not name an ABI.
    pub fn of(kernel: OperationRef<'_, '_>) -> Result<Self, NoAbi> {
        let Ok(given) = kernel.attribute(Self::ATTRIBUTE) else { return Ok(Self::Flat) };
        let named = ir::string(given).ok_or_else(|| NoAbi::NotText(given.to_string()));
        named.and_then(str::parse).map_err(|why| NoAbi::Attribute { why: why.into() })
    }
}

impl FromStr for Abi {
    type Err = NoAbi;

    fn from_str(name: &str) -> Result<Self, NoAbi> {
        let found = Self::ALL.into_iter().find(|abi| abi.name() == name);
        found.ok_or_else(|| NoAbi::Name(name.to_owned()))
    }
}

/// A tree of structs: a struct with one field for each part, or a part itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Nest<T> {
    /// One value of its own.
    Leaf(T),
    /// Values that a struct holds in this order.
    Struct(Vec<Nest<T>>),
}

impl<T> Nest<T> {
    /// The parts, depth first.
    pub fn into_leaves(self) -> Vec<T> {
        match self {
            Self::Leaf(leaf) => vec![leaf],
            Self::Struct(fields) => fields.into_iter().flat_map(Self::into_leaves).collect(),
        }
    }

    /// The parts, depth first, each with the path to it from the outermost struct.
    pub fn paths(&self) -> Vec<(Vec<usize>, &T)> {
        match self {
            Self::Leaf(leaf) => vec![(Vec::new(), leaf)],
            Self::Struct(fields) => {
                let fields = fields.iter().enumerate();
                let paths =
                    fields.flat_map(|(i, field)| field.paths().into_iter().map(move |leaf| (i, leaf)));
                paths.map(|(i, (path, leaf))| ([vec![i], path].concat(), leaf)).collect()
            }
        }
    }

    /// Maps the parts, depth first. Parts that map to `None` are omitted; the structs stay.
    fn filter_map<U>(self, f: &mut impl FnMut(T) -> Option<U>) -> Option<Nest<U>> {
        match self {
            Self::Leaf(leaf) => f(leaf).map(Nest::Leaf),
            Self::Struct(fields) => {
                Some(Nest::Struct(fields.into_iter().filter_map(|field| field.filter_map(f)).collect()))
            }
        }
    }
}

/// A parameter of a function, before its type is decomposed.
#[derive(Debug, Clone)]
pub struct FunctionParameter<'c> {
    /// The name in the source, without `%`; `arg0` and so on if the source has none. No two
    /// parameters of a function have the same.
    pub name: String,
    /// The declared type.
    pub r#type: Type<'c>,
    /// The leaves that are passed for it.
    pub leaves: Vec<Leaf<'c>>,
}

/// A run-time value that is passed for a parameter.
#[derive(Debug, Clone)]
pub struct Leaf<'c> {
    /// The type that it is passed as.
    pub r#type: Type<'c>,
    /// Its type in the struct of [`Abi::Dsl`], where an integer may be narrower.
    pub stored: Type<'c>,
    /// Its role in the parameter's type.
    pub role: Role,
    /// The mode that it belongs to.
    pub path: ModePath,
    /// The type's promises about it.
    pub promises: Vec<Promise>,
}

impl fmt::Display for Leaf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.role.text(&self.path))
    }
}

/// The parameters of a function; empty for a declaration.
pub fn of_function<'c>(f: OperationRef<'c, '_>) -> Vec<FunctionParameter<'c>> {
    if ir::body(f).is_none() {
        return Vec::new();
    }
    let given: Vec<_> = (0..count(f)).map(|i| ir::argument_name(f, i)).collect();
    let unnamed = |i| {
        let mut name = format!("arg{i}");
        while given.iter().flatten().any(|other| *other == name) {
            name.push('_');
        }
        name
    };
    let parameter = |(i, name): (usize, &Option<String>)| {
        let argument =
            ir::block_argument(f, i).expect("MLIR verifies that a body has the arguments of its type");
        let t = ir::type_of(argument);
        FunctionParameter {
            name: name.clone().unwrap_or_else(|| unnamed(i)),
            r#type: t,
            leaves: leaves_of(t),
        }
    };
    given.iter().enumerate().map(parameter).collect()
}

/// The number of parameters, without the buffers that a `gpu.func` declares after them.
fn count(f: OperationRef<'_, '_>) -> usize {
    let declared = f.attribute("function_type").and_then(TypeAttribute::try_from).ok();
    match declared.map(|t| t.value()).filter(|t| t.is_function()) {
        Some(t) => FunctionType::try_from(t).expect("the type is a function's").input_count(),
        None => ir::body(f).map_or(0, |b| b.argument_count()),
    }
}

/// The leaves of a type, in the order of [`leaf_types`]; a type of another dialect is its own leaf.
pub fn leaves_of<'c>(t: Type<'c>) -> Vec<Leaf<'c>> {
    nested(t).into_leaves()
}

/// Whether a type is a descriptor of the TMA. In every ABI, a kernel's descriptor is the parameter
/// itself; inside the kernel it is an address.
fn is_descriptor(value: &Value<'_, Dim>) -> bool {
    matches!(value, Value::CopyAtom(CopyAtom::Tma(atom)) if !atom.kind.is_executable())
}

/// The leaves of a type as fields of the struct of [`Abi::Dsl`]: a layout is a struct of its shape
/// and its stride, each of which is a struct of its dynamic leaves. A scalar or pointer is not in a
/// struct.
pub fn nested<'c>(t: Type<'c>) -> Nest<Leaf<'c>> {
    let one = |role, t| Leaf { r#type: t, stored: t, role, path: ModePath::root(), promises: Vec::new() };
    let Some(types) = leaf_types(t) else { return Nest::Leaf(one(Role::Value, t)) };
    let value = value_of(t);
    if is_descriptor(&value) {
        return Nest::Leaf(one(Role::Descriptor, types[0]));
    }
    if let Some(state) = State::of(&*value) {
        let field = |f: &StateField<'c>| match leaf_types(f.holds) {
            None => Nest::Leaf(one(Role::Field(f.name), f.holds)),
            Some(types) => {
                let mut types = types.into_iter().map(|t| Nest::Leaf(one(Role::Field(f.name), t)));
                match (types.len(), types.next()) {
                    (1, Some(only)) => only,
                    (_, first) => Nest::Struct(first.into_iter().chain(types).collect()),
                }
            }
        };
        return Nest::Struct(state.fields.iter().map(field).collect());
    }
    let mut types = types.into_iter();
    let mut next = || types.next().expect("a type lists one leaf for each leaf of its value");
    let address = |align, t| {
        let promises = Promise::of(Role::Pointer, align);
        Nest::Leaf(Leaf { promises, ..one(Role::Pointer, t) })
    };
    let address = match &*value {
        Value::Ptr(p) => return address(p.align, next()),
        Value::MemRef(view) => Some(address(view.iter.align, next())),
        _ => None,
    };
    let mut integers = value.leaves().into_iter();
    let rest = places(&value).filter_map(&mut |(role, path)| {
        let dim = integers.next().expect("there is a place for each integer");
        dim.width()?;
        let t = next();
        let stored = if SHIFTS.contains(&role) { IntegerType::new(context_of(t), 8).into() } else { t };
        Some(Leaf { r#type: t, stored, role, path, promises: Promise::of(role, dim.divisor()) })
    });
    match address {
        Some(address) => Nest::Struct([address].into_iter().chain(rest).collect()),
        None => rest.unwrap_or_else(|| Nest::Struct(Vec::new())),
    }
}

/// The fields of a divisor that are bytes in a struct.
const SHIFTS: [Role; 2] = [Role::Field("shift1"), Role::Field("shift2")];

/// A place for each integer leaf, static ones too, in the order of [`Value::leaves`].
type Places = Nest<(Role, ModePath)>;

fn places(value: &Value<'_, Dim>) -> Places {
    fn tuple<T>(role: Role, t: &Tuple<T>) -> Places {
        Nest::Struct(t.view().leaf_paths().into_iter().map(|path| Nest::Leaf((role, path))).collect())
    }
    fn layout(l: &Layout<Dim>, [shape, stride]: [Role; 2]) -> Places {
        Nest::Struct(vec![tuple(shape, l.shape()), tuple(stride, l.stride())])
    }
    fn inside(places: Places, i: usize) -> Places {
        match places {
            Nest::Leaf((role, path)) => Nest::Leaf((role, path.inside(i))),
            Nest::Struct(fields) => Nest::Struct(fields.into_iter().map(|f| inside(f, i)).collect()),
        }
    }
    fn tile(t: &Tile<Dim>) -> Places {
        match t {
            Tile::Layout(l) => layout(l, OUTER),
            Tile::Int(_) => Nest::Leaf((Role::Extent, ModePath::root())),
            Tile::Underscore => Nest::Struct(Vec::new()),
            Tile::Modes(modes) => {
                Nest::Struct(modes.iter().enumerate().map(|(i, m)| inside(tile(m), i)).collect())
            }
        }
    }
    fn any(l: &AnyLayout<Dim>) -> Places {
        match l {
            AnyLayout::Plain(l) => layout(l, OUTER),
            AnyLayout::Composed(l) => {
                let inner = match l.inner() {
                    Inner::Swizzle(_) => Nest::Struct(Vec::new()),
                    Inner::Layout(inner) => layout(inner, [Role::Inner; 2]),
                };
                Nest::Struct(vec![inner, tuple(Role::Offset, l.offset()), layout(l.outer(), OUTER)])
            }
        }
    }
    const OUTER: [Role; 2] = [Role::Extent, Role::Stride];
    let integer = |role| Nest::Leaf((role, ModePath::root()));
    match value {
        Value::Shape(t) => tuple(Role::Extent, t),
        Value::IntTuple(t) | Value::ArithTupleIter(t) => tuple(Role::Coordinate, t),
        Value::Stride(t) => tuple(Role::Stride, t),
        Value::Coord(t) => {
            let leaves = t.view().leaf_paths().into_iter().zip(t.leaves());
            let integers = leaves.filter(|(_, c)| c.as_int().is_some());
            Nest::Struct(integers.map(|(path, _)| Nest::Leaf((Role::Coordinate, path))).collect())
        }
        Value::Tile(t) => tile(t),
        Value::CoordTensor(view) => {
            Nest::Struct(vec![tuple(Role::Offset, &view.origin), layout(&view.layout, OUTER)])
        }
        Value::SmemDescView(view) => Nest::Struct(vec![integer(Role::Pointer), layout(&view.layout, OUTER)]),
        Value::Scalar(_) | Value::Assumed(_) | Value::SmemDesc(_) => integer(Role::Value),
        Value::FastDivisor(_) => {
            let numbers = [Role::Field("divisor"), Role::Field("multiplier")];
            Nest::Struct([numbers, SHIFTS].concat().into_iter().map(integer).collect())
        }
        other => other.layout().map_or_else(|| Nest::Struct(Vec::new()), |l| any(&l)),
    }
}
