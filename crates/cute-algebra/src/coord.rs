//! Coordinates: tuples whose leaves are integers or `_`. Coordinates are independent of shapes.

use std::fmt;

use crate::{int::Int, tuple::Tuple};

/// A leaf of a coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Crd<I> {
    /// A fixed index.
    Int(I),
    /// `_`: the whole mode.
    Underscore,
}

/// A coordinate: `(2,_,(0,1))`.
pub type Coord<I> = Tuple<Crd<I>>;

impl<I> Crd<I> {
    /// The index, if it is one.
    pub fn as_int(&self) -> Option<&I> {
        match self {
            Self::Int(value) => Some(value),
            Self::Underscore => None,
        }
    }

    /// The same leaf with another type of integer.
    pub fn map<J>(&self, f: impl FnOnce(&I) -> J) -> Crd<J> {
        match self {
            Self::Int(value) => Crd::Int(f(value)),
            Self::Underscore => Crd::Underscore,
        }
    }
}

impl<I: Clone> Tuple<I> {
    /// The tuple as a coordinate without `_`.
    pub fn to_coord(&self) -> Coord<I> {
        self.map(|leaf| Crd::Int(leaf.clone()))
    }
}

impl<I: Clone> Tuple<Crd<I>> {
    /// The coordinate as integers, if it has no `_`.
    pub fn to_ints(&self) -> Option<Tuple<I>> {
        self.try_map(|leaf| leaf.as_int().cloned().ok_or(())).ok()
    }

    /// Whether some leaf is `_`.
    pub fn has_underscore(&self) -> bool {
        self.leaves().iter().any(|leaf| matches!(leaf, Crd::Underscore))
    }

    /// Whether every leaf is `_`.
    pub fn all_underscore(&self) -> bool {
        self.leaves().iter().all(|leaf| matches!(leaf, Crd::Underscore))
    }
}

impl<I: Int> fmt::Display for Crd<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{}", value.dim()),
            Self::Underscore => write!(f, "_"),
        }
    }
}
