//! Evaluation: the place of an element, given its index, its digits, or its coordinate in a shape.
//! The result is the first place alone or all copies.

use super::{
    Iter, Placement,
    error::{PlacementError, Result},
    point::Point,
};
use cute_algebra::{Axis, Int};

/// The maximum number of copies of an element to list.
const MAX_COPIES: usize = 1 << 20;

/// Number of elements of a shape, whose extents must be positive.
pub(super) fn elements(shape: &[i64]) -> Result<i64> {
    if let Some(dimension) = shape.iter().position(|extent| *extent < 1) {
        return PlacementError::EmptyDimension { shape: shape.to_vec(), dimension }.fail();
    }
    Ok(shape.iter().try_fold(1i64, |n, extent| n.mul(extent))?)
}

/// Fails unless there is one value per extent, and each lies in `[0, extent)`.
fn check_digits(
    op: &'static str,
    (what, why): (&'static str, &'static str),
    values: &[i64],
    extents: impl ExactSizeIterator<Item = i64>,
) -> Result<()> {
    if values.len() != extents.len() {
        let (found, expected) = (values.len(), extents.len());
        return PlacementError::Count { op, what: "coordinates", found, expected, why }.fail();
    }
    for (index, (value, end)) in values.iter().zip(extents).enumerate() {
        if !(0..end).contains(value) {
            return PlacementError::Range { op, what, index, value: *value, begin: 0, end }.fail();
        }
    }
    Ok(())
}

/// The digits of `index` over the extents, the last fastest; the first takes the remainder.
fn digits(index: i64, iters: &[Iter]) -> Vec<i64> {
    let mut rest = index;
    let mut digits: Vec<_> = iters
        .iter()
        .enumerate()
        .rev()
        .map(|(i, iter)| match i {
            0 => rest,
            _ => {
                let digit = rest.rem_euclid(iter.extent);
                rest = rest.div_euclid(iter.extent);
                digit
            }
        })
        .collect();
    digits.reverse();
    digits
}

impl Placement {
    /// The place of element `index`. Indices past the end continue along the first iter, and
    /// negative indices lie before it, as with the last mode of a layout.
    ///
    /// ```
    /// use cute_placement::Placement;
    /// let tile: Placement = "S[(8,2,4,2) : (4@laneid,1@warpid,1@laneid,1)] + 5@warpid".parse()?;
    /// assert_eq!(tile.base_at(19)?.to_string(), "5@laneid + 1@m + 5@warpid");
    /// assert_eq!(tile.base_at(-1)?.to_string(), "-1@laneid + 1@m + 6@warpid");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn base_at(&self, index: i64) -> Result<Point> {
        self.after_swizzle(self.before_swizzle(&self.digits_of(index)?)?)
    }

    /// The place of the element with these digits, one per iter of the shard.
    pub fn base_of_digits(&self, digits: &[i64]) -> Result<Point> {
        let extents = self.shard.iter().map(|iter| iter.extent);
        check_digits("base_of_digits", ("digit", "one per iter of the shard"), digits, extents)?;
        self.after_swizzle(self.before_swizzle(digits)?)
    }

    /// The place of the element at `coord` in a tensor of this shape. Fails unless shape and
    /// placement have the same number of elements and the coordinate lies in the shape.
    pub fn base(&self, coord: &[i64], shape: &[i64]) -> Result<Point> {
        self.base_at(self.index("base", coord, shape)?)
    }

    /// All places of the element at `coord` in a tensor of this shape, starting with
    /// [`base`](Self::base). The digit of the first replica iter is the slowest. Iters of stride 0
    /// repeat places.
    pub fn placements(&self, coord: &[i64], shape: &[i64]) -> Result<Vec<Point>> {
        self.placements_at(self.index("placements", coord, shape)?)
    }

    /// All places of element `index`.
    pub fn placements_at(&self, index: i64) -> Result<Vec<Point>> {
        let copies = self.replica.iter().try_fold(1i64, |n, iter| n.checked_mul(iter.extent));
        let copies = copies.and_then(|n| usize::try_from(n).ok()).filter(|n| *n <= MAX_COPIES);
        let error = || PlacementError::TooManyCopies { placement: self.to_string(), limit: MAX_COPIES };
        let mut places = Vec::with_capacity(copies.ok_or_else(error)?);
        places.push(self.before_swizzle(&self.digits_of(index)?)?);
        for iter in &self.replica {
            let mut more = Vec::with_capacity(places.len());
            for place in places {
                for digit in 0..iter.extent {
                    let mut copy = place.clone();
                    copy.add(iter.axis, digit.mul(&iter.stride)?)?;
                    more.push(copy);
                }
            }
            places = more;
        }
        places.into_iter().map(|place| self.after_swizzle(place)).collect()
    }

    /// The digits of the element at `coord` in this shape. They refer to the iters that
    /// [`group`](Self::group) returns or, if it fails, to those of the shard.
    pub fn digits(&self, coord: &[i64], shape: &[i64]) -> Result<Vec<i64>> {
        let index = self.index("digits", coord, shape)?;
        match self.group(shape) {
            Ok((grouped, _)) => grouped.digits_of(index),
            Err(_) => self.digits_of(index),
        }
    }

    /// The row-major index of `coord` in `shape`, which must have the same number of elements as
    /// the placement.
    fn index(&self, op: &'static str, coord: &[i64], shape: &[i64]) -> Result<i64> {
        let (found, expected) = (elements(shape)?, self.size()?);
        if found != expected {
            let (shape, placement) = (shape.to_vec(), self.to_string());
            return PlacementError::Total { op, shape, found, placement, expected }.fail();
        }
        let what = ("coordinate", "one per dimension of the shape");
        check_digits(op, what, coord, shape.iter().copied())?;
        Ok(coord.iter().zip(shape).try_fold(0i64, |index, (c, extent)| index.mul(extent)?.add(c))?)
    }

    fn digits_of(&self, index: i64) -> Result<Vec<i64>> {
        if self.shard.is_empty() && index != 0 {
            let (op, what) = ("base", "index");
            return PlacementError::Range { op, what, index: 0, value: index, begin: 0, end: 1 }.fail();
        }
        Ok(digits(index, &self.shard))
    }

    fn before_swizzle(&self, digits: &[i64]) -> Result<Point> {
        let mut place = Point::zero(self.axes()).plus(&self.offset)?;
        for (iter, digit) in self.shard.iter().zip(digits) {
            place.add(iter.axis, digit.mul(&iter.stride)?)?;
        }
        Ok(place)
    }

    fn after_swizzle(&self, mut place: Point) -> Result<Point> {
        if let Some(swizzle) = self.swizzle {
            place.set(Axis::M, swizzle.apply(place.get(Axis::M))?);
        }
        Ok(place)
    }
}
