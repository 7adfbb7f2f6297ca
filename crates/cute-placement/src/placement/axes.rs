//! [`Axes`]: the properties of a machine's axes as a table. The data for each machine is elsewhere.

use super::error::{PlacementError, Result};
use cute_algebra::Axis;

/// The kind of thing that an axis is a coordinate of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A `child` (a lane, a warp, a CTA) within its `parent`.
    Thread {
        /// The unit that is counted.
        child: &'static str,
        /// The unit within which it is counted.
        parent: &'static str,
    },
    /// A place in storage.
    Memory,
}

/// `n@axis` is `factor * n@into`, in placements over exactly these scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fusion {
    /// The axis that is replaced.
    pub axis: &'static str,
    /// The innermost and the outermost scope of the placement.
    pub scopes: (&'static str, &'static str),
    /// The axis that it becomes.
    pub into: &'static str,
    /// The factor by which its strides grow.
    pub factor: i64,
}

/// `n@axis` is `n/size@outer + n%size@inner`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Split {
    /// The axis that is replaced.
    pub axis: &'static str,
    /// The scope at whose border the axis is cut.
    pub scope: &'static str,
    /// The axis outside.
    pub outer: &'static str,
    /// The axis inside.
    pub inner: &'static str,
    /// Extent of the inner axis.
    pub size: i64,
}

/// The axes of a machine, and how they relate.
#[derive(Debug, Clone, Copy)]
pub struct Axes {
    /// The scopes of threads, the widest first.
    pub scopes: &'static [&'static str],
    /// The axes and their kinds.
    pub kinds: &'static [(&'static str, Kind)],
    /// The axes that are part of another.
    pub fusions: &'static [Fusion],
    /// The axes that can be split into parts.
    pub splits: &'static [Split],
}

impl Axes {
    /// The same axes without relations between them, for placements that are independent of a
    /// target.
    pub const fn unrelated(self) -> Self {
        Self { fusions: &[], splits: &[], ..self }
    }

    /// The kind of an axis, or an error naming what needs it.
    pub fn kind(&self, op: &'static str, axis: Axis) -> Result<Kind> {
        let found = self.kinds.iter().find(|(name, _)| *name == axis.name());
        found.map(|(_, kind)| *kind).ok_or_else(|| {
            let known = self.kinds.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            PlacementError::UnknownAxis { op, axis, known }
        })
    }

    /// The rank of a scope by width: 0 is the widest.
    pub(super) fn rank(&self, scope: &str) -> Option<usize> {
        self.scopes.iter().position(|name| *name == scope)
    }

    /// The axis that replaces `axis` in a placement over `scopes`, and the factor by which its
    /// strides grow.
    pub(super) fn fused(&self, axis: Axis, scopes: (&str, &str)) -> Result<(Axis, i64)> {
        let fusion = self.fusions.iter().find(|f| f.axis == axis.name() && f.scopes == scopes);
        fusion.map_or(Ok((axis, 1)), |f| Ok((Axis::new(f.into)?, f.factor)))
    }

    /// The split of an axis at the border of `scope`, if the axis reaches across it.
    pub(super) fn split(&self, axis: Axis, scope: &str) -> Option<&'static Split> {
        self.splits.iter().find(|s| s.axis == axis.name() && s.scope == scope)
    }
}
