//! [`Placement::base`] over any type of leaf: the place of an element whose coordinate may be known
//! at run time only.

use super::{
    Placement,
    error::{PlacementError, Result},
};
use cute_algebra::{Axis, Int};

impl Placement {
    /// [`base`](Self::base) of a coordinate whose integers may be run-time values. Returns the
    /// place of the element along each axis, in order. Among the copies it takes the one whose
    /// replica digits are those of `copy`, the last digit fastest.
    ///
    /// A coordinate is split inside its own dimension where the shard has a [group](Self::group)
    /// for it, so that a dimension of one iter needs no division; otherwise the coordinate is
    /// flattened first.
    ///
    /// ```
    /// use cute_algebra::{Dim, Int, Width};
    /// use cute_placement::Placement;
    /// let tile: Placement = "S[(8,2,4,2) : (4@laneid,1@warpid,1@laneid,1)] + 5@warpid".parse()?;
    /// let row = Dim::dynamic(Width::I32, 1);
    /// let places = tile.base_of(&[row, Dim::from_i64(3)], &[8, 16], 0)?;
    /// let text: Vec<_> = places.iter().map(|(axis, place)| format!("{axis} {place}")).collect();
    /// assert_eq!(text, ["laneid ?", "m 1", "warpid 5"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails like `base` on the static part, and if there is no copy with that number.
    pub fn base_of<I: Int>(&self, coord: &[I], shape: &[i64], copy: i64) -> Result<Vec<(Axis, I)>> {
        // The static part of the coordinate is checked as in `base`; any value will do for the
        // rest.
        let known: Vec<i64> = coord.iter().map(|c| c.as_static().unwrap_or(0)).collect();
        self.base(&known, shape)?;
        let blocks = self.blocks("base_of", shape);
        let parts = match blocks {
            Ok(blocks) => coord.iter().cloned().zip(blocks).collect(),
            Err(_) => {
                let mut index = I::from_i64(0);
                for (c, extent) in coord.iter().zip(shape) {
                    index = index.mul(&I::from_i64(*extent))?.add(c)?;
                }
                vec![(index, self.shard.clone())]
            }
        };
        let copy = self.copy(copy)?;
        let mut places: Vec<(Axis, I)> =
            self.axes().into_iter().map(|axis| (axis, I::from_i64(copy.get(axis)))).collect();
        for (mut rest, iters) in parts {
            for (i, iter) in iters.iter().enumerate().rev() {
                let digit = if i == 0 {
                    rest.clone()
                } else {
                    let extent = I::from_i64(iter.extent);
                    let digit = rest.rem(&extent)?;
                    rest = rest.div(&extent)?;
                    digit
                };
                if let Some((_, place)) = places.iter_mut().find(|(axis, _)| *axis == iter.axis) {
                    *place = place.add(&digit.mul(&I::from_i64(iter.stride))?)?;
                }
            }
        }
        if let Some(swizzle) = self.swizzle {
            for (_, place) in places.iter_mut().filter(|(axis, _)| *axis == Axis::M) {
                *place = swizzle.to_swizzle()?.apply(place)?;
            }
        }
        Ok(places)
    }

    /// The number of places of each element.
    pub fn copies(&self) -> Result<i64> {
        Ok(self.replica.iter().try_fold(1i64, |n, iter| n.mul(&iter.extent))?)
    }

    /// The distance of copy `copy` from the origin of the shard.
    fn copy(&self, copy: i64) -> Result<super::Point> {
        let end = self.copies()?;
        if !(0..end).contains(&copy) {
            let (op, what) = ("base_of", "copy");
            return PlacementError::Range { op, what, index: 0, value: copy, begin: 0, end }.fail();
        }
        let mut at = self.offset.clone();
        let mut rest = copy;
        for iter in self.replica.iter().rev() {
            at.add(iter.axis, (rest % iter.extent).mul(&iter.stride)?)?;
            rest /= iter.extent;
        }
        Ok(at)
    }
}
