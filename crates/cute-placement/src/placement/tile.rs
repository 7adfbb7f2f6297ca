//! Tiling: combines the placement of the elements within a tile (inner) with a placement of the
//! tiles (outer).

use super::{
    Axes, Iter, Placement,
    error::{PlacementError, Result},
};
use cute_algebra::Int;

/// Interleaves two lists: for each dimension the iters of `a`, then those of `b`.
pub(super) fn interleaved(a: &[Vec<Iter>], b: &[Vec<Iter>]) -> Vec<Iter> {
    a.iter().zip(b).flat_map(|(a, b)| a.iter().chain(b)).copied().collect()
}

/// Fails unless both shapes have the same number of dimensions.
pub(super) fn same_rank(op: &'static str, shape: &[i64], expected: usize) -> Result<()> {
    if shape.len() == expected {
        return Ok(());
    }
    let (what, why) = ("dimensions", "one per dimension of the other shape");
    PlacementError::Count { op, what, found: shape.len(), expected, why }.fail()
}

/// `shape / by` in each dimension, exactly.
pub(super) fn quotient(op: &'static str, shape: &[i64], by: &[i64]) -> Result<Vec<i64>> {
    same_rank(op, by, shape.len())?;
    super::eval::elements(by)?;
    let divide = |(index, (value, divisor)): (usize, (&i64, &i64))| {
        if value % divisor == 0 {
            return Ok(value / divisor);
        }
        let (what, index) = ("dimension", index.to_string());
        PlacementError::Indivisible { op, what, index, value: *value, divisor: *divisor }.fail()
    };
    shape.iter().zip(by).enumerate().map(divide).collect()
}

impl Placement {
    /// Fails on an operand with a swizzle, which only the inner one may have.
    pub(super) fn expect_plain(&self, op: &'static str) -> Result<()> {
        match self.swizzle {
            None => Ok(()),
            Some(_) => {
                let why = format!("{self} is swizzled, but a placement without a swizzle is required");
                PlacementError::Refused { op, why }.fail()
            }
        }
    }

    /// This placement as a tile of `outer`: the placement of a tensor of shape
    /// `outer_shape * inner_shape` in which element `x` lies at `inner(x mod inner_shape) + span *
    /// outer(x div inner_shape)`. The span is that of the tile along each axis of its shard, and 1
    /// along all others. The copies of both are combined without scaling those of `outer`, and
    /// offsets add up.
    ///
    /// ```
    /// use cute_placement::Placement;
    /// let (registers, lanes): (Placement, Placement) = ("S[(1,2) : (2,1)]".parse()?, "S[(8,4) : (4@laneid,1@laneid)]".parse()?);
    /// let tiled = registers.tile(&lanes, &[8, 4], &[1, 2], None)?;
    /// assert_eq!(tiled.to_string(), "S[(32, 2) : (1@laneid, 1@m)]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// A swizzle of the tile acts on the whole. The result is canonical.
    pub fn tile(
        &self,
        outer: &Self,
        outer_shape: &[i64],
        inner_shape: &[i64],
        axes: Option<&Axes>,
    ) -> Result<Self> {
        outer.expect_plain("tile")?;
        same_rank("tile", outer_shape, inner_shape.len())?;
        let inner = self.tile_of(inner_shape)?.canonicalize(axes)?;
        let outer = outer.canonicalize(axes)?;
        let mut outer_blocks = outer.blocks("tile", outer_shape)?;
        for iter in outer_blocks.iter_mut().flatten() {
            iter.stride = iter.stride.mul(&inner.scale(iter)?)?;
        }
        let inner_blocks = inner.blocks("tile", inner_shape)?;
        inner.joined(&outer, interleaved(&outer_blocks, &inner_blocks))?.canonicalize(axes)?.behind(self)
    }

    /// The factor by which [`tile`](Self::tile) scales an outer iter.
    pub(super) fn scale(&self, outer: &Iter) -> Result<i64> {
        let covered = self.shard.iter().any(|iter| iter.axis == outer.axis);
        if covered { self.span_along(outer.axis) } else { Ok(1) }
    }

    /// These shard iters, with the copies of both and the sum of their offsets.
    pub(super) fn joined(&self, other: &Self, shard: Vec<Iter>) -> Result<Self> {
        let replica = self.replica.iter().chain(&other.replica).copied().collect();
        Self::new(shard, replica, self.offset.plus(&other.offset)?)
    }

    /// This placement of tensors of `shape` as a tile of tensors of `to_shape`, with the tiles in
    /// row-major order along `m`.
    ///
    /// ```
    /// use cute_placement::Placement;
    /// let tile: Placement = "S[(8,64) : (64,1)]".parse()?;
    /// assert_eq!(tile.tile_to(&[16, 128], &[8, 64], None)?.to_string(), "S[(2, 8, 2, 64) : (1024@m, 64@m, 512@m, 1@m)]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails unless `shape` divides `to_shape`.
    pub fn tile_to(&self, to_shape: &[i64], shape: &[i64], axes: Option<&Axes>) -> Result<Self> {
        let outer = quotient("tile_to", to_shape, shape)?;
        self.tile(&Self::row_major(&outer)?, &outer, shape, axes)
    }
}
