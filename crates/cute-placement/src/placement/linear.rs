//! Conversions between placements and linear layouts: maps from the bits of coordinates to places
//! on axes.

use super::{
    Iter, Placement, StorageSwizzle,
    error::{PlacementError, Result},
    flat,
};
use cute_algebra::{
    axis::Axis,
    basis::{Basis, Stride},
    composed::{AnyLayout, ComposedLayout, LayoutLike},
    layout::Layout,
    linear::LinearLayout,
};

/// The name of the input that counts copies.
const REPLICA: &str = "replica";

impl Placement {
    /// The placement of tensors of this shape as a map of bits: from `dim0`, `dim1`, .. and, where
    /// there are copies, `replica`, to its axes by name.
    ///
    /// **Theorem.** It is linear if and only if all extents are powers of two, there is no offset,
    /// and no two bits step along one axis by distances that share a bit. A swizzle does not
    /// matter, because it is itself linear.
    ///
    /// ```
    /// use cute_placement::Placement;
    /// let tile: Placement = "S[(8,4,2) : (4@laneid,1@laneid,1)] + R[2 : 1@warpid]".parse()?;
    /// assert_eq!(
    ///     tile.to_linear(&[8, 8])?.to_string(),
    ///     "{dim0 = [[4, 0, 0], [8, 0, 0], [16, 0, 0]], dim1 = [[0, 1, 0], [1, 0, 0], [2, 0, 0]], replica = [[0, 0, 1]]} \
    ///      -> (laneid = 32, m = 2, warpid = 2)"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_linear(&self, shape: &[i64]) -> Result<LinearLayout> {
        let op = "to_linear";
        if let Some((axis, at)) = self.offset.iter().find(|(_, at)| *at != 0) {
            let why = format!("a linear map sends 0 to 0, but {self} sends 0 to {at} along {axis}");
            return PlacementError::Refused { op, why }.fail();
        }
        let mut blocks = self.blocks(op, shape)?;
        let mut names: Vec<String> = (0..shape.len()).map(|i| format!("dim{i}")).collect();
        if !self.replica.is_empty() {
            blocks.push(self.replica.clone());
            names.push(REPLICA.to_string());
        }
        // Behind a swizzle everything lies along `m`, and only integers can be swizzled.
        let basis = |axis| if self.swizzle.is_some() { Basis::NONE } else { Basis::named(axis) };
        let mode = |block: &Vec<Iter>| {
            flat(block.iter().rev().map(|iter| (iter.extent, Stride::scaled(iter.stride, basis(iter.axis)))))
        };
        let layout = Layout::from_modes(blocks.iter().map(mode).collect::<Result<Vec<_>>>()?);
        let layout = match self.swizzle {
            Some(swizzle) => AnyLayout::Composed(ComposedLayout::swizzled(swizzle.to_swizzle()?, layout)),
            None => AnyLayout::Plain(layout),
        };
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Ok(LinearLayout::from_layout(&layout, &names, Axis::M.name())?)
    }

    /// The placement of which this map is the [`to_linear`](Self::to_linear): its outputs are axes,
    /// its inputs are the dimensions in order, and the input `replica` counts copies. Where bits
    /// share a distance bit along `m` alone, the placement is behind a swizzle.
    ///
    /// ```
    /// use cute_algebra::LinearLayout;
    /// use cute_placement::Placement;
    /// let tile: LinearLayout = "{dim0 = [[4, 0], [8, 0]], dim1 = [[0, 1], [1, 0], [2, 0]]} -> (laneid = 16, m = 2)".parse()?;
    /// assert_eq!(Placement::from_linear(&tile)?.to_string(), "S[(16, 2) : (1@laneid, 1@m)]");
    /// let rows: LinearLayout = "{dim0 = [[4], [10]], dim1 = [[1], [2]]} -> (m = 16)".parse()?;
    /// assert_eq!(
    ///     Placement::from_linear(&rows)?.to_string(),
    ///     "Swizzle(M=1, B=1, S=2, inner=true) o S[(16) : (1@m)]"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails where one bit steps along two axes, or two by distances that share a bit.
    pub fn from_linear(linear: &LinearLayout) -> Result<Self> {
        let axes = linear.outputs().iter().map(|d| Ok(Axis::new(&d.name)?)).collect::<Result<Vec<_>>>()?;
        let swizzled = match axes.as_slice() {
            [axis] if *axis == Axis::M => Some(linear.to_layout()?),
            _ => None,
        };
        let (mut shard, mut replica) = (Vec::new(), Vec::new());
        let modes =
            swizzled.as_ref().map(|layout| layout.outer().modes().map(|m| m.to_owned()).collect::<Vec<_>>());
        let mut taken = vec![0i64; axes.len()];
        for (i, input) in linear.inputs().iter().enumerate() {
            let mut iters = Vec::new();
            match modes.as_ref().and_then(|modes| modes.get(i)) {
                Some(mode) => {
                    for (extent, stride) in mode.flat() {
                        iters.push(Iter::new(*extent, *stride.scale(), Axis::M));
                    }
                }
                None => {
                    for image in linear.images_of(&input.name)? {
                        iters.push(step(linear, *image, &axes, &mut taken)?);
                    }
                }
            }
            iters.reverse();
            if input.name == REPLICA { replica.extend(iters) } else { shard.extend(iters) }
        }
        let placement = Self::new(shard, replica, Default::default())?.simplified();
        match swizzled.as_ref().and_then(|layout| layout.as_composed()?.swizzle()) {
            Some(s) => {
                let (len, shift) = (s.bits().into(), i64::from(s.shift()));
                placement.swizzled(StorageSwizzle::new(s.base().into(), len, shift.abs(), shift >= 0)?)
            }
            None => Ok(placement),
        }
    }
}

/// The step of a bit whose image is `image`, given the bits `taken` by other bits along each axis.
fn step(linear: &LinearLayout, image: u64, axes: &[Axis], taken: &mut [i64]) -> Result<Iter> {
    let op = "from_linear";
    let mut found = None;
    let mut rest = image;
    for ((axis, d), taken) in axes.iter().zip(linear.outputs()).zip(taken) {
        let at = (rest & ((1u64 << d.bits) - 1)).cast_signed();
        rest >>= d.bits;
        if at == 0 {
            continue;
        }
        if let Some(Iter { axis: other, .. }) = found {
            let why = format!("one bit steps along both {other} and {axis}, which no iter can do");
            return PlacementError::Refused { op, why }.fail();
        }
        if *taken & at != 0 {
            let why = format!(
                "two bits step along {axis} by distances that share a bit, such as {at}, so adding them carries, where XOR does not"
            );
            return PlacementError::Refused { op, why }.fail();
        }
        *taken |= at;
        found = Some(Iter::new(2, at, *axis));
    }
    // The bit has no effect.
    let nowhere = axes.first().copied().unwrap_or(Axis::M);
    Ok(found.unwrap_or_else(|| Iter::new(2, 0, nowhere)))
}
