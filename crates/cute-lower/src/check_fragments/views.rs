//! The origin of the views of a copy or a gemm: what they are slices of, the memory that they lie
//! in, and the `local_tile` that they were cut by.

use cute_algebra::{
    self as algebra, Coord, CopyLayouts, Crd, Dim, LayoutLike, MmaOperand, TiledCopy, TiledMma, Tuple,
};
use cute_dialect::{ops::OpKind, types::value_of, value::Value as Cute};
use cute_ffi::ir::{self, op_name};
use melior::ir::{
    Value,
    attribute::IntegerAttribute,
    operation::{OperationLike, OperationRef},
};
use rustc_hash::FxHashMap;

/// The op that defines a value, if it is of this kind.
pub(super) fn maker<'c>(value: Value<'c, 'c>, kind: OpKind) -> Option<OperationRef<'c, 'c>> {
    ir::definer(value).filter(|op| op_name(*op) == kind.name())
}

/// Operand `i` of an op, if there is one.
pub(crate) fn operand<'c>(op: OperationRef<'c, 'c>, i: usize) -> Option<Value<'c, 'c>> {
    ir::operands(op).get(i).copied()
}

/// The view that a value is a slice of.
pub(super) fn whole<'c>(mut value: Value<'c, 'c>) -> Value<'c, 'c> {
    while let Some(from) = maker(value, OpKind::Slice).and_then(|op| operand(op, 0)) {
        value = from;
    }
    value
}

/// The first two operands of the op of a kind that defines a value, possibly through a slice.
pub(super) fn made_by<'c>(value: Value<'c, 'c>, kind: OpKind) -> Option<[Value<'c, 'c>; 2]> {
    ir::operands(maker(whole(value), kind)?).first_chunk().copied()
}

/// The matrix of an op that names one.
pub(super) fn matrix(op: OperationRef<'_, '_>) -> Option<MmaOperand> {
    let id = op.attribute("operand_id").ok()?;
    let id = usize::try_from(IntegerAttribute::try_from(id).ok()?.value()).ok()?;
    MmaOperand::ALL.get(id).copied()
}

pub(super) fn tiled_copy(value: Value<'_, '_>) -> Option<TiledCopy> {
    match value_of(ir::type_of(value)).as_ref() {
        Cute::TiledCopy(tiled) => tiled.tiling().ok(),
        _ => None,
    }
}

pub(super) fn tiled_mma(value: Value<'_, '_>) -> Option<TiledMma> {
    match value_of(ir::type_of(value)).as_ref() {
        Cute::TiledMma(tiled) => tiled.tiling().ok(),
        _ => None,
    }
}

pub(super) fn copy_layouts(value: Value<'_, '_>) -> Option<CopyLayouts> {
    match value_of(ir::type_of(value)).as_ref() {
        Cute::TiledCopy(tiled) => tiled.atom.layouts().ok(),
        Cute::CopyAtom(atom) => atom.layouts().ok(),
        _ => None,
    }
}

/// The static shape of a view.
pub(super) fn shape(view: Value<'_, '_>) -> Option<Tuple<i64>> {
    let layout = value_of(ir::type_of(view)).layout()?;
    layout.outer().shape().try_map(|d: &Dim| d.as_static().ok_or(())).ok()
}

/// The extents of the first two modes of a view.
pub(super) fn extents(view: Value<'_, '_>) -> Option<[i64; 2]> {
    let layout = value_of(ir::type_of(view)).layout()?;
    let modes = layout.outer().shape().modes().take(2);
    let sizes: Vec<i64> = modes.map(|m| algebra::product(m).ok()?.as_static()).collect::<Option<_>>()?;
    sizes.try_into().ok()
}

/// The memory that a view covers, if the view includes all of it.
fn memory<'c>(mut view: Value<'c, 'c>) -> Option<Value<'c, 'c>> {
    loop {
        let op = ir::definer(view)?;
        match OpKind::from_name(op_name(op))? {
            OpKind::MemRefAllocSmem | OpKind::MemRefAlloca => return Some(view),
            OpKind::MakeView | OpKind::GetIter | OpKind::Composition => view = operand(op, 0)?,
            _ => return None,
        }
    }
}

