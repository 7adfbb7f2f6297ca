//! [`Boxes`]: the units in which a copy engine moves data between a tensor and a tile that lies in
//! a block of memory.
//!
//! The engine takes a coordinate for each mode of a box. The first mode is the one that is
//! contiguous in the tensor, so that its elements are contiguous in the block too. This module must
//! not depend on a particular engine.
//!
//! | file | what |
//! |---|---|
//! | `mod` | [`Boxes`]: the box, and the coordinates by which a tensor finds it |
//! | `modes` | [`BoxMode`]: the modes of the tensor as the engine counts them |
//! | `tiler` | [`BoxTiler`]: how tiles are divided into boxes |

mod modes;
mod tiler;

pub use modes::BoxMode;
pub use tiler::BoxTiler;

use crate::{
    basis::{Basis, Stride},
    dim::{Dim, Width, gcd},
    error::{BoxRule, Error, Result},
    int::Int,
    layout::{Layout, make_identity_layout, make_layout},
    ops::{coalesce, coalesce_up_to, composition, group, recast_layout, right_inverse, size},
    tile::Tiler,
    tuple::{Tuple, TupleRef},
};

/// The limits of a copy engine: what one box may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoxLimits {
    /// The maximum extent of a mode that is made of several modes of the tensor.
    pub extent: i64,
    /// The maximum number of modes of a box.
    pub modes: usize,
}

/// Boxes of a tensor, generic over the leaves of its shape and strides. If parts of the tensor are
/// known at run time only, so are the modes that the engine counts; the box itself is static.
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
#[derive(Debug, Clone)]
pub struct Boxes<I> {
    /// From the modes of a box, the contiguous one first, to those of the tensor.
    pub basis: Layout<Dim>,
    /// From a coordinate of the tensor to the coordinates that the engine takes.
    pub coordinates: Layout<I>,
    /// The modes of the tensor that the engine counts, one for each mode of the box.
    pub modes: Vec<BoxMode<I>>,
}

/// The order of the values of a tile in memory, as computed by [`Boxes::order`].
#[derive(Debug, Clone)]
pub struct BoxOrder {
    /// From the indices of memory to the coordinates of the tile.
    pub inverse: Layout<Dim>,
    /// From the indices of memory to the modes of the tensor.
    pub modes: Layout<Dim>,
}

const WHAT: &str = "boxes";

fn refuse<T>(rule: BoxRule, why: String) -> Result<T> {
    Err(Error::NoBoxes { rule, why })
}

impl<I: Int> Boxes<I> {
    /// The largest boxes for a tile whose layout in memory is `memory`, without its swizzle.
    /// `values` maps the values of the tile, in the order of the coordinates of `memory`, to modes
    /// of the tensor.
    pub fn new(
        tensor: &Layout<I>,
        memory: &Layout<Dim>,
        values: &Layout<Dim>,
        limits: BoxLimits,
    ) -> Result<Self> {
        Self::recast(tensor, memory, values, limits, [1, 1])
    }

    /// [`Boxes::new`] for an engine that counts in elements of another width: `[own, wanted]` bits.
    /// The box and the modes are in elements of the engine, the coordinates take those of the
    /// tensor.
    pub fn recast(
        tensor: &Layout<I>,
        memory: &Layout<Dim>,
        values: &Layout<Dim>,
        limits: BoxLimits,
        [own, wanted]: [i64; 2],
    ) -> Result<Self> {
        let order = Self::order(memory, values)?;
        let neighbours = neighbours(memory, &order.modes)?;
        let along = neighbours.flat().map(|(extent, step)| {
            let stride = leaf_at(tensor, step.basis())?.1.clone();
            Ok((I::from_i64(extent.expect_static()), stride))
        });
        let along = Layout::from_flat(along.collect::<Result<Vec<_>>>()?)?;
        let along = recast_layout(&along, wanted, own)?;
        // Modes that are neighbours in memory and in the tensor become one mode.
        let merged = coalesce_up_to(&along, limits.extent)?.to_dim();
        let shape = merged.shape();
        let shape = if shape.is_leaf() { Tuple::from_modes([shape.clone()]) } else { shape.clone() };
        let tiled = Layout::new(along.to_dim().shape().clone(), neighbours.stride().clone())?;
        let tiled = composition(&tiled, &Tiler::Layout(make_layout(&shape)?))?;
        let counted = recast_layout(tensor, wanted, own)?;
        let basis = whole_tensor(&counted, &tiled, limits.modes)?;
        let modes = modes::of_basis(&counted, &basis)?;
        let coordinates = coordinates([tensor, &counted], &basis, &modes, [own, wanted])?;
        Ok(Self { basis, coordinates, modes })
    }

