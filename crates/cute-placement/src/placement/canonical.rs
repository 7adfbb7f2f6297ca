//! The canonical form of a placement: axes are fused, neighbours are merged, and parts without
//! effect are dropped.

use super::{Axes, Iter, Placement, error::Result, point::Point};
use cute_algebra::Int;

/// The iter that replaces two neighbours, if there is one: `(e1,s1)(e2,s2)` with `e2*s2 == s1` is
/// `(e1*e2,s2)`.
fn merged(outer: &Iter, inner: &Iter) -> Option<Iter> {
    let joins = outer.axis == inner.axis && inner.extent.checked_mul(inner.stride) == Some(outer.stride);
    let extent = joins.then(|| outer.extent.checked_mul(inner.extent))??;
    Some(Iter { extent, ..*inner })
}

/// The iters without those of extent 1; if there are no others, one of these stays.
fn without_units(shard: &[Iter]) -> Vec<Iter> {
    let kept: Vec<_> = shard.iter().filter(|iter| iter.extent != 1).copied().collect();
    match shard.first() {
        Some(first) if kept.is_empty() => vec![Iter::new(1, 1, first.axis)],
        _ => kept,
    }
}

fn merge(shard: Vec<Iter>) -> Vec<Iter> {
    let mut out: Vec<Iter> = Vec::with_capacity(shard.len());
    for iter in shard {
        match out.last_mut() {
            Some(last) if let Some(both) = merged(last, &iter) => *last = both,
            _ => out.push(iter),
        }
    }
    out
}

impl Placement {
    /// The canonical form of the placement, which is equivalent to it:
    ///
    /// 1. iters of extent 1 and zero offsets are dropped;
    /// 2. axes that are part of another are replaced by it, as `axes` defines for the scopes of the
    ///    placement; offsets along the same axis add up;
    /// 3. neighbours merge where the outer one continues where the inner one ends;
    /// 4. replica iters are ordered by axis, stride and extent.
    ///
    /// Without `axes` no axis has a meaning, and the operation cannot fail.
    ///
    /// ```
    /// use cute_placement::Placement;
    /// let p: Placement = "S[(2,8,1,64) : (2@warpid,64,7,1)]".parse()?;
    /// assert_eq!(p.canonicalize(None)?.to_string(), "S[(2, 512) : (2@warpid, 1@m)]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn canonicalize(&self, axes: Option<&Axes>) -> Result<Self> {
        let plain = Self { shard: without_units(&self.shard), ..self.clone() };
        let plain = Self { offset: self.offset.clone().without_zeros(), ..plain };
        match axes {
            Some(axes) => Ok(plain.fused(axes)?.simplified()),
            None => Ok(plain.simplified()),
        }
    }

    /// [`canonicalize`](Self::canonicalize) without a table of axes.
    pub(super) fn simplified(&self) -> Self {
        let mut replica = self.replica.clone();
        replica.sort_unstable_by_key(|iter| (iter.axis, iter.stride, iter.extent));
        Self {
            shard: merge(without_units(&self.shard)),
            replica,
            offset: self.offset.clone().without_zeros(),
            swizzle: self.swizzle,
        }
    }

    fn fused(&self, axes: &Axes) -> Result<Self> {
        let Some(scopes) = self.scope(axes)? else { return Ok(self.clone()) };
        let scopes = (scopes.inner, scopes.outer);
        let iters = |iters: &[Iter]| {
            let fused = iters.iter().map(|iter| {
                let (axis, factor) = axes.fused(iter.axis, scopes)?;
                Ok(Iter { axis, stride: iter.stride.mul(&factor)?, ..*iter })
            });
            fused.collect::<Result<Vec<_>>>()
        };
        let mut offset = Point::default();
        for (axis, place) in self.offset.iter() {
            let (axis, factor) = axes.fused(axis, scopes)?;
            offset.add(axis, place.mul(&factor)?)?;
        }
        Ok(Self { shard: iters(&self.shard)?, replica: iters(&self.replica)?, offset, swizzle: self.swizzle })
    }
}