/// The offsets of the elements of a view's tile (first and second mode), column-major.
fn offsets(view: Value<'_, '_>) -> Option<Vec<i64>> {
    let Cute::MemRef(memref) = value_of(ir::type_of(view)).into_owned() else { return None };
    let layout = memref.layout;
    let rank = layout.outer().rank();
    let [rows, columns] = extents(view)?;
    let at = |i: i64, j: i64| {
        let leaf = |n| Tuple::leaf(Crd::Int(Dim::fixed(n)));
        let coord = Tuple::from_modes([leaf(i), leaf(j)].into_iter().chain((2..rank).map(|_| leaf(0))));
        algebra::crd2idx(&coord, &layout).ok()?.as_leaf()?.as_static()
    };
    (0..columns).flat_map(|j| (0..rows).map(move |i| (i, j))).map(|(i, j)| at(i, j)).collect()
}

/// The position in another view of the same memory for each position of `tile`.
pub(super) fn seen_in<'c>(tile: Value<'c, 'c>, other: Value<'c, 'c>) -> Option<Vec<i64>> {
    if ir::identity(memory(tile)?) != ir::identity(memory(other)?) {
        return None;
    }
    let (here, there) = (offsets(tile)?, offsets(other)?);
    let positions: FxHashMap<i64, i64> = there.into_iter().zip(0..).collect();
    here.iter().map(|offset| positions.get(offset).copied()).collect()
}

/// A tile of a tensor of global memory, given by a tiler and a coordinate of three modes, two of
/// which are kept.
pub(super) struct Tile<'c> {
    pub(super) op: OperationRef<'c, 'c>,
    /// The modes of the tiler that are the tile's.
    pub(super) kept: [usize; 2],
    /// Tiler and coordinate.
    by: [Value<'c, 'c>; 2],
}

impl<'c> Tile<'c> {
    /// The tile that an op makes, if it is such an op.
    pub(super) fn of(op: OperationRef<'c, 'c>) -> Option<Self> {
        let projection = op.attribute("proj").ok()?;
        let projection = ir::coord_attribute_type(projection)?;
        let Cute::Coord(projection) = value_of(projection).into_owned() else { return None };
        let kept = kept(&projection).try_into().ok()?;
        let by = [operand(op, 1)?, operand(op, 2)?];
        (op_name(op) == OpKind::LocalTile.name()).then_some(Self { op, kept, by })
    }

    /// The coordinate.
    pub(super) fn at(&self) -> Value<'c, 'c> {
        self.by[1]
    }

    /// Whether both are cut by the same tiler at the same coordinate.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        self.by.iter().zip(&other.by).all(|(x, y)| same(*x, *y))
    }
}

/// Whether two values are computed in the same way from the same values.
pub(crate) fn same<'c>(x: Value<'c, 'c>, y: Value<'c, 'c>) -> bool {
    if ir::identity(x) == ir::identity(y) {
        return true;
    }
    let (Some(a), Some(b)) = (ir::definer(x), ir::definer(y)) else { return false };
    let (of_a, of_b) = (ir::operands(a), ir::operands(b));
    OpKind::from_name(op_name(a)).is_some()
        && op_name(a) == op_name(b)
        && ir::type_of(x) == ir::type_of(y)
        && ir::attribute_dictionary(a) == ir::attribute_dictionary(b)
        && of_a.len() == of_b.len()
        && of_a.into_iter().zip(of_b).all(|(x, y)| same(x, y))
}

/// The modes that a projection of three modes keeps.
fn kept(projection: &Coord<Dim>) -> Vec<usize> {
    let modes: Vec<_> = projection.modes().collect();
    let kept = modes.iter().enumerate().filter(|(_, m)| !matches!(m.as_leaf(), Some(Crd::Underscore)));
    if modes.len() == 3 { kept.map(|(i, _)| i).collect() } else { Vec::new() }
}
