//! Permutations, broadcasts, and the storage part of a placement.

use super::{
    Axes, Iter, Kind, Placement,
    error::{PlacementError, Result},
};
use cute_algebra::Axis;

/// Fails unless `perm` contains every index below `count` once.
fn check_permutation(op: &'static str, perm: &[usize], count: usize) -> Result<()> {
    let mut sorted = perm.to_vec();
    sorted.sort_unstable();
    if sorted.iter().copied().eq(0..count) {
        return Ok(());
    }
    PlacementError::Permutation { op, found: perm.to_vec(), count }.fail()
}

impl Placement {
    /// The placement whose iter `i` is iter `perm[i]`.
    pub fn permute_dims(&self, perm: &[usize]) -> Result<Self> {
        check_permutation("permute_dims", perm, self.shard.len())?;
        Ok(self.with_shard(perm.iter().filter_map(|i| self.shard.get(*i)).copied().collect()))
    }

    /// The placement whose group `i` is group `perm[i]`, of the groups
    /// `[separators[g], separators[g+1])` of iters.
    ///
    /// ```
    /// use cute_placement::Placement;
    /// let p: Placement = "S[(2,3,4) : (12,4,1)]".parse()?;
    /// assert_eq!(p.permute_by_groups(&[0, 1, 3], &[1, 0])?.to_string(), "S[(3, 4, 2) : (4@m, 1@m, 12@m)]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn permute_by_groups(&self, separators: &[usize], perm: &[usize]) -> Result<Self> {
        let op = "permute_by_groups";
        let ascending = separators.iter().zip(separators.iter().skip(1)).all(|(begin, end)| begin <= end);
        let whole = separators.first() == Some(&0) && separators.last() == Some(&self.shard.len());
        if !ascending || !whole {
            let why = format!("separators {separators:?} do not ascend from 0 to {}", self.shard.len());
            return PlacementError::Refused { op, why }.fail();
        }
        check_permutation(op, perm, separators.len() - 1)?;
        let group = |g: &usize| -> &[Iter] { &self.shard[separators[*g]..separators[g + 1]] };
        Ok(self.with_shard(perm.iter().flat_map(group).copied().collect()))
    }

    /// The placement of a tensor of this shape with its dimensions permuted: dimension `i` of the
    /// result is dimension `perm[i]` of the tensor.
    pub fn regroup(&self, shape: &[i64], perm: &[usize]) -> Result<Self> {
        let blocks = self.blocks("regroup", shape)?;
        check_permutation("regroup", perm, shape.len())?;
        Ok(self.with_shard(perm.iter().filter_map(|i| blocks.get(*i)).flatten().copied().collect()))
    }

    /// The placement with one more iter, `extent:0@axis`, before iter `position`; a negative
    /// position counts from the end, where -1 is after the last.
    pub fn broadcast(&self, extent: i64, position: i64, axis: Axis) -> Result<Self> {
        let op = "broadcast";
        let count = i64::try_from(self.shard.len()).expect("a list in memory has fewer than 2^63 entries");
        let place = if position < 0 { position.saturating_add(count + 1) } else { position };
        let Some(place) = usize::try_from(place).ok().filter(|place| *place <= self.shard.len()) else {
            let (begin, end) = (-count - 1, count + 1);
            let (what, index) = ("position", 0);
            return PlacementError::Range { op, what, index, value: position, begin, end }.fail();
        };
        let mut shard = self.shard.clone();
        shard.insert(place, Iter::new(extent, 0, axis));
        Self::new(shard, self.replica.clone(), self.offset.clone())?.behind(self)
    }

    /// The part along storage axes: iters, copies and offsets along thread axes are dropped.
    pub fn storage(&self, axes: &Axes) -> Result<Self> {
        let mut memory = Vec::new();
        for axis in self.axes() {
            if axes.kind("storage", axis)? == Kind::Memory {
                memory.push(axis);
            }
        }
        let kept = |iters: &[Iter]| iters.iter().filter(|i| memory.contains(&i.axis)).copied().collect();
        let offset = self.offset.clone().filtered(|axis| memory.contains(&axis));
        Ok(Self { shard: kept(&self.shard), replica: kept(&self.replica), offset, swizzle: self.swizzle })
    }
}