    /// Computes the order of the values of a tile in memory.
    pub fn order(memory: &Layout<Dim>, values: &Layout<Dim>) -> Result<BoxOrder> {
        for (what, layout) in [("memory", memory), ("values", values)] {
            if !layout.is_static() {
                return refuse(
                    BoxRule::Static,
                    format!("the layout of the {what} must be static, found {layout}"),
                );
            }
        }
        let (own, wanted) = (size(memory)?, size(values)?);
        if own != wanted {
            return refuse(
                BoxRule::SameSize,
                format!("the tile has {} values in memory but {} in the tensor", own.dim(), wanted.dim()),
            );
        }
        let inverse = right_inverse(memory)?;
        let modes = coalesce(&composition(values, &Tiler::Layout(inverse.clone()))?)?;
        Ok(BoxOrder { inverse, modes })
    }

    /// The boxes for an engine that takes rows one by one: each box has one element along mode 1.
    pub fn rows(&self) -> Result<Self> {
        let [first, second] = &self.modes[..] else {
            let why =
                format!("rows can be copied from matrices only: the box {} must have two modes", self.basis);
            return refuse(BoxRule::TwoModes, why);
        };
        let one = make_identity_layout(&Tuple::from_leaves([Dim::fixed(first.boxed), Dim::fixed(1)]))?;
        let basis = composition(&self.basis, &Tiler::Layout(one))?;
        let modes = vec![first.clone(), BoxMode { boxed: 1, ..second.clone() }];
        Ok(Self { basis, modes, coordinates: self.coordinates.clone() })
    }

    /// The coordinates of the first box: zeros.
    pub fn origin(&self) -> Tuple<I> {
        Tuple::from_leaves((0..self.basis.rank()).map(|_| I::from_i64(0)))
    }

    /// The number of elements of a box.
    pub fn elements(&self) -> i64 {
        self.modes.iter().map(|mode| mode.boxed).product()
    }

    /// The extents of the part of a box that each of `ctas` CTAs loads, so that together they load
    /// all of it. A box is cut along its last modes.
    pub fn part(&self, ctas: i64) -> Result<Vec<i64>> {
        let mut extents: Vec<_> = self.modes.iter().map(|mode| mode.boxed).collect();
        let mut left = ctas;
        for (i, extent) in extents.iter_mut().enumerate().rev() {
            if left <= 1 {
                break;
            }
            if *extent % left != 0 && left % *extent != 0 {
                return refuse(
                    BoxRule::Shared,
                    format!(
                        "{left} CTAs do not share mode {i} of the box {} equally: it has {extent} elements; a count that \
                     divides them, or that they divide, would do",
                        self.basis
                    ),
                );
            }
            (*extent, left) = ((*extent - 1) / left + 1, (left - 1) / *extent + 1);
        }
        if left > 1 {
            return refuse(
                BoxRule::Shared,
                format!(
                    "{ctas} CTAs cannot share the {} elements of the box {} equally",
                    self.elements(),
                    self.basis
                ),
            );
        }
        Ok(extents)
    }
}

