//! Sizes: the number of elements of a placement, and the extent that it spans.

use super::{
    Axes, Kind, Placement,
    error::{PlacementError, Result},
};
use cute_algebra::{Axis, Int};

impl Placement {
    /// Number of elements: the product of the shard's extents.
    pub fn size(&self) -> Result<i64> {
        Ok(self.shard.iter().try_fold(1i64, |n, iter| n.mul(&iter.extent))?)
    }

    /// The product of the extents of the shard along `axis`; 1 if there are none.
    ///
    /// Fails behind a swizzle, which is not made of steps along axes.
    pub fn size_along(&self, axis: Axis) -> Result<i64> {
        self.has_axes("size")?;
        Ok(self
            .shard
            .iter()
            .filter(|iter| iter.axis == axis)
            .try_fold(1i64, |n, iter| n.mul(&iter.extent))?)
    }

    /// `1 + sum of (extent - 1) * stride + offset` over all iters and offsets along `axis`,
    /// including copies. If strides are not negative, it is one past the last place; it is also the
    /// factor by which [`tile`](Self::tile) moves tiles.
    ///
    /// ```
    /// use cute_algebra::Axis;
    /// use cute_placement::Placement;
    /// let sf: Placement = "S[(32,4) : (1@TLane,1@TCol)] + R[4 : 32@TLane]".parse()?;
    /// assert_eq!((sf.span_along(Axis::new("TLane")?)?, sf.span_along(Axis::new("TCol")?)?), (128, 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails behind a swizzle, which is not made of steps along axes.
    pub fn span_along(&self, axis: Axis) -> Result<i64> {
        self.has_axes("span")?;
        self.span_where(|a| a == axis)
    }

    /// The span of all storage axes together. If there is a single storage axis, it is the amount
    /// of storage needed.
    pub fn span(&self, axes: &Axes) -> Result<i64> {
        let mut memory = Vec::new();
        for axis in self.axes() {
            if axes.kind("span", axis)? == Kind::Memory {
                memory.push(axis);
            }
        }
        self.span_where(|axis| memory.contains(&axis))
    }

    /// Whether the placement is trivial: at most one iter, of stride 1 along a storage axis, and no
    /// copies, offset or swizzle.
    pub fn is_trivial(&self, axes: &Axes) -> Result<bool> {
        Ok(self.is_contiguous(axes)? && self.offset.iter().all(|(_, place)| place == 0))
    }

    /// Whether the elements are contiguous in storage, at any offset: after merging neighbours
    /// there is one iter of stride 1 along a storage axis, and there are no copies and no swizzle.
    pub fn is_contiguous(&self, axes: &Axes) -> Result<bool> {
        let plain = self.simplified();
        let one = match plain.shard.as_slice() {
            [] => true,
            [iter] => iter.stride == 1 && axes.kind("is_contiguous", iter.axis)? == Kind::Memory,
            _ => false,
        };
        Ok(one && plain.replica.is_empty() && self.swizzle.is_none())
    }

    fn span_where(&self, counts: impl Fn(Axis) -> bool) -> Result<i64> {
        let mut span = 1i64;
        for iter in self.shard.iter().chain(&self.replica).filter(|iter| counts(iter.axis)) {
            span = span.add(&iter.extent.sub(&1)?.mul(&iter.stride)?)?;
        }
        Ok(self
            .offset
            .iter()
            .filter(|(axis, _)| counts(*axis))
            .try_fold(span, |span, (_, n)| span.add(&n))?)
    }

    fn has_axes(&self, op: &'static str) -> Result<()> {
        match self.swizzle {
            None => Ok(()),
            Some(swizzle) => {
                let why = format!("{swizzle} permutes places along its only axis: call this without an axis");
                PlacementError::Refused { op, why }.fail()
            }
        }
    }
}
