//! Changes of the element width: one element becomes several narrower ones, or several become a
//! wider one.

use super::{
    Iter, Placement, StorageSwizzle,
    error::{PlacementError, Result},
    point::Point,
};
use cute_algebra::{Axis, Int};

impl Placement {
    /// The placement with each element cut into `count` narrower ones that lie side by side along
    /// the storage axis `axis` (`m`; in tensor memory `TCol`). Steps, copies and offset along that
    /// axis grow by the factor `count`; all others stay.
    ///
    /// ```
    /// use cute_algebra::Axis;
    /// use cute_placement::Placement;
    /// let p: Placement = "S[(8,4,2) : (4@laneid,1@laneid,1)] + 3".parse()?;
    /// let narrow = p.unpack(2, Axis::M)?;
    /// assert_eq!(narrow.to_string(), "S[(8, 4, 2, 2) : (4@laneid, 1@laneid, 2@m, 1@m)] + 6@m");
    /// assert_eq!(narrow.pack(2, Axis::M)?.canonicalize(None)?, p.canonicalize(None)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Behind a swizzle `count` must be a power of two.
    pub fn unpack(&self, count: i64, axis: Axis) -> Result<Self> {
        let swizzle = self.widened("unpack", count, axis, 1)?;
        let mut wide = self.scaled(axis, |_, _, n| Ok(n.mul(&count)?))?;
        wide.shard.push(Iter::new(count, 1, axis));
        Ok(Self { swizzle, ..wide })
    }

    /// The placement with every `count` elements side by side along `axis` joined to a wider one.
    /// It is the inverse of [`unpack`](Self::unpack).
    ///
    /// Fails unless the last iter has stride 1 along `axis`, and `count` divides its extent and
    /// every other stride and offset along the axis.
    pub fn pack(&self, count: i64, axis: Axis) -> Result<Self> {
        let op = "pack";
        let swizzle = self.widened(op, count, axis, -1)?;
        let Some((last, rest)) =
            self.shard.split_last().filter(|(last, _)| last.axis == axis && last.stride == 1)
        else {
            let why = format!("the last iter of {self} does not have stride 1 along {axis}");
            return PlacementError::Refused { op, why }.fail();
        };
        let exactly = |what: &'static str, index: String, value: i64| match value % count {
            0 => Ok(value / count),
            _ => PlacementError::Indivisible { op, what, index, value, divisor: count }.fail(),
        };
        let extent = exactly("extent of shard iter", rest.len().to_string(), last.extent)?;
        let mut narrow = self.with_shard(rest.to_vec()).scaled(axis, exactly)?;
        narrow.shard.push(Iter { extent, ..*last });
        Ok(Self { swizzle, ..narrow })
    }

    /// Maps every stride and offset along `axis` by `f`, which also receives the kind of value and
    /// its index for error messages.
    fn scaled(&self, axis: Axis, f: impl Fn(&'static str, String, i64) -> Result<i64>) -> Result<Self> {
        let iters = |what, iters: &[Iter]| {
            let scaled = iters.iter().enumerate().map(|(i, iter)| match iter.axis == axis {
                true => Ok(Iter { stride: f(what, i.to_string(), iter.stride)?, ..*iter }),
                false => Ok(*iter),
            });
            scaled.collect::<Result<Vec<_>>>()
        };
        let offset = self.offset.iter().map(|(a, place)| match a == axis {
            true => Ok((a, f("offset", format!("along {a}"), place)?)),
            false => Ok((a, place)),
        });
        Ok(Self {
            shard: iters("stride of shard iter", &self.shard)?,
            replica: iters("stride of replica iter", &self.replica)?,
            offset: offset.collect::<Result<Point>>()?,
            swizzle: self.swizzle,
        })
    }

    /// The swizzle for `count` times the number of elements (`sign` 1), or for that fraction (-1).
    fn widened(&self, op: &'static str, count: i64, axis: Axis, sign: i64) -> Result<Option<StorageSwizzle>> {
        let refused = |why: String| PlacementError::Refused { op, why }.fail();
        if count < 1 {
            return refused(format!("{count} elements per element: at least one is required"));
        }
        let Some(swizzle) = self.swizzle else { return Ok(None) };
        if axis != Axis::M {
            return refused(format!("{swizzle} acts on m, not on {axis}"));
        }
        if count & (count - 1) != 0 {
            return refused(format!("{count} elements per element, after {swizzle}, must be a power of two"));
        }
        let bits = i64::from(count.trailing_zeros());
        if sign < 0 && swizzle.per_element() < bits {
            return refused(format!("{swizzle} keeps fewer than {count} elements together"));
        }
        swizzle.widened(sign * bits).map(Some)
    }
}