/// The first modes, up to the first whose step is not a step along a mode of the tensor.
fn neighbours(memory: &Layout<Dim>, modes: &Layout<Dim>) -> Result<Layout<Dim>> {
    let steps = modes.flat().take_while(|(_, stride)| stride.scale().is(1) && stride.den() == 1);
    let steps: Vec<_> = steps.map(|(n, d)| (*n, d.clone())).collect();
    if steps.is_empty() {
        return refuse(
            BoxRule::Neighbours,
            format!(
                "the first elements of the memory layout {memory} must be neighbours along one mode of the tensor, but they step by {modes}"
            ),
        );
    }
    Layout::from_flat(steps)
}

/// The extent and stride of the leaf of a layout that a basis element names.
fn leaf_at<I: Int>(layout: &Layout<I>, basis: Basis) -> Result<(&I, &Stride<I>)> {
    let path = basis.expect_path(WHAT)?;
    match layout.view().get(&path).and_then(|mode| mode.as_leaf()) {
        Some(leaf) => Ok(leaf),
        None => refuse(
            BoxRule::OneMode,
            format!(
                "the values step along 1{basis}, which is not a mode of {} without modes of its own",
                layout.to_dim()
            ),
        ),
    }
}

/// The box with a mode of one element for each other mode of the tensor; the last modes are grouped
/// if there are too many.
fn whole_tensor<I: Int>(tensor: &Layout<I>, tiled: &Layout<Dim>, most: usize) -> Result<Layout<Dim>> {
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
fn steps<I: Int>(tensor: &Layout<I>) -> Result<Vec<(Basis, (&I, &Stride<I>))>> {
    let paths = tensor.shape().view().leaf_paths();
    paths.iter().zip(tensor.flat()).map(|(path, leaf)| Ok((Basis::new(path.indices())?, leaf))).collect()
}

/// Whether a mode has more than one coordinate, and more than one element.
fn moves<I: Int>(extent: &I, stride: &Stride<I>) -> bool {
    !extent.is(1) && !stride.is(0)
}

fn is_unit(stride: &Stride<Dim>, basis: Basis) -> bool {
    stride.basis() == basis && stride.scale().is(1) && stride.den() == 1
}

/// The shape of the tensor, with steps along the modes of the box. The tensor is given in its own
/// elements and in those of the engine.
fn coordinates<I: Int>(
    [tensor, counted]: [&Layout<I>; 2],
    basis: &Layout<Dim>,
    modes: &[BoxMode<I>],
    [own, wanted]: [i64; 2],
) -> Result<Layout<I>> {
    let mut strides = Vec::new();
    for ((unit, (extent, stride)), (_, own_stride)) in steps(counted)?.into_iter().zip(tensor.flat()) {
        let holds = |mode: TupleRef<'_, Stride<Dim>>| mode.leaves().iter().any(|step| is_unit(step, unit));
        let mode = basis.stride().modes().enumerate().find(|(_, mode)| holds(*mode));
        strides.push(match mode.filter(|_| moves(extent, stride)) {
            None => Stride::int(I::from_i64(0)),
            // Mode 0 counts elements of memory.
            Some((0, _)) => {
                let common = gcd(own, wanted);
                let scale = own_stride.scale().mul(&I::from_i64(own / common))?;
                Stride::ratio(scale, wanted / common, Basis::new(&[0])?)?
            }
            Some((j, mode)) => {
                // A single mode is counted in its own steps; several modes are counted in the
                // greatest common divisor of their steps.
                let scale = match mode.leaves() {
                    [_] => I::from_i64(1),
                    _ => {
                        let unit = modes[j].stride.max(&I::from_i64(1))?;
                        stride.scale().div(&unit)?.at_run_time(Width::I32)
                    }
                };
                Stride::scaled(scale, Basis::new(&[j])?)
            }
        });
    }
    let profile = tensor.shape().profile().clone();
    let strides = Tuple::from_profile(profile, strides).expect("one stride for each leaf of the shape");
    Layout::new(tensor.shape().clone(), strides)
}
