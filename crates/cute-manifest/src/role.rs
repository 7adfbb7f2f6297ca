//! The parts of an argument that are passed at run time, and the promises of its type about them.

use std::fmt;

use cute_algebra::ModePath;

/// The role of a leaf in its type.
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
    /// An extent or stride of a layout that is applied after another.
    Inner,
    /// An integer of a coordinate or tuple.
    Coordinate,
    /// A descriptor of the TMA, which a kernel is passed by value.
    Descriptor,
    /// A field of an atom's run-time state.
    Field(&'static str),
}

impl Role {
    /// The roles that are not fields.
    const PLAIN: [Self; 8] = [
        Self::Value,
        Self::Pointer,
        Self::Extent,
        Self::Stride,
        Self::Offset,
        Self::Inner,
        Self::Coordinate,
        Self::Descriptor,
    ];

    /// The role as one word, for the manifest.
    pub fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Pointer => "pointer",
            Self::Extent => "extent",
            Self::Stride => "stride",
            Self::Offset => "offset",
            Self::Inner => "inner",
            Self::Coordinate => "coordinate",
            Self::Descriptor => "descriptor",
            Self::Field(name) => name,
        }
    }

    /// The role with that name, unless it is a field.
    pub fn named(name: &str) -> Option<Self> {
        Self::PLAIN.into_iter().find(|role| role.name() == name)
    }

    /// `the stride of mode (0,1)`.
    pub fn text(self, path: &ModePath) -> String {
        let what = match self {
            Self::Value => return "the value".into(),
            Self::Pointer => return "the address".into(),
            Self::Descriptor => return "the descriptor".into(),
            Self::Field(name) => return field(name),
            Self::Inner => "a leaf of the inner layout",
            Self::Extent => "the extent",
            Self::Stride => "the stride",
            Self::Offset => "the offset",
            Self::Coordinate => "the integer",
        };
        if path.indices().is_empty() { what.into() } else { format!("{what} of {path}") }
    }
}

/// The text of a field of an atom's state.
pub(crate) fn field(name: &str) -> String {
    format!("the field {name}")
}

/// A promise of a type about a leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    /// At least 1, as every extent.
    Positive,
    /// Divisible by more than 1: `?{div=8}`, or the alignment of an address.
    MultipleOf(i64),
}

impl Promise {
    /// The promises about a leaf with this role and divisor.
    pub fn of(role: Role, divisor: i64) -> Vec<Self> {
        let positive = (role == Role::Extent).then_some(Self::Positive);
        let multiple = (divisor > 1).then_some(Self::MultipleOf(divisor));
        positive.into_iter().chain(multiple).collect()
    }

    /// Whether a value keeps the promise.
    pub fn holds(self, value: i64) -> bool {
        match self {
            Self::Positive => value > 0,
            Self::MultipleOf(n) => value % n == 0,
        }
    }

    /// Describes the violation when `leaf` has a value that breaks the promise. `value` is text, or
    /// a directive of printf.
    pub fn broken(self, leaf: &str, value: &str) -> String {
        format!("{leaf} is {value}, but its type promises {self}")
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
