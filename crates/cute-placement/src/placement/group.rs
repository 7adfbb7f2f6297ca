//! Grouping: cutting iters at the points where the dimensions of a shape end.

use super::{
    Iter, Placement,
    error::{PlacementError, Result},
    eval::elements,
};
use cute_algebra::Int;

impl Placement {
    /// Cuts the iters so that runs of them have the extents of `shape`. Returns the placement, and
    /// the index at which each run begins and the last one ends. Nothing is reordered or merged.
    ///
    /// ```
    /// use cute_placement::Placement;
    /// let p: Placement = "S[64 : 1]".parse()?;
    /// let (grouped, ends) = p.group(&[8, 8])?;
    /// assert_eq!((grouped.to_string().as_str(), ends), ("S[(8, 8) : (8@m, 1@m)]", vec![0, 1, 2]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails where no iter can be cut at the end of a dimension: (6,4) has no groups of (4,6).
    pub fn group(&self, shape: &[i64]) -> Result<(Self, Vec<usize>)> {
        let blocks = self.blocks("group", shape)?;
        let ends = blocks.iter().scan(0, |end, block| {
            *end += block.len();
            Some(*end)
        });
        let ends = std::iter::once(0).chain(ends).collect();
        Ok((self.with_shard(blocks.concat()), ends))
    }

    /// The iters of each dimension of `shape`.
    pub(super) fn blocks(&self, op: &'static str, shape: &[i64]) -> Result<Vec<Vec<Iter>>> {
        let (found, expected) = (elements(shape)?, self.size()?);
        if found != expected {
            let (shape, placement) = (shape.to_vec(), self.to_string());
            return PlacementError::Total { op, shape, found, placement, expected }.fail();
        }
        let mut blocks: Vec<Vec<Iter>> = Vec::with_capacity(shape.len());
        let mut block = Vec::new();
        // The number of elements of the block so far.
        let mut product = 1i64;
        let failed = |blocks: &Vec<Vec<Iter>>| {
            let (placement, shape, dimension) = (self.to_string(), shape.to_vec(), blocks.len());
            PlacementError::Ungroupable { op, placement, shape, dimension }
        };
        for iter in &self.shard {
            product = product.mul(&iter.extent)?;
            let mut rest = iter.extent;
            while let Some(extent) = shape.get(blocks.len()).filter(|extent| product % **extent == 0) {
                let passed = product / extent;
                if rest % passed != 0 {
                    return failed(&blocks).fail();
                }
                block.push(Iter { extent: rest / passed, stride: iter.stride.mul(&passed)?, ..*iter });
                blocks.push(std::mem::take(&mut block));
                (rest, product) = (passed, passed);
            }
            if rest != 1 {
                block.push(Iter { extent: rest, ..*iter });
            }
        }
        if blocks.len() != shape.len() {
            return failed(&blocks).fail();
        }
        Ok(blocks)
    }

    /// The coarsest cut that fits every shape in `shapes`, and for each shape the indices at which
    /// its dimensions begin and end.
    ///
    /// A unit dimension becomes a unit iter. Fails unless all shapes have the same number of
    /// elements as the placement and, for any two points at which a dimension or iter ends, the
    /// number of elements before one divides the number before the other.
    ///
    /// ```
    /// use cute_placement::Placement;
    /// let p: Placement = "S[30 : 1]".parse()?;
    /// let (refined, ends) = p.group_many(&[vec![1, 6, 1, 5], vec![2, 3, 5]])?;
    /// assert_eq!(refined.to_string(), "S[(1, 2, 3, 1, 5) : (30@m, 15@m, 5@m, 5@m, 1@m)]");
    /// assert_eq!(ends, [vec![0, 1, 3, 4, 5], vec![0, 2, 3, 5]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn group_many(&self, shapes: &[Vec<i64>]) -> Result<(Self, Vec<Vec<usize>>)> {
        let op = "group_many";
        let refused = |why: &str| PlacementError::Refused { op, why: why.to_string() };
        let size = self.size()?;
        if shapes.is_empty() || self.shard.is_empty() {
            return refused("there are no shapes, or no iters to group").fail();
        }
        for shape in shapes {
            let found = elements(shape)?;
            if shape.is_empty() {
                return refused("a shape without dimensions").fail();
            }
            if found != size {
                let (shape, placement) = (shape.clone(), self.to_string());
                return PlacementError::Total { op, shape, found, placement, expected: size }.fail();
            }
        }
        let own: Vec<i64> = self.shard.iter().map(|iter| iter.extent).collect();
        let mut boundaries: Vec<i64> = Vec::new();
        for shape in shapes.iter().chain([&own]) {
            boundaries = merged(&boundaries, &ends(shape));
        }
        for (lower, upper) in boundaries.iter().zip(boundaries.iter().skip(1)) {
            if upper % lower != 0 {
                return PlacementError::Boundaries { lower: *lower, upper: *upper }.fail();
            }
        }
        let mut before = 1;
        let pieces: Vec<i64> =
            boundaries.iter().map(|end| end / std::mem::replace(&mut before, *end)).collect();
        let mut shard = Vec::with_capacity(pieces.len());
        let own = separators(&boundaries, &own);
        for (iter, range) in self.shard.iter().zip(own.iter().zip(own.iter().skip(1))) {
            let run = &pieces[*range.0..*range.1];
            let mut stride = iter.stride;
            let mut cut = Vec::with_capacity(run.len());
            for piece in run.iter().rev() {
                cut.push(Iter { extent: *piece, stride, ..*iter });
                stride = stride.mul(piece)?;
            }
            shard.extend(cut.into_iter().rev());
        }
        Ok((self.with_shard(shard), shapes.iter().map(|shape| separators(&boundaries, shape)).collect()))
    }
}

/// The number of elements up to the end of each dimension.
fn ends(shape: &[i64]) -> Vec<i64> {
    let mut end = 1;
    let next = |extent: &i64| {
        end *= extent;
        end
    };
    shape.iter().map(next).collect()
}

/// Merges two ascending lists. A value occurs as often as in the list that has more of it.
fn merged(a: &[i64], b: &[i64]) -> Vec<i64> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut out = Vec::new();
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) if x == y => (a.next(), b.next()).0,
            (Some(x), Some(y)) if x < y => a.next(),
            (Some(_), None) => a.next(),
            _ => b.next(),
        };
        match next {
            Some(end) => out.push(*end),
            None => return out,
        }
    }
}

/// The indices at which the dimensions of a shape begin and end among the pieces between
/// `boundaries`.
fn separators(boundaries: &[i64], shape: &[i64]) -> Vec<usize> {
    let mut at = 0;
    let mut out = vec![0];
    for end in ends(shape) {
        at += boundaries.iter().skip(at).position(|b| *b == end).map_or(0, |i| i + 1);
        out.push(at);
    }
    // Unit pieces at the end belong to the last dimension.
    if let Some(last) = out.last_mut() {
        *last = boundaries.len();
    }
    out
}
