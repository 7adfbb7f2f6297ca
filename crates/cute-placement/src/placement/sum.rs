//! The sum of two placements, dimension by dimension.

use super::{
    Axes, Placement,
    error::Result,
    tile::{interleaved, same_rank},
};

impl Placement {
    /// This placement as the right operand of a sum: in a tensor of shape
    /// `(left[0], right[0], left[1], right[1], ..)`, element `(l0, r0, l1, r1, ..)` lies at
    /// `left(l) + right(r)`. It works like [`tile`](Self::tile), but without scaling.
    ///
    /// ```
    /// use cute_placement::Placement;
    /// let (right, left): (Placement, Placement) = ("S[(2,2) : (4,1)]".parse()?, "S[(2,2) : (8,2)]".parse()?);
    /// assert_eq!(right.direct_sum(&left, &[2, 2], &[2, 2], None)?.to_string(), "S[(16) : (1@m)]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn direct_sum(
        &self,
        left: &Self,
        left_shape: &[i64],
        right_shape: &[i64],
        axes: Option<&Axes>,
    ) -> Result<Self> {
        left.expect_plain("direct_sum")?;
        same_rank("direct_sum", left_shape, right_shape.len())?;
        let right = self.tile_of(right_shape)?.canonicalize(axes)?;
        let left = left.canonicalize(axes)?;
        let blocks =
            interleaved(&left.blocks("direct_sum", left_shape)?, &right.blocks("direct_sum", right_shape)?);
        left.joined(&right, blocks)?.canonicalize(axes)?.behind(self)
    }
}
