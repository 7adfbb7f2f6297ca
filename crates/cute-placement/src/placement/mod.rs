//! Placements: where the elements of a tensor lie along named axes of a machine (lanes, warps,
//! columns, storage), and where their copies lie. A layout gives each element one offset; a
//! placement gives each element one or more points, with one integer per axis. The meaning of an
//! axis is data in a table that the caller passes; this module must not depend on it.
//!
//! `S[(8, 2, 4, 2) : (4@laneid, 1@warpid, 1@laneid, 1@m)] + R[(2) : (4@warpid)] + 5@warpid` has
//! three parts:
//!
//! | part | meaning |
//! |---|---|
//! | shard | an index splits into one digit per iter, and each digit moves `stride` along its axis |
//! | replica | each combination of its digits is another place of the same element |
//! | offset | the place where the placement begins |
//!
//! A swizzle in front is applied to the `m` component of each copy.
//!
//! **The first iter is the slowest.** An index into a shape is flattened row-major, the last
//! dimension fastest, as TIRx does; in a [`Layout`](cute_algebra::Layout) the first mode is the
//! fastest.
//! [`Placement::to_layout`] and [`Placement::from_layout`] reverse the modes;
//! [`Placement::to_layout_of`] keeps the dimensions in order, and reverses within each.
//!
//! ```
//! use cute_placement::Placement;
//! let tile: Placement = "S[(8,2,4,2) : (4@laneid,1@warpid,1@laneid,1)] + R[2 : 4@warpid] + 5@warpid".parse()?;
//! let copies = tile.placements(&[1, 3], &[8, 16])?;
//! let text: Vec<_> = copies.iter().map(|p| p.to_string()).collect();
//! assert_eq!(text, ["5@laneid + 1@m + 5@warpid", "5@laneid + 1@m + 9@warpid"]);
//! assert_eq!(tile.to_layout()?.to_string(), "(2,4,2,8):(1@m,1@laneid,1@warpid,4@laneid)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | where | what |
//! |---|---|
//! | [`Axes`] | the axes of a machine: kinds, scopes, and which axes fuse and split; always passed as an argument |
//! | `eval`, `symbolic` | from indices and coordinates, static or run-time, to points |
//! | `canonical`, `group` | the canonical form; iters cut to a shape |
//! | `tile`, `sum`, `recognise` | placements of tiles, and recovering the operands of a tiling |
//! | `slice`, `reshape`, `width` | windows, other orders, other element widths |
//! | `scope` | the scopes of threads that a placement runs over, and their consistency |
//! | `layout`, `linear` | conversions to and from layouts and linear layouts |

mod axes;
mod canonical;
mod error;
mod eval;
mod group;
mod layout;
mod linear;
mod point;
mod recognise;
mod reshape;
mod scope;
mod size;
mod slice;
mod split;
mod sum;
mod swizzle;
mod symbolic;
mod text;
mod tile;
mod width;

use std::collections::BTreeSet;

pub(crate) use layout::flat;

pub use axes::{Axes, Fusion, Kind, Split};
pub use error::{PlacementError, PlacementParseError, Result};
pub use point::Point;
pub use scope::Scopes;
pub use swizzle::StorageSwizzle;
pub use text::parse_placement;

use cute_algebra::Axis;

/// `extent` steps of `stride` along `axis`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Iter {
    /// The number of steps.
    pub extent: i64,
    /// The length of each step.
    pub stride: i64,
    /// The axis along which the steps go.
    pub axis: Axis,
}

impl Iter {
    /// The iter `extent:stride@axis`.
    pub fn new(extent: i64, stride: i64, axis: Axis) -> Self {
        Self { extent, stride, axis }
    }

    /// Whether `other` takes the same steps. An iter of extent 1 takes none, whatever its stride.
    fn same_steps(&self, other: &Self) -> bool {
        self.extent == other.extent
            && (self.extent == 1 || (self.stride == other.stride && self.axis == other.axis))
    }
}

