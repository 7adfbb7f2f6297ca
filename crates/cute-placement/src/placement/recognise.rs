//! Recovers an operand of a [`tile`](Placement::tile) or a [`direct_sum`](Placement::direct_sum)
//! from the result and the other operand. `None` means that there is no such operand; an error
//! means that the question has no meaning.

use super::{
    Axes, Iter, Placement,
    error::Result,
    tile::{quotient, same_rank},
};

/// The part by which [`Placement::is_tile_inner`] and similar operations compare two placements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Inner,
    Outer,
}

/// The iters of `all` without those of `known`; `None` if one of `known` is missing.
fn without(all: &[Iter], known: &[Iter]) -> Option<Vec<Iter>> {
    let mut rest = all.to_vec();
    for iter in known {
        let place = rest.iter().position(|other| other == iter)?;
        rest.remove(place);
    }
    Some(rest)
}

fn same_blocks(a: &[Vec<Iter>], b: &[Vec<Iter>], same: impl Fn(&Iter, &Iter) -> bool) -> bool {
    a.len() == b.len()
        && a.iter().zip(b).all(|(a, b)| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)))
}

/// Every second block, starting at `first`.
fn every_second(blocks: &[Vec<Iter>], first: usize) -> Vec<Vec<Iter>> {
    blocks.iter().skip(first).step_by(2).cloned().collect()
}

fn pairs(a: &[i64], b: &[i64]) -> Vec<i64> {
    a.iter().zip(b).flat_map(|(a, b)| [*a, *b]).collect()
}

