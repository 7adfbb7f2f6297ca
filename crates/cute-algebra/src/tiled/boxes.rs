//! [`Boxes`]: what an engine that copies boxes moves at once between a tensor and a tile that lies in a block of memory.
//!
//! The engine takes a coordinate for each mode of a box. The first mode is the one that is contiguous in the tensor, so that its
//! elements are contiguous in the block too. Must not know which engine it is.

use crate::{
    basis::{Basis, Stride},
    composed::LayoutLike,
    coord::{Coord, Crd},
    dim::{Dim, Width},
    error::{Error, Result},
    int::Int,
    layout::Layout,
    ops::{
        coalesce, coalesce_profile, composition, cosize, crd2idx, get, group, logical_divide, right_inverse,
        size, tile_to_shape,
    },
    tile::{Tile, Tiler},
    tuple::{Tuple, TupleRef},
};

/// The limits of a copy engine: what one box may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoxLimits {
    /// Most elements of a box along one mode.
    pub extent: i64,
    /// Most modes of a box.
    pub modes: usize,
}

/// Boxes of a tensor.
///
/// ```
/// use cute_algebra::{BoxLimits, Boxes, parse_layout};
/// let layout = |text| parse_layout(text).unwrap();
/// let limits = BoxLimits { extent: 256, modes: 5 };
/// let tensor = layout("(?,?,?):(?{i64},1,?{i64})");
/// // 16 blocks of 8 rows of 64 elements, for a tile of 128 rows.
/// let memory = layout("((8,16),(64,1)):((64,512),(1,0))");
/// let boxes = Boxes::new(&tensor, &memory, &layout("(128,64):(1@0,1@1)"), limits)?;
/// assert_eq!(boxes.basis.to_string(), "(64,128,1):(1@1,1@0,1@2)");
/// assert_eq!(boxes.coordinates.to_string(), "(?,?,?):(1@1,1@0,1@2)");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Boxes {
    /// From the modes of a box, the contiguous one first, to those of the tensor.
    pub basis: Layout<Dim>,
    /// From a coordinate of the tensor to the coordinates that the engine takes.
    pub coordinates: Layout<Dim>,
}

const WHAT: &str = "boxes";

fn refuse<T>(why: String) -> Result<T> {
    Err(Error::Unsupported { what: WHAT, why })
}

impl Boxes {
    /// The largest boxes for a tile that lies in memory as `memory` says, without its swizzle. `values` maps the values of the tile,
    /// in the order of the coordinates of `memory`, to modes of the tensor.
    pub fn new(
        tensor: &Layout<Dim>,
        memory: &Layout<Dim>,
        values: &Layout<Dim>,
        limits: BoxLimits,
    ) -> Result<Self> {
        for (what, layout) in [("memory", memory), ("values", values)] {
            if !layout.is_static() {
                return refuse(format!("the layout of the {what} must be static, found {layout}"));
            }
        }
        let (own, wanted) = (size(memory)?, size(values)?);
        if own != wanted {
            return refuse(format!(
                "the tile has {} values in memory, {} in the tensor",
                own.dim(),
                wanted.dim()
            ));
        }
        let contiguous = contiguous(memory, values)?;
        let tiled = merged(tensor, &contiguous, limits.extent)?;
        if let Some((i, extent)) = too_wide(&tiled, limits.extent)? {
            return refuse(format!(
                "mode {i} of the box {tiled} has {extent} elements, a box has at most {} per mode",
                limits.extent
            ));
        }
        let basis = whole_tensor(tensor, &tiled, limits.modes)?;
        let coordinates = coordinates(tensor, &basis)?;
        Ok(Self { basis, coordinates })
    }

    /// The coordinates of the first box: zeros.
    pub fn origin(&self) -> Tuple<Dim> {
        Tuple::from_leaves((0..self.basis.rank()).map(|_| Dim::fixed(0)))
    }
}

/// From the indices of memory to the modes of the tensor, as far as each step of a mode is one of the tensor's.
fn contiguous(memory: &Layout<Dim>, values: &Layout<Dim>) -> Result<Layout<Dim>> {
    let in_memory = Tiler::Layout(right_inverse(memory)?);
    let modes = coalesce(&composition(values, &in_memory)?)?;
    let steps = modes.flat().take_while(|(_, stride)| stride.scale().is(1) && !stride.basis().is_none());
    let steps: Vec<_> = steps.map(|(n, d)| (*n, d.clone())).collect();
    if steps.is_empty() {
        return refuse(format!(
            "the first elements of memory {memory} are not neighbours along one mode of the tensor: they step by {modes}"
        ));
    }
    Layout::from_flat(steps)
}