/// The places of elements and their copies: `shard + replica + offset`, optionally with a swizzle
/// on `m`.
///
/// Every `Placement` value is well formed: every extent is positive, and under a swizzle every axis
/// is `m`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Placement {
    shard: Vec<Iter>,
    replica: Vec<Iter>,
    offset: Point,
    swizzle: Option<StorageSwizzle>,
}

impl Placement {
    /// Creates a placement from its parts. Fails on an extent that is not positive.
    pub fn new(shard: Vec<Iter>, replica: Vec<Iter>, offset: Point) -> Result<Self> {
        for (part, iters) in [("shard", &shard), ("replica", &replica)] {
            if let Some(index) = iters.iter().position(|iter| iter.extent < 1) {
                let extent = iters.get(index).map_or(0, |iter| iter.extent);
                return PlacementError::Extent { part, index, extent }.fail();
            }
        }
        Ok(Self { shard, replica, offset, swizzle: None })
    }

    /// `shape` in row-major order along `m`.
    pub fn row_major(shape: &[i64]) -> Result<Self> {
        let mut stride = 1i64;
        let mut shard = Vec::with_capacity(shape.len());
        for extent in shape.iter().rev() {
            shard.push(Iter::new(*extent, stride, Axis::M));
            stride = cute_algebra::Int::mul(&stride, extent)?;
        }
        shard.reverse();
        Self::new(shard, Vec::new(), Point::default())
    }

    /// The placement behind a swizzle of its `m` component. Fails if a part lies along another
    /// axis, or if the placement already has a swizzle.
    pub fn swizzled(mut self, swizzle: StorageSwizzle) -> Result<Self> {
        if let Some(inner) = self.swizzle {
            return PlacementError::SwizzledTwice { outer: swizzle, inner }.fail();
        }
        if let Some(axis) = self.axes().into_iter().find(|axis| *axis != Axis::M) {
            return PlacementError::SwizzledAxis { axis }.fail();
        }
        self.swizzle = Some(swizzle);
        Ok(self)
    }

    /// The swizzle alone, in front of the identity on one of its periods.
    pub fn bare_swizzle(swizzle: StorageSwizzle) -> Result<Self> {
        Self::row_major(&[swizzle.period()])?.swizzled(swizzle)
    }

    /// The iters over which an index is split, the slowest first.
    pub fn shard(&self) -> &[Iter] {
        &self.shard
    }

    /// The iters of copies.
    pub fn replica(&self) -> &[Iter] {
        &self.replica
    }

    /// The point at which the placement begins.
    pub fn offset(&self) -> &Point {
        &self.offset
    }

    /// The swizzle of `m`.
    pub fn swizzle(&self) -> Option<StorageSwizzle> {
        self.swizzle
    }

    /// Every axis that the placement names.
    pub fn axes(&self) -> BTreeSet<Axis> {
        let iters = self.shard.iter().chain(&self.replica).map(|iter| iter.axis);
        let swizzled = self.swizzle.map(|_| Axis::M);
        iters.chain(self.offset.axes()).chain(swizzled).collect()
    }

    /// The placement without its swizzle; if it consists of the swizzle alone, the identity on
    /// `shape`.
    fn tile_of(&self, shape: &[i64]) -> Result<Self> {
        match self.swizzle {
            Some(_) if self.is_bare_swizzle() => Self::row_major(&[eval::elements(shape)?]),
            _ => Ok(Self { swizzle: None, ..self.clone() }),
        }
    }

    /// Whether the placement has a swizzle and no other part has an effect.
    pub fn is_bare_swizzle(&self) -> bool {
        let tile = Self { swizzle: None, ..self.clone() }.simplified();
        let identity = matches!(tile.shard.as_slice(), [] | [Iter { stride: 1, .. }]);
        self.swizzle.is_some() && identity && tile.replica.is_empty() && tile.offset.is_empty()
    }

    /// The same placement behind the swizzle of `other`, if it has one.
    fn behind(self, other: &Self) -> Result<Self> {
        match other.swizzle {
            Some(swizzle) => self.swizzled(swizzle),
            None => Ok(self),
        }
    }

    /// The same placement with other shard iters.
    fn with_shard(&self, shard: Vec<Iter>) -> Self {
        Self { shard, ..self.clone() }
    }
}
