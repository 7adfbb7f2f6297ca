//! [`BoxCopy`]: a copy of boxes by the TMA. CuTe's `make_tma_atom` makes it from a tensor, a tile
//! in shared memory and the tile's values.

use cute_algebra::{
    AnyLayout, BoxOrder, Boxes, CopyLayouts, Dim, Inner, Int, Layout, LayoutLike, Swizzle,
    error::{BoxRule, Error},
};

use super::{BOX_LIMITS, MapElement, MapPlan, MapSwizzle};
use crate::atoms::{BulkAtom, BulkMode};

/// The inputs of a [`BoxCopy`].
#[derive(Debug, Clone, Copy)]
pub struct BoxRequest<'a, I> {
    /// The instruction that moves the boxes.
    pub atom: &'static BulkAtom,
    /// The layout of the tensor in global memory.
    pub tensor: &'a Layout<I>,
    /// The layout of the tile in shared memory; its swizzle moves addresses in bytes.
    pub memory: &'a AnyLayout<Dim>,
    /// Maps the values of the tile to the modes of the tensor.
    pub values: &'a Layout<Dim>,
    /// Bits of an element of the layouts.
    pub value_bits: i64,
    /// The element type for the TMA: its bits, and its name in maps if it has one.
    pub element: (i64, Option<MapElement>),
    /// The number of CTAs that share a box.
    pub ctas: i64,
}

/// A copy of boxes.
#[derive(Debug, Clone)]
pub struct BoxCopy<I> {
    /// The order of the tile's values in memory.
    pub order: BoxOrder,
    /// The largest boxes. The same as `boxes`, except for gathers and scatters, whose `boxes` have
    /// one row.
    pub found: Boxes<I>,
    /// The boxes that are copied: one per instruction, or four rows per gather or scatter.
    pub boxes: Boxes<I>,
    /// The tensor map, whose numbers may be known at run time alone.
    pub plan: MapPlan<I>,
    /// The swizzle of addresses.
    pub swizzle: Swizzle,
    /// Bits of an instruction.
    pub bits: i64,
    /// The threads that wait for the instruction, and their values.
    pub layouts: CopyLayouts,
}

/// The reason why a request has no copy of boxes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoBoxCopy {
    /// No boxes, or arithmetic without a result.
    #[error(transparent)]
    Algebra(#[from] Error),
    /// The TMA does not support the elements.
    #[error(
        "maps have no name for these elements of {0} bits; another type of as many bits copies the same bytes"
    )]
    Format(i64),
    /// The TMA does not have the swizzle.
    #[error("{rule}, not by {0}", rule = MapSwizzle::RULE)]
    Swizzle(Swizzle),
    /// Addresses are found by another layout.
    #[error("the TMA applies a swizzle, but cannot compute addresses by another layout: {0}")]
    Inner(String),
}

/// A layout in shared memory without its swizzle, and the swizzle.
pub fn unswizzled(memory: &AnyLayout<Dim>) -> Result<(&Layout<Dim>, Swizzle), NoBoxCopy> {
    match memory.as_composed().map(|layout| layout.inner()) {
        Some(Inner::Layout(_)) => Err(NoBoxCopy::Inner(memory.to_string())),
        Some(Inner::Swizzle(swizzle)) => Ok((memory.outer(), *swizzle)),
        None => Ok((memory.outer(), Swizzle::IDENTITY)),
    }
}

impl<I: Int> BoxCopy<I> {
    /// The copy with the largest boxes.
    ///
    /// # Errors
    /// Returns an error for requests that no run-time numbers can satisfy. [`MapPlan::check`]
    /// checks the driver's rules.
    pub fn new(request: &BoxRequest<'_, I>) -> Result<Self, NoBoxCopy> {
        let (memory, swizzle) = unswizzled(request.memory)?;
        let (bits, element) = request.element;
        let order = Boxes::<I>::order(memory, request.values)?;
        let found =
            Boxes::recast(request.tensor, memory, request.values, BOX_LIMITS, [request.value_bits, bits])?;
        let by_rows = request.atom.instruction.mode == BulkMode::Rows4;
        let (boxes, calls) = if by_rows { (found.rows()?, 4) } else { (found.clone(), 1) };
        let element = element.ok_or(NoBoxCopy::Format(bits))?;
        let of_map = MapSwizzle::of(swizzle).ok_or(NoBoxCopy::Swizzle(swizzle))?;
        let plan = MapPlan::new(&boxes, element, of_map, request.ctas)?;
        let bits = boxes.elements().saturating_mul(calls).saturating_mul(bits);
        let layouts = request.atom.layouts(bits, request.value_bits)?;
        Ok(Self { order, found, boxes, plan, swizzle, bits, layouts })
    }
}

impl NoBoxCopy {
    /// The name of the rule for programs, as [`Broken::name`](super::Broken) names others.
    pub fn rule_name(&self) -> &'static str {
        match self {
            Self::Algebra(Error::NoBoxes { rule, .. }) => match rule {
                BoxRule::Static => "v_map_not_static",
                BoxRule::SameSize => "size_mismatch",
                BoxRule::Neighbours | BoxRule::OneMode => "no_common_vector",
                BoxRule::TwoModes => "gather_needs_rank_2",
                BoxRule::Shared => "multicast_not_dividing",
            },
            Self::Algebra(_) => "algebra",
            Self::Format(_) => "no_tma_format",
            Self::Swizzle(_) | Self::Inner(_) => "swizzle_unsupported",
        }
    }
}