/// Neighbours that are neighbours in the tensor too, as one mode of up to so many elements.
fn merged(tensor: &Layout<Dim>, modes: &Layout<Dim>, most: i64) -> Result<Layout<Dim>> {
    /// A mode of a box.
    struct BoxMode {
        extent: Dim,
        stride: Dim,
        parts: Vec<Layout<Dim>>,
    }
    let mut merged: Vec<BoxMode> = Vec::new();
    for (extent, step) in modes.flat() {
        let part = Layout::scalar(*extent, step.clone())?;
        let stride = *leaf_at(tensor, step.basis())?.1.scale();
        if let Some(last) = merged.last_mut()
            && last.extent.mul(&last.stride)?.as_static().is_some_and(|end| stride.is(end))
            && let grown = last.extent.mul(extent)?
            && grown.as_static().is_some_and(|n| n <= most)
        {
            last.extent = grown;
            last.parts.push(part);
        } else {
            merged.push(BoxMode { extent: *extent, stride, parts: vec![part] });
        }
    }
    Ok(Layout::from_modes(merged.into_iter().map(|BoxMode { mut parts, .. }| {
        if parts.len() == 1 { parts.swap_remove(0) } else { Layout::from_modes(parts) }
    })))
}

/// Extent and stride of the leaf of a layout that a basis element names.
fn leaf_at(layout: &Layout<Dim>, basis: Basis) -> Result<(&Dim, &Stride<Dim>)> {
    let path = basis.expect_path(WHAT)?;
    match layout.view().get(&path).and_then(|mode| mode.as_leaf()) {
        Some(leaf) => Ok(leaf),
        None => refuse(format!(
            "the values step along 1{basis}, which is no mode of {layout} without modes of its own"
        )),
    }
}

/// The box with a mode of one element for each other mode of the tensor; the last modes grouped where they are too many.
fn whole_tensor(tensor: &Layout<Dim>, tiled: &Layout<Dim>, most: usize) -> Result<Layout<Dim>> {
    let mut modes: Vec<_> = tiled.modes().map(|mode| mode.to_owned()).collect();
    for (basis, (extent, stride)) in steps(tensor)? {
        if moves(extent, stride) && !tiled.stride().leaves().iter().any(|step| is_unit(step, basis)) {
            modes.push(Layout::scalar(Dim::fixed(1), Stride::scaled(Dim::fixed(1), basis))?);
        }
    }
    let all = Layout::from_modes(modes);
    if all.rank() < most { Ok(all) } else { group(&all, most - 1, all.rank()) }
}

/// The basis of each leaf of a tensor, with its extent and stride.
#[allow(clippy::type_complexity, reason = "a leaf of a layout, with its name")]
fn steps(tensor: &Layout<Dim>) -> Result<Vec<(Basis, (&Dim, &Stride<Dim>))>> {
    let paths = tensor.shape().view().leaf_paths();
    paths.iter().zip(tensor.flat()).map(|(path, leaf)| Ok((Basis::new(path.indices())?, leaf))).collect()
}

/// Whether a mode has more than one coordinate, and more than one element.
fn moves(extent: &Dim, stride: &Stride<Dim>) -> bool {
    !extent.is(1) && !stride.is(0)
}

fn is_unit(stride: &Stride<Dim>, basis: Basis) -> bool {
    stride.basis() == basis && stride.scale().is(1) && stride.den() == 1
}

/// The shape of the tensor, with steps along the modes of the box.
fn coordinates(tensor: &Layout<Dim>, basis: &Layout<Dim>) -> Result<Layout<Dim>> {
    let mut strides = Vec::new();
    for (unit, (extent, stride)) in steps(tensor)? {
        let holds = |mode: TupleRef<'_, Stride<Dim>>| mode.leaves().iter().any(|step| is_unit(step, unit));
        let mode = basis.stride().modes().position(holds).filter(|_| moves(extent, stride));
        strides.push(match mode {
            None => Stride::int(Dim::fixed(0)),
            Some(j) => Stride::scaled(scale(basis, j, stride)?, Basis::new(&[j])?),
        });
    }
    let profile = tensor.shape().profile().clone();
    let strides = Tuple::from_profile(profile, strides).expect("one stride for each leaf of the shape");
    Layout::new(tensor.shape().clone(), strides)
}

