//! Conversions between placements and layouts: a shard is a layout with named strides whose modes
//! are in reverse order.

use super::{
    Iter, Placement, StorageSwizzle,
    error::{PlacementError, Result},
    point::Point,
};
use cute_algebra::{
    axis::Axis,
    basis::{Basis, Stride},
    composed::{ComposedLayout, Inner},
    layout::Layout,
    swizzle::Swizzle,
    tuple::Tuple,
};

impl Placement {
    /// The placement of a layout's leaves: an integer stride steps along `m`, a named one along its
    /// axis. The leaves are reversed, because the first mode of a layout is the fastest.
    ///
    /// ```
    /// use cute_algebra::parse_layout;
    /// use cute_placement::Placement;
    /// let layout = parse_layout("((2,4),8):((1,1@laneid),4@laneid)")?.to_const().expect("a static layout");
    /// let placement = Placement::from_layout(&layout)?;
    /// assert_eq!(placement.to_string(), "S[(8, 4, 2) : (4@laneid, 1@laneid, 1@m)]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails on positions in a coordinate, which do not name an axis, and on ratios.
    pub fn from_layout(layout: &Layout<i64>) -> Result<Self> {
        let iter = |(extent, stride): (&i64, &Stride<i64>)| {
            let basis = stride.basis();
            let axis = if basis.is_none() { Some(Axis::M) } else { basis.axis() };
            match axis.filter(|_| stride.den() == 1) {
                Some(axis) => Ok(Iter::new(*extent, *stride.scale(), axis)),
                None => PlacementError::Refused {
                    op: "from_layout",
                    why: format!("stride {stride} is neither an integer nor a stride along a named axis"),
                }
                .fail(),
            }
        };
        let mut shard = layout.flat().map(iter).collect::<Result<Vec<_>>>()?;
        shard.reverse();
        Self::new(shard, Vec::new(), Point::default())
    }

    /// The placement of tensors whose dimensions are the modes of `layout`, so that both take the
    /// same coordinates. It is the inverse of [`to_layout_of`](Self::to_layout_of). Within each
    /// dimension the leaves are reversed.
    ///
    /// ```
    /// use cute_algebra::parse_layout;
    /// use cute_placement::Placement;
    /// let layout = parse_layout("(8,(2,4)):(4@laneid,(1,1@laneid))")?.to_const().expect("a static layout");
    /// let tile = Placement::from_layout_of(&layout)?;
    /// assert_eq!(tile.to_string(), "S[(8, 4, 2) : (4@laneid, 1@laneid, 1@m)]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_layout_of(layout: &Layout<i64>) -> Result<Self> {
        let mut modes: Vec<_> = layout.modes().map(|mode| mode.to_owned()).collect();
        modes.reverse();
        Self::from_layout(&Layout::from_modes(modes))
    }

    /// The shard as a layout: one mode per iter, the last iter first. Its strides are integers if
    /// the whole shard lies along `m`; otherwise they are named.
    ///
    /// Replica and offset are dropped, because a layout cannot represent them. Fails behind a
    /// swizzle.
    pub fn to_layout(&self) -> Result<Layout<i64>> {
        self.modes("to_layout", &self.shard)
    }

    /// The shard as a layout of tensors of this shape: mode `i` is dimension `i`, so that both take
    /// the same coordinates. Within each mode the last iter comes first.
    ///
    /// ```
    /// use cute_placement::Placement;
    /// let tile: Placement = "S[(8,2,4,2) : (4@laneid,1@warpid,1@laneid,1)]".parse()?;
    /// assert_eq!(tile.to_layout_of(&[8, 16])?.to_string(), "(8,(2,4,2)):(4@laneid,(1@m,1@laneid,1@warpid))");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails if the shard cannot be [grouped](Self::group) by the shape, and behind a swizzle.
    pub fn to_layout_of(&self, shape: &[i64]) -> Result<Layout<i64>> {
        let blocks = self.blocks("to_layout_of", shape)?;
        let modes = blocks.iter().map(|block| self.modes("to_layout_of", block));
        Ok(Layout::from_modes(modes.collect::<Result<Vec<_>>>()?))
    }

    /// A placement along `m` alone as a composed layout of tensors of this shape: the swizzle, the
    /// offset, and the [`to_layout_of`](Self::to_layout_of) of the tile behind them. Without a
    /// swizzle, the inner function is the identity swizzle.
    ///
    /// ```
    /// use cute_placement::Placement;
    /// let tile: Placement = "Swizzle(M=3, B=3, S=3) o S[(8,64)] + 128".parse()?;
    /// assert_eq!(tile.to_composed_of(&[8, 64])?.to_string(), "S<3,3,3> o 128 o (8,64):(64,1)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails on copies and on other axes.
    pub fn to_composed_of(&self, shape: &[i64]) -> Result<ComposedLayout<i64>> {
        let op = "to_composed_of";
        if let Some(axis) = self.axes().into_iter().find(|axis| *axis != Axis::M) {
            let why = format!("{self} lies along {axis}, but a composed layout lies along m alone");
            return PlacementError::Refused { op, why }.fail();
        }
        if !self.replica.is_empty() {
            let why = format!("{self} has copies, which a composed layout cannot represent");
            return PlacementError::Refused { op, why }.fail();
        }
        let swizzle = self.swizzle.map_or(Ok(Swizzle::IDENTITY), StorageSwizzle::to_swizzle)?;
        let layout = Self { swizzle: None, ..self.clone() }.to_layout_of(shape)?;
        Ok(ComposedLayout::new(Inner::Swizzle(swizzle), Tuple::leaf(self.offset.get(Axis::M)), layout))
    }

    /// These iters as modes; a single one as a leaf.
    fn modes(&self, op: &'static str, iters: &[Iter]) -> Result<Layout<i64>> {
        if let Some(swizzle) = self.swizzle {
            let why = format!("{swizzle} cannot be expressed as strides: convert the tile after it instead");
            return PlacementError::Refused { op, why }.fail();
        }
        let linear = self.shard.iter().all(|iter| iter.axis == Axis::M);
        let basis = |axis| if linear { Basis::NONE } else { Basis::named(axis) };
        let modes: Vec<_> = iters.iter().rev().collect();
        let leaves = modes.iter().map(|iter| (iter.extent, Stride::scaled(iter.stride, basis(iter.axis))));
        flat(leaves)
    }
}

/// The layout of these leaves; a single one is a scalar layout.
pub(crate) fn flat(leaves: impl IntoIterator<Item = (i64, Stride<i64>)>) -> Result<Layout<i64>> {
    let leaves = leaves.into_iter().map(|(extent, stride)| Ok(Layout::scalar(extent, stride)?));
    let mut leaves: Vec<_> = leaves.collect::<Result<_>>()?;
    if leaves.len() == 1 {
        return Ok(leaves.swap_remove(0));
    }
    Ok(Layout::from_modes(leaves))
}
