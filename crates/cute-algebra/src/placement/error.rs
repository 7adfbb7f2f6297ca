//! What can be wrong with placements, as data. The text is made here, once.

use super::swizzle::StorageSwizzle;
use crate::{
    axis::Axis,
    error::{Error, Result},
};

/// Why an operation on placements has no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    /// An iter without elements.
    #[error("{part} iter {index}: extent {extent} is not positive")]
    Extent {
        /// "shard" or "replica".
        part: &'static str,
        /// Which iter.
        index: usize,
        /// Its extent.
        extent: i64,
    },
    /// A shape without elements.
    #[error("shape {}, dimension {dimension}: an extent must be positive", list(.shape))]
    EmptyDimension {
        /// The shape.
        shape: Vec<i64>,
        /// Which.
        dimension: usize,
    },
    /// As many of one as of the other are needed.
    #[error("{op}: {found} {what} where {expected} are needed: {why}")]
    Count {
        /// The operation.
        op: &'static str,
        /// What is counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
        /// One for each of what.
        why: &'static str,
    },
    /// A number outside its range.
    #[error("{op}: {what} {index} is {value}, outside [{begin}, {end})")]
    Range {
        /// The operation.
        op: &'static str,
        /// What is outside.
        what: &'static str,
        /// Which.
        index: usize,
        /// Its value.
        value: i64,
        /// The least value.
        begin: i64,
        /// One past the largest.
        end: i64,
    },
    /// A window that is empty, or not inside its dimension.
    #[error(
        "slice: dimension {dimension}: [{begin}, {end}) is no window of {extent} elements: 0 <= begin < end <= {extent} is required"
    )]
    Window {
        /// Which dimension.
        dimension: usize,
        /// First index.
        begin: i64,
        /// One past the last.
        end: i64,
        /// Extent of the dimension.
        extent: i64,
    },
    /// A shape with another number of elements.
    #[error("{op}: shape {} has {found} elements, {placement} has {expected}", list(.shape))]
    Total {
        /// The operation.
        op: &'static str,
        /// The shape.
        shape: Vec<i64>,
        /// Its elements.
        found: i64,
        /// The placement.
        placement: String,
        /// Its elements.
        expected: i64,
    },
    /// Iters that cannot be cut where the dimensions of a shape end.
    #[error("{op}: {placement} has no groups of {}: no iter can be cut where dimension {dimension} ends", list(.shape))]
    Ungroupable {
        /// The operation.
        op: &'static str,
        /// The placement.
        placement: String,
        /// The shape.
        shape: Vec<i64>,
        /// First dimension without a group.
        dimension: usize,
    },
    /// Shapes without a common refinement.
    #[error(
        "group_many: a boundary after {lower} elements and one after {upper}: {lower} does not divide {upper}, no shape refines both"
    )]
    Boundaries {
        /// The one.
        lower: i64,
        /// The next.
        upper: i64,
    },
    /// A number that does not divide another.
    #[error("{op}: {what} {index} is {value}, no multiple of {divisor}")]
    Indivisible {
        /// The operation.
        op: &'static str,
        /// What is divided.
        what: &'static str,
        /// Which.
        index: String,
        /// Its value.
        value: i64,
        /// The divisor.
        divisor: i64,
    },
    /// Not every index once.
    #[error("{op}: ({}) is no permutation of 0..{count}", join(.found))]
    Permutation {
        /// The operation.
        op: &'static str,
        /// What is given.
        found: Vec<usize>,
        /// How many indices it should have.
        count: usize,
    },
    /// An axis that the table does not have.
    #[error("{op}: axis {axis} has no known kind; known are {known}")]
    UnknownAxis {
        /// The operation.
        op: &'static str,
        /// The axis.
        axis: Axis,
        /// The axes of the table.
        known: String,
    },
    /// Two axes that place the same scope in different ones.
    #[error("scope: {first} places a {child} in a {first_parent}, {second} in a {second_parent}")]
    ScopeConflict {
        /// One axis.
        first: Axis,
        /// Another.
        second: Axis,
        /// What both place.
        child: &'static str,
        /// In what the one does.
        first_parent: &'static str,
        /// In what the other does.
        second_parent: &'static str,
    },
    /// Scopes with a gap between them.
    #[error("scope: {axes} place a {inner} in a {reached}, and nothing places a {reached} further out")]
    ScopeGap {
        /// The thread axes.
        axes: String,
        /// The narrowest scope.
        inner: &'static str,
        /// Where the chain from it ends.
        reached: &'static str,
    },
    /// An iter or offset that does not fall into an outer and an inner part.
    #[error("{op}: {steps} along {axis} does not split into {outer} and {inner} of {size}: {why}")]
    Unsplittable {
        /// The operation.
        op: &'static str,
        /// The iter.
        steps: String,
        /// Its axis.
        axis: Axis,
        /// The outer axis.
        outer: &'static str,
        /// The inner axis.
        inner: &'static str,
        /// Extent of the inner axis.
        size: i64,
        /// The rule.
        why: &'static str,
    },
    /// A swizzle whose bit fields overlap or do not fit.
    #[error(
        "Swizzle(M={per_element}, B={swizzle_len}, S={atom_len}): M >= 0, B >= 0, S >= B and M+B+S <= 62 are required"
    )]
    BadSwizzle {
        /// Bits that stay.
        per_element: i64,
        /// Bits that change.
        swizzle_len: i64,
        /// Distance of the bits that change them.
        atom_len: i64,
    },
    /// A swizzle of what does not lie along `m`.
    #[error("a swizzle acts on m alone, the placement behind it lies along {axis} too")]
    SwizzledAxis {
        /// The other axis.
        axis: Axis,
    },
    /// A swizzle of a swizzle.
    #[error("{outer} o {inner}: one swizzle at most")]
    SwizzledTwice {
        /// The second.
        outer: StorageSwizzle,
        /// The first.
        inner: StorageSwizzle,
    },
    /// More copies than are listed.
    #[error("placements: {placement} has more than {limit} copies")]
    TooManyCopies {
        /// The placement.
        placement: String,
        /// The most that are listed.
        limit: usize,
    },
    /// An operand of the wrong form.
    #[error("{op}: {why}")]
    Refused {
        /// The operation.
        op: &'static str,
        /// The rule and the values.
        why: String,
    },
}

impl PlacementError {
    /// The error of the algebra.
    pub fn error(self) -> Error {
        Error::Placement(Box::new(self))
    }

    /// The failure.
    pub fn fail<T>(self) -> Result<T> {
        Err(self.error())
    }
}

fn join<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A shape as text.
fn list(shape: &[i64]) -> String {
    format!("({})", join(shape))
}