impl Placement {
    /// The placement `outer` with `self.tile(outer, tiled_shape / inner_shape, inner_shape) ==
    /// tiled`.
    ///
    /// If `tiled` runs over a wider scope than this tile, its axes are cut there first, as `axes`
    /// defines: a tile of lanes in a tensor over the threads of a CTA leaves warps.
    ///
    /// ```
    /// use cute_placement::Placement;
    /// let (tile, tiled): (Placement, Placement) = ("S[(8,64) : (64,1)]".parse()?, "S[(2,8,3,64) : (1536,64,512,1)]".parse()?);
    /// let outer = tile.is_tile_inner(&tiled, &[16, 192], &[8, 64], None)?;
    /// assert_eq!(outer.map(|p| p.to_string()).as_deref(), Some("S[(2, 3) : (3@m, 1@m)]"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_tile_inner(
        &self,
        tiled: &Self,
        tiled_shape: &[i64],
        inner_shape: &[i64],
        axes: Option<&Axes>,
    ) -> Result<Option<Self>> {
        let op = "is_tile_inner";
        let outer_shape = quotient(op, tiled_shape, inner_shape)?;
        if self.swizzle != tiled.swizzle {
            return Ok(None);
        }
        let inner = self.tile_of(inner_shape)?.canonicalize(axes)?;
        let tiled = tiled.tile_of(tiled_shape)?.canonicalize(axes)?;
        let Some(tiled) = tiled.cut_for(op, &inner, Known::Inner, axes)? else { return Ok(None) };
        let blocks = tiled.blocks(op, &pairs(&outer_shape, inner_shape))?;
        let own = inner.blocks(op, inner_shape)?;
        if !same_blocks(&every_second(&blocks, 1), &own, Iter::same_steps) {
            return Ok(None);
        }
        let mut shard = every_second(&blocks, 0).concat();
        for iter in shard.iter_mut().filter(|iter| iter.extent != 1) {
            let scale = inner.scale(iter)?;
            match iter.stride.checked_rem(scale) {
                Some(0) => iter.stride /= scale,
                _ if iter.stride == 0 => {}
                _ => return Ok(None),
            }
        }
        tiled.rest(&inner, shard)
    }

    /// The placement `inner` with `inner.tile(self, outer_shape, tiled_shape / outer_shape) ==
    /// tiled`; it has the swizzle of `tiled`. A swizzled placement is never an outer operand.
    pub fn is_tile_outer(
        &self,
        tiled: &Self,
        tiled_shape: &[i64],
        outer_shape: &[i64],
        axes: Option<&Axes>,
    ) -> Result<Option<Self>> {
        let op = "is_tile_outer";
        let inner_shape = quotient(op, tiled_shape, outer_shape)?;
        if self.swizzle.is_some() {
            return Ok(None);
        }
        let whole = tiled.tile_of(tiled_shape)?.canonicalize(axes)?;
        let outer = self.canonicalize(axes)?;
        let Some(cut) = whole.cut_for(op, &outer, Known::Outer, axes)? else { return Ok(None) };
        let blocks = cut.blocks(op, &pairs(outer_shape, &inner_shape))?;
        let alike = |a: &Iter, b: &Iter| a.extent == b.extent && (a.extent == 1 || a.axis == b.axis);
        if !same_blocks(&every_second(&blocks, 0), &outer.blocks(op, outer_shape)?, alike) {
            return Ok(None);
        }
        let Some(inner) = cut.rest(&outer, every_second(&blocks, 1).concat())? else { return Ok(None) };
        if inner.tile(&outer, outer_shape, &inner_shape, axes)? != whole {
            return Ok(None);
        }
        inner.behind(tiled).map(Some)
    }

    /// The placement `left` with `self.direct_sum(left, .., right_shape) == sum`, where
    /// `interleaved` is the shape of the sum: `(left[0], right[0], left[1], right[1], ..)`.
    pub fn is_direct_sum_right(
        &self,
        sum: &Self,
        interleaved: &[i64],
        right_shape: &[i64],
        axes: Option<&Axes>,
    ) -> Result<Option<Self>> {
        self.addend("is_direct_sum_right", sum, interleaved, (right_shape, 1), axes)
    }

    /// The placement `right` with `right.direct_sum(self, left_shape, ..) == sum`. As in
    /// [`is_direct_sum_right`](Self::is_direct_sum_right) both have the same swizzle or none, and
    /// the result has none.
    pub fn is_direct_sum_left(
        &self,
        sum: &Self,
        interleaved: &[i64],
        left_shape: &[i64],
        axes: Option<&Axes>,
    ) -> Result<Option<Self>> {
        self.addend("is_direct_sum_left", sum, interleaved, (left_shape, 0), axes)
    }

    /// The other addend of `sum`. The blocks of this placement are every second block of the sum,
    /// starting at `first`.
    fn addend(
        &self,
        op: &'static str,
        sum: &Self,
        interleaved: &[i64],
        (shape, first): (&[i64], usize),
        axes: Option<&Axes>,
    ) -> Result<Option<Self>> {
        same_rank(op, interleaved, 2 * shape.len())?;
        if self.swizzle != sum.swizzle {
            return Ok(None);
        }
        let own = self.tile_of(shape)?.canonicalize(axes)?;
        let whole = sum.tile_of(interleaved)?.canonicalize(axes)?;
        let blocks = whole.blocks(op, interleaved)?;
        if !same_blocks(&every_second(&blocks, first), &own.blocks(op, shape)?, Iter::same_steps) {
            return Ok(None);
        }
        whole.rest(&own, every_second(&blocks, 1 - first).concat())
    }

    /// These shard iters, with the copies that `known` does not have, and the offset relative to
    /// it; `None` if `known` has copies that this placement does not have.
    fn rest(&self, known: &Self, shard: Vec<Iter>) -> Result<Option<Self>> {
        let Some(replica) = without(&self.replica, &known.replica) else { return Ok(None) };
        let offset = self.offset.minus(&known.offset)?;
        Self::new(shard, replica, offset).map(Some)
    }

    /// This placement cut at the border of the scopes of `known`, which must run over the inner or
    /// the outer part of its scopes; otherwise `None`.
    fn cut_for(
        &self,
        op: &'static str,
        known: &Self,
        part: Known,
        axes: Option<&Axes>,
    ) -> Result<Option<Self>> {
        let Some(axes) = axes else { return Ok(Some(self.clone())) };
        let (Some(own), Some(theirs)) = (self.scope(axes)?, known.scope(axes)?) else {
            return Ok(Some(self.clone()));
        };
        let (shared, border, wider) = match part {
            Known::Inner => (own.inner == theirs.inner, theirs.outer, own.outer),
            Known::Outer => (own.outer == theirs.outer, theirs.inner, own.inner),
        };
        let ordered = match part {
            Known::Inner => axes.rank(wider) <= axes.rank(border),
            Known::Outer => axes.rank(wider) >= axes.rank(border),
        };
        if !shared || !ordered {
            return Ok(None);
        }
        // Drops the unit iters of the cut, and does not fuse axes again.
        self.split(op, axes, border)?.canonicalize(None).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_taken_away_one_by_one() {
        let iter = |n| Iter::new(n, 1, cute_algebra::Axis::M);
        assert_eq!(without(&[iter(2), iter(2), iter(3)], &[iter(2)]), Some(vec![iter(2), iter(3)]));
        assert_eq!(without(&[iter(2)], &[iter(2), iter(2)]), None);
    }
}
