//! Slices: windows of a placement that are again placements.

use super::{
    Axes, Iter, Placement,
    error::{PlacementError, Result},
    point::Point,
    tile::same_rank,
};
use cute_algebra::Int;

impl Placement {
    /// The placement of the window `region`, one range `[begin, end)` per dimension of `shape`;
    /// `None` if no iters describe the window.
    ///
    /// ```
    /// use cute_placement::Placement;
    /// let p: Placement = "S[(8,8) : (8,1)]".parse()?;
    /// let window = p.slice(&[8, 8], &[(2, 5), (1, 4)], None)?;
    /// assert_eq!(window.map(|p| p.to_string()).as_deref(), Some("S[(3, 3) : (8@m, 1@m)] + 17@m"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Copies stay, and the offset moves to the start of the window. The offset names every axis of
    /// the shard, even where it is 0. Fails on a window that is empty, or not inside the shape.
    pub fn slice(&self, shape: &[i64], region: &[(i64, i64)], axes: Option<&Axes>) -> Result<Option<Self>> {
        let bounds: Vec<i64> = region.iter().map(|(_, end)| *end).collect();
        same_rank("slice", &bounds, shape.len())?;
        let tile = self.tile_of(shape)?.canonicalize(axes)?;
        let blocks = tile.blocks("slice", shape)?;
        let mut offset = tile.offset.clone();
        let mut shard = Vec::new();
        for (dimension, (block, (extent, range))) in blocks.iter().zip(shape.iter().zip(region)).enumerate() {
            let (begin, end) = *range;
            if begin < 0 || begin >= end || end > *extent {
                return PlacementError::Window { dimension, begin, end, extent: *extent }.fail();
            }
            let block = tile.with_shard(block.clone()).simplified().shard;
            match window(&block, begin, end - begin, &mut offset)? {
                Some(iters) => shard.extend(iters),
                None => return Ok(None),
            }
        }
        Self::new(shard, tile.replica.clone(), offset)?.behind(self).map(Some)
    }
}

/// `length` elements of the iters from `begin` on, as iters; their start is added to `offset`.
fn window(iters: &[Iter], begin: i64, length: i64, offset: &mut Point) -> Result<Option<Vec<Iter>>> {
    let mut rest = begin;
    let mut first = vec![0; iters.len()];
    for (iter, digit) in iters.iter().zip(&mut first).rev() {
        (*digit, rest) = (rest % iter.extent, rest / iter.extent);
        offset.add(iter.axis, digit.mul(&iter.stride)?)?;
    }
    let mut kept = Vec::new();
    let mut left = length;
    let mut steps = iters.iter().zip(first).rev();
    for (iter, digit) in steps.by_ref() {
        // The window covers the iter fully, once for each remaining outer step.
        if iters.len() > 1 && digit == 0 && left % iter.extent == 0 {
            kept.push(*iter);
            left /= iter.extent;
            continue;
        }
        if digit + left <= iter.extent {
            kept.push(Iter { extent: left, ..*iter });
            left = 1;
            break;
        }
        // The window crosses one end, with half before and half after it: the next iter takes one
        // more step.
        let half = left / 2;
        match steps.next() {
            Some((next, carry))
                if left % 2 == 0
                    && digit + half == iter.extent
                    && next.axis == iter.axis
                    && carry + 1 < next.extent =>
            {
                let stride = next.stride.sub(&digit.mul(&iter.stride)?)?;
                kept.extend([Iter { extent: half, ..*iter }, Iter { extent: 2, stride, ..*iter }]);
                left = 1;
                break;
            }
            _ => return Ok(None),
        }
    }
    kept.reverse();
    Ok((left == 1).then_some(kept))
}
