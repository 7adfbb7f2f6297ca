//! Splits: cutting axes at the border of a scope, for instance the threads of a CTA into warps and
//! lanes.

use super::{
    Axes, Iter, Placement, Split,
    error::{PlacementError, Result},
    point::Point,
};
use cute_algebra::{Axis, Int};

impl Placement {
    /// The same placement with every axis that reaches across `scope` cut there.
    ///
    /// Given `size` inner places, an iter of stride `s` stays inside if it is short, steps along
    /// the outer axis if `size` divides `s`, and is cut if `s` divides `size`. Fails for any other
    /// iter, and where the inner parts together carry into the outer axis.
    pub(super) fn split(&self, op: &'static str, axes: &Axes, scope: &str) -> Result<Self> {
        let iters = |iters: &[Iter]| -> Result<Vec<Iter>> {
            let mut out = Vec::with_capacity(iters.len());
            for iter in iters {
                match axes.split(iter.axis, scope) {
                    Some(split) => out.extend(cut(op, iter, split)?),
                    None => out.push(*iter),
                }
            }
            Ok(out)
        };
        let mut offset = Point::default();
        for (axis, place) in self.offset.iter() {
            match axes.split(axis, scope) {
                Some(split) => {
                    offset.add(Axis::new(split.outer)?, place.div_euclid(split.size))?;
                    offset.add(Axis::new(split.inner)?, place.rem_euclid(split.size))?;
                }
                None => offset.add(axis, place)?,
            }
        }
        let cut = Self {
            shard: iters(&self.shard)?,
            replica: iters(&self.replica)?,
            offset: offset.without_zeros(),
            swizzle: self.swizzle,
        };
        for axis in self.axes() {
            if let Some(split) = axes.split(axis, scope) {
                cut.no_carry(op, axis, split)?;
            }
        }
        Ok(cut)
    }

    /// Fails unless all places along the inner axis of `split` lie in `[0, size)`.
    fn no_carry(&self, op: &'static str, axis: Axis, split: &Split) -> Result<()> {
        let inner = Axis::new(split.inner)?;
        let (mut low, mut high) = (self.offset.get(inner), self.offset.get(inner));
        for iter in self.shard.iter().chain(&self.replica).filter(|iter| iter.axis == inner) {
            let reach = iter.extent.sub(&1)?.mul(&iter.stride)?;
            let end = if reach < 0 { &mut low } else { &mut high };
            *end = Int::add(end, &reach)?;
        }
        if low < 0 || high >= split.size {
            let why = "the inner parts together exceed the inner extent";
            return Err(failed(op, format!("[{low}, {high}]"), axis, split, why));
        }
        Ok(())
    }
}

fn failed(op: &'static str, steps: String, axis: Axis, split: &Split, why: &'static str) -> PlacementError {
    let Split { outer, inner, size, .. } = *split;
    PlacementError::Unsplittable { op, steps, axis, outer, inner, size, why }
}

/// Cuts an iter into an outer and an inner one, or returns it as one of them.
fn cut(op: &'static str, iter: &Iter, split: &Split) -> Result<Vec<Iter>> {
    let (outer, inner, size) = (Axis::new(split.outer)?, Axis::new(split.inner)?, split.size);
    let Iter { extent, stride, axis } = *iter;
    let step = Int::abs(&stride)?;
    let reach = extent.mul(&step)?;
    if reach < size {
        return Ok(vec![Iter::new(extent, stride, inner)]);
    }
    if size % step == 0 && reach % size == 0 {
        let inside = size / step;
        return Ok(vec![
            Iter::new(extent / inside, stride.signum(), outer),
            Iter::new(inside, stride, inner),
        ]);
    }
    if stride % size == 0 {
        return Ok(vec![Iter::new(extent, stride / size, outer)]);
    }
    let why = "its stride must divide the inner extent, or be a multiple of it";
    Err(failed(op, format!("{extent}:{stride}"), axis, split, why))
}