/// How far a step along a mode of the tensor, whose stride is `stride`, goes along mode `j` of the box. The elements of mode 0 are
/// those of memory; another mode alone is counted in its own steps.
fn scale(basis: &Layout<Dim>, j: usize, stride: &Stride<Dim>) -> Result<Dim> {
    Ok(match basis.mode(j)?.flat().len() {
        _ if j == 0 => *stride.scale(),
        1 => Dim::fixed(1),
        // The unit is the greatest common divisor of several strides, which is found where the descriptor is made.
        _ => Dim::dynamic(Width::I32, 1),
    })
}

/// The first mode of the box with more than `most` elements.
fn too_wide(tiled: &Layout<Dim>, most: i64) -> Result<Option<(usize, i64)>> {
    for (i, mode) in tiled.modes().enumerate() {
        if let Some(n) = size(&mode.to_owned())?.as_static().filter(|n| *n > most) {
            return Ok(Some((i, n)));
        }
    }
    Ok(None)
}

/// How tiles are divided into boxes.
///
/// ```
/// use cute_algebra::{BoxTiler, parse_coord, parse_layout};
/// let layout = |text| parse_layout(text).unwrap();
/// let memory = layout("(((128,16),1,(4,2)),3):(((64,1),0,(16,8192)),16384)");
/// let tiler = BoxTiler::new(&memory.mode(0)?, 8192, &parse_coord("0").unwrap(), &layout("1:0"))?;
/// assert_eq!(tiler.partition(&memory)?.0.to_string(), "((8192,2),3):((1,8192),16384)");
/// let tensor = layout("(((128,16),1,8),?):(((1@1,1@0),0,16@0),128@1)");
/// assert_eq!(tiler.partition(&tensor)?.0.to_string(), "(((64,128),2),?):(((1@0,1@1),64@0),128@1)");
/// # Ok::<(), cute_algebra::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct BoxTiler<I> {
    /// From (value of a box, box) to the values of a tile.
    order: Layout<I>,
    /// The value of each box at which a CTA begins.
    begin: I,
}

impl<I: Int> BoxTiler<I> {
    /// Boxes of so many values, for tiles whose mode 0 lies in memory as `tile` says, without its swizzle. Each CTA of those
    /// that `ctas` numbers brings one part of a box to all of them; `cta` is the coordinate of one.
    pub fn new(tile: &Layout<I>, values: i64, cta: &Coord<I>, ctas: &Layout<I>) -> Result<Self> {
        if !tile.is_static() {
            return refuse(format!("a tile must be static, found {tile}"));
        }
        let parts = cosize(ctas)?;
        let number = crd2idx(cta, ctas)?;
        let (Some(parts), Some(number)) = (parts.as_static(), number.as_leaf()) else {
            return refuse(format!("CTAs must be numbered by static integers, found {ctas}"));
        };
        if parts < 1 || values % parts != 0 {
            return refuse(format!("{parts} CTAs do not share a box of {values} elements equally"));
        }
        let all = size(tile)?;
        let from_memory = Layout::from_modes([right_inverse(tile)?]);
        let order = tile_to_shape(&from_memory, Tuple::leaf(all).view(), None)?;
        let one = Tiler::Layout(Layout::identity(I::from_i64(values))?);
        let order = logical_divide(&order, &one)?;
        Ok(Self { order, begin: number.mul(&I::from_i64(values / parts))? })
    }

    /// `((box,boxes),rest..)` of a tile `(tile,rest..)`, and where the part of the CTA begins.
    pub fn partition<L: LayoutLike<Leaf = I>>(&self, tile: &L) -> Result<(L, Tuple<I>)> {
        let rest = tile.outer().rank().saturating_sub(1);
        let modes = std::iter::once(Tile::Layout(self.order.clone()));
        let modes = modes.chain(std::iter::repeat_n(Tile::Underscore, rest)).collect();
        let ordered = composition(tile, &Tile::Modes(modes).into())?;
        let leaf = || Tuple::leaf(());
        let profile = Tuple::from_modes([Tuple::from_modes([leaf(), leaf()])]);
        let ordered = coalesce_profile(&ordered, profile.view())?;
        let begin = match self.begin.is(0) {
            true => Tuple::leaf(I::from_i64(0)),
            false => {
                let at = Tuple::leaf(Crd::Int(self.begin.clone()));
                crd2idx(&at, &get(&get(ordered.outer(), &[0])?, &[0])?)?
            }
        };
        Ok((ordered, begin))
    }
}
