//! The part that each CTA copies: of the tensor's coordinates, and of the tile in shared memory.

use cute_algebra::{
    BoxTiler, CopySide, Crd, Dim, Int, Layout, LayoutLike, Stride, TiledCopy, Tuple, flat_divide, group,
    size, zipped_divide,
};
use cute_arch::atoms::BulkMode;

use super::{algebra, request::Copy};
use crate::{
    error::Result,
    inputs::{plain, values},
    leaf::Leaf,
};

/// A layout, and the offset at which it begins.
pub(crate) type Place = (Layout<Leaf>, Tuple<Leaf>);

/// The part that a CTA copies.
pub struct Part {
    /// The CTA within a pair that executes an MMA together, if there is a pair.
    pub pair: Option<i64>,
    /// The CTA among those that share a box.
    pub cta: i64,
    /// Coordinates, and the coordinate at which they begin.
    pub tensor: Place,
    /// The tile, and the offset at which it begins.
    pub memory: Place,
}

impl Copy {
    /// Whether the tensor is divided into tiles, and these into boxes: a tile whose values share
    /// memory, or whose rows are gathered, has no such order.
    pub fn is_partitioned(&self) -> bool {
        let shared = |(extent, stride): (&Dim, &Stride<Dim>)| !extent.is(1) && stride.is(0);
        let by_rows = self.atom.instruction.mode == BulkMode::Rows4;
        self.tiler.is_some() && !by_rows && !self.memory.outer().flat().any(shared)
    }

    /// The coordinates that the TMA takes, as `((tile),(rest))`.
    pub fn tiles(&self) -> Result<Option<Layout<Leaf>>> {
        let tiler = self.tiler.as_ref().filter(|_| self.mma.is_none());
        tiler.map(|tiler| algebra(zipped_divide(&self.made.boxes.coordinates, tiler))).transpose()
    }

    /// All stages of the tile, without the swizzle.
    fn stages(&self) -> Layout<Leaf> {
        plain(self.staged.as_ref().unwrap_or(&self.memory))
    }

    /// `tma_partition`, for every CTA that shares a box.
    pub fn partition(&self) -> Result<Vec<Part>> {
        let memory = plain(&self.memory);
        let rank = if memory.is_leaf() { 1 } else { memory.rank() };
        let staged = self.stages();
        let staged =
            if staged.is_leaf() { Layout::from_modes([staged]) } else { algebra(group(&staged, 0, rank))? };
        let mut parts = Vec::new();
        for (pair, (tensor, begin)) in self.tensors()? {
            for cta in 0..self.ctas {
                let tiler = algebra(self.box_tiler(&staged, cta))?;
                let (own, first) = algebra(tiler.partition(&tensor))?;
                let first = algebra(self.sum(&begin, &first))?;
                parts.push(Part {
                    pair,
                    cta,
                    tensor: (own, first),
                    memory: algebra(tiler.partition(&staged))?,
                });
            }
        }
        Ok(parts)
    }

    fn box_tiler(&self, staged: &Layout<Leaf>, cta: i64) -> cute_algebra::error::Result<BoxTiler<Leaf>> {
        let values = size(self.made.layouts.src())? / i64::from(self.atom.instruction.ctas);
        let cta = Tuple::leaf(Crd::Int(Leaf::fixed(cta)));
        BoxTiler::new(&staged.mode(0)?, values, &cta, &Layout::identity(Leaf::fixed(self.ctas))?)
    }

    /// The coordinates as `(tile,rest..)`, for each CTA of a pair.
    fn tensors(&self) -> Result<Vec<(Option<i64>, Place)>> {
        let origin = self.made.boxes.origin();
        let (Some(tiler), Some((mma, operand))) = (&self.tiler, &self.mma) else {
            return Ok(self.tiles()?.map(|tiles| (None, (tiles, origin))).into_iter().collect());
        };
        let tiles = algebra(flat_divide(&self.made.boxes.coordinates, tiler))?;
        let pairs = (0..mma.threads()).map(|pair| {
            let (own, begin) = algebra(mma.partition(*operand, &tiles, &Leaf::fixed(pair)))?;
            Ok((Some(pair), (algebra(group(&own, 0, 3))?, algebra(self.sum(&origin, &begin))?)))
        });
        pairs.collect()
    }

    /// The sum of two coordinates, one of which may have fewer modes.
    fn sum(&self, a: &Tuple<Leaf>, b: &Tuple<Leaf>) -> cute_algebra::error::Result<Tuple<Leaf>> {
        let zero = Leaf::fixed(0);
        let at =
            |tuple: &Tuple<Leaf>, i: usize| tuple.leaves().get(i).cloned().unwrap_or_else(|| zero.clone());
        let rank = self.made.boxes.basis.rank();
        let sums = (0..rank).map(|i| at(a, i).add(&at(b, i)));
        Ok(Tuple::from_leaves(sums.collect::<cute_algebra::error::Result<Vec<_>>>()?))
    }

    /// The tiled copy, if it is one.
    pub fn tiled(&self) -> Result<Option<TiledCopy>> {
        let Some(parts) = &self.parts else { return Ok(None) };
        let memory = values(&plain(&self.memory))?;
        let layouts = self.made.layouts.clone();
        algebra(TiledCopy::of_boxes(layouts, &memory, &self.values, parts)).map(Some)
    }

    /// The part that each CTA has of all tiles of a tiled copy by a tiler.
    pub fn tiled_partition(&self, tiled: &TiledCopy) -> Result<Vec<Part>> {
        let (Some(tiler), None) = (&self.tiler, &self.mma) else { return Ok(Vec::new()) };
        let tensor = algebra(flat_divide(&self.made.boxes.coordinates, tiler))?;
        let (staged, origin) = (self.stages(), self.made.boxes.origin());
        let parts = (0..self.ctas).map(|cta| {
            let thread = Leaf::fixed(cta);
            let (own, begin) = algebra(tiled.partition(CopySide::Src, &tensor, &thread))?;
            let begin = algebra(self.sum(&origin, &begin))?;
            let memory = algebra(tiled.partition(CopySide::Dst, &staged, &thread))?;
            Ok(Part { pair: None, cta, tensor: (own, begin), memory })
        });
        parts.collect()
    }
}
