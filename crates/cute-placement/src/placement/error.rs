//! The errors of placements as data. The messages are formatted in this file only.

use super::swizzle::StorageSwizzle;
use cute_algebra::{Axis, Error, ModePath, ParseError};

/// A result of an operation on placements.
pub type Result<T> = std::result::Result<T, PlacementError>;

/// The reason why an operation on placements has no result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the message explains each field")]
pub enum PlacementError {
    /// An iter without elements.
    #[error("{part} iter {index}: extent {extent} is not positive")]
    Extent {
        /// "shard" or "replica".
        part: &'static str,
        /// The index of the iter.
        index: usize,
        extent: i64,
    },
    /// A shape without elements.
    #[error("shape {}, dimension {dimension}: an extent must be positive", list(.shape))]
    EmptyDimension { shape: Vec<i64>, dimension: usize },
    /// Two counts that must be equal differ.
    #[error("{op}: {found} {what}, expected {expected}: {why}")]
    Count {
        op: &'static str,
        /// The kind of thing that is counted.
        what: &'static str,
        /// The number that was given.
        found: usize,
        /// The number that is required.
        expected: usize,
        /// The rule, such as "one per extent".
        why: &'static str,
    },
    /// A number outside its range.
    #[error("{op}: {what} {index} is {value}, outside [{begin}, {end})")]
    Range {
        op: &'static str,
        /// The number that is outside.
        what: &'static str,
        index: usize,
        value: i64,
        /// The least value.
        begin: i64,
        /// One past the largest.
        end: i64,
    },
    /// A window that is empty, or not inside its dimension.
    #[error(
        "slice: dimension {dimension}: [{begin}, {end}) is not a window of {extent} elements: 0 <= begin < end <= {extent} is required"
    )]
    Window {
        dimension: usize,
        begin: i64,
        /// One past the last.
        end: i64,
        /// Extent of the dimension.
        extent: i64,
    },
    /// A shape with another number of elements.
    #[error("{op}: shape {} has {found} elements, but {placement} has {expected}", list(.shape))]
    Total {
        op: &'static str,
        shape: Vec<i64>,
        /// The number of its elements.
        found: i64,
        placement: String,
        /// The number of its elements.
        expected: i64,
    },
    /// Iters that cannot be cut where the dimensions of a shape end.
    #[error("{op}: {placement} has no groups of {}: no iter can be cut where dimension {dimension} ends", list(.shape))]
    Ungroupable {
        op: &'static str,
        placement: String,
        shape: Vec<i64>,
        /// First dimension without a group.
        dimension: usize,
    },
    /// Shapes without a common refinement.
    #[error(
        "group_many: a boundary after {lower} elements and one after {upper}: {lower} does not divide {upper}, so no shape refines both"
    )]
    Boundaries {
        /// The first boundary.
        lower: i64,
        /// The next boundary.
        upper: i64,
    },
    /// A number that is not a multiple of another.
    #[error("{op}: {what} {index} is {value}, which is not a multiple of {divisor}")]
    Indivisible {
        op: &'static str,
        /// The number that is divided.
        what: &'static str,
        index: String,
        value: i64,
        divisor: i64,
    },
    /// A permutation that does not contain every index once.
    #[error("{op}: ({}) is not a permutation of 0..{count}", join(.found))]
    Permutation {
        op: &'static str,
        /// The given indices.
        found: Vec<usize>,
        /// The number of indices that it must have.
        count: usize,
    },
    /// An axis that the table does not have.
    #[error("{op}: axis {axis} has no known kind; the known axes are {known}")]
    UnknownAxis {
        op: &'static str,
        axis: Axis,
        /// The axes of the table.
        known: String,
    },
    /// Two axes that place the same scope in different parents.
    #[error(
        "scope: {first} places a {child} in a {first_parent}, but {second} places it in a {second_parent}"
    )]
    ScopeConflict {
        first: Axis,
        second: Axis,
        /// The scope that both place.
        child: &'static str,
        /// The parent according to the first axis.
        first_parent: &'static str,
        /// The parent according to the second axis.
        second_parent: &'static str,
    },
    /// Scopes with a gap between them.
    #[error("scope: {axes} place a {inner} in a {reached}, but no axis places a {reached} in a wider scope")]
    ScopeGap {
        /// The thread axes.
        axes: String,
        /// The narrowest scope.
        inner: &'static str,
        /// The scope at which the chain from it ends.
        reached: &'static str,
    },
    /// An iter or offset that does not fall into an outer and an inner part.
    #[error("{op}: {steps} along {axis} does not split into {outer} and {inner} of {size}: {why}")]
    Unsplittable {
        op: &'static str,
        steps: String,
        axis: Axis,
        /// The outer axis.
        outer: &'static str,
        /// The inner axis.
        inner: &'static str,
        /// Extent of the inner axis.
        size: i64,
        why: &'static str,
    },
    /// A swizzle whose bit fields overlap or do not fit.
    #[error(
        "Swizzle(M={per_element}, B={swizzle_len}, S={atom_len}): M >= 0, B >= 0, S >= B and M+B+S <= 62 are required"
    )]
    BadSwizzle {
        /// The number of low bits that stay.
        per_element: i64,
        /// The number of bits that change.
        swizzle_len: i64,
        /// The distance to the bits that they are XORed with.
        atom_len: i64,
    },
    /// A swizzle in front of a placement that does not lie along `m`.
    #[error("a swizzle acts on m alone, but the placement after it also lies along {axis}")]
    SwizzledAxis { axis: Axis },
    /// A swizzle of a swizzle.
    #[error("{outer} o {inner}: a placement has at most one swizzle")]
    SwizzledTwice { outer: StorageSwizzle, inner: StorageSwizzle },
    /// More copies than can be listed.
    #[error("placements: {placement} has more than {limit} copies")]
    TooManyCopies {
        placement: String,
        /// The maximum number to list.
        limit: usize,
    },
    /// An operand of the wrong form.
    #[error("{op}: {why}")]
    Refused {
        op: &'static str,
        /// The rule and the values.
        why: String,
    },
    /// An error of the algebra on the way.
    #[error(transparent)]
    Algebra(#[from] Error),
}

impl PlacementError {
    /// The mode that it is about, if there is one.
    pub fn path(&self) -> Option<&ModePath> {
        match self {
            Self::Algebra(error) => error.path(),
            _ => None,
        }
    }

    /// The broken rule by its name, and its integers by theirs.
    pub fn rule(&self) -> (&'static str, Vec<(&'static str, i64)>) {
        match self {
            Self::Algebra(error) => error.rule(),
            _ => ("placement", vec![]),
        }
    }

    /// This error as a result of any type.
    pub fn fail<T>(self) -> Result<T> {
        Err(self)
    }
}

fn join<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A shape as text.
fn list(shape: &[i64]) -> String {
    format!("({})", join(shape))
}

/// The reason why a text is not read as a placement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlacementParseError {
    /// Another token was found.
    #[error(transparent)]
    Syntax(#[from] ParseError),
    /// The text is well formed, but it is not a placement.
    #[error("column {}: {error}", column + 1)]
    Invalid {
        /// Byte offset at which the value starts.
        column: usize,
        /// The rule that its value breaks.
        error: PlacementError,
    },
}

impl PlacementParseError {
    /// Byte offset in the string.
    pub fn column(&self) -> usize {
        match self {
            Self::Syntax(error) => error.column(),
            Self::Invalid { column, .. } => *column,
        }
    }
}
