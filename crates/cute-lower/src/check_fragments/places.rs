//! The memory that views, pointers and descriptors name, as far as static offsets tell: an interval
//! of bits behind a value that nothing is known about.

use cute_algebra::{AnyLayout, Dim, LayoutLike, Sliceable, Tuple};
use cute_dialect::{
    ops::OpKind,
    types::value_of,
    value::{MemRef, Space, Value as Cute},
};
use cute_ffi::ir::{self, op_name};
use melior::ir::Value;

use super::views::{maker, operand};

/// The bits between lanes of tensor memory: an address has the column in its lower half.
const LANE: i64 = 32 << 16;

/// The base of what `arch.get_dyn_smem` returns, which is one address wherever it is called.
const DYNAMIC: usize = usize::MAX;

/// Bits behind a base. In tensor memory these are columns, whichever the lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    base: usize,
    pub(super) from: i64,
    to: i64,
}

impl Place {
    /// The memory that a view covers, all of it where an offset is dynamic; `None` if it cannot be
    /// followed.
    pub(super) fn of<'c>(value: Value<'c, 'c>) -> Option<Self> {
        let start = Start::of(value)?;
        let extent = start.extent?;
        Some(Self { base: start.base, from: start.from, to: start.from.checked_add(extent)? })
    }

    /// The byte that a pointer points at.
    pub(super) fn at(start: Start) -> Self {
        Self { base: start.base, from: start.from, to: start.from.saturating_add(8) }
    }

    /// Whether both have the same base, and no memory in common.
    pub(super) fn is_beside(&self, other: &Self) -> bool {
        self.base == other.base && !self.meets(other)
    }

    /// Whether both have memory in common.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.base == other.base && self.from < other.to && other.from < self.to
    }
}

/// Where a pointer or a view begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) base: usize,
    pub(super) from: i64,
    /// The bits of the largest view whose offset is known.
    extent: Option<i64>,
}

impl Start {
    /// Follows a value to its base. Offsets that depend on run-time values are left out, with what
    /// lies behind them.
    pub(super) fn of<'c>(mut value: Value<'c, 'c>) -> Option<Self> {
        use OpKind as K;
        let (mut from, mut extent, mut lanes) = (0i64, None, false);
        let base = loop {
            let own = value_of(ir::type_of(value)).into_owned();
            if let Cute::MemRef(view) = &own {
                lanes = view.iter.space == Space::Tmem;
                extent = extent.or_else(|| bits_of(view));
            }
            let Some(op) = ir::definer(value) else { break ir::identity(value) };
            let first = operand(op, 0);
            let (next, offset) = match OpKind::from_name(op_name(op)) {
                Some(K::GetDynSmem) => break DYNAMIC,
                Some(K::Slice) => (first?, offset_of_slice(first?, operand(op, 1)?)),
                Some(K::AddOffset) => {
                    let Cute::Ptr(pointer) = own else { return None };
                    (first?, Some(static_bits(operand(op, 1)?, pointer.bits())?))
                }
                Some(K::GetIter | K::RecastIter | K::MakeView | K::GroupModes | K::Derefine) => {
                    (first?, Some(0))
                }
                Some(K::FilterZeros | K::Coalesce | K::Composition | K::LocalTile) => (first?, None),
                Some(
                    K::TiledCopyPartitionS
                    | K::TiledCopyPartitionD
                    | K::TiledCopyRetile
                    | K::TiledMmaPartition
                    | K::GetCopyS2tSmemDescView,
                ) => (operand(op, 1)?, None),
                Some(K::MmaMakeFragment) if matches!(own, Cute::SmemDescView(_)) => (operand(op, 1)?, None),
                Some(K::TmaPartition) => {
                    let memory = ir::result(op, 0).map(ir::identity) == Some(ir::identity(value));
                    (operand(op, if memory { 3 } else { 4 })?, None)
                }
                _ => break ir::identity(value),
            };
            match offset {
                Some(offset) => from = from.checked_add(offset)?,
                None => (from, extent) = (0, None),
            }
            value = next;
        };
        let from = if lanes { from.rem_euclid(LANE) } else { from };
        Some(Self { base, from, extent })
    }
}

/// The bits that a view reaches; of tensor memory, those in a lane.
fn bits_of(view: &MemRef<'_, Dim>) -> Option<i64> {
    let (layout, bits) = (view.layout.outer().to_const()?, i64::from(view.iter.bits()?));
    let mut end = 1i64;
    for (extent, stride) in layout.flat() {
        let step = stride.scale().checked_mul(bits)?;
        if view.iter.space != Space::Tmem || step % LANE != 0 {
            end = end.checked_add((extent - 1).checked_mul(stride.scale().abs())?)?;
        }
    }
    end.checked_mul(bits)
}

fn offset_of_slice<'c>(whole: Value<'c, 'c>, at: Value<'c, 'c>) -> Option<i64> {
    let (whole, at) = (value_of(ir::type_of(whole)).into_owned(), value_of(ir::type_of(at)).into_owned());
    let (Cute::MemRef(view), Cute::Coord(at)) = (whole, at) else { return None };
    let AnyLayout::Plain(layout) = &view.layout else { return None };
    let (_, offset) = layout.slice_and_offset(&at).ok()?;
    in_bits(&offset, view.iter.bits())
}

fn static_bits(offset: Value<'_, '_>, elem: Option<u32>) -> Option<i64> {
    let Cute::IntTuple(offset) = value_of(ir::type_of(offset)).into_owned() else { return None };
    in_bits(&offset, elem)
}

fn in_bits(offset: &Tuple<Dim>, elem: Option<u32>) -> Option<i64> {
    match offset.as_leaf()?.as_static()? {
        0 => Some(0),
        offset => offset.checked_mul(elem?.into()),
    }
}

/// Whether a view is of global memory, or of the coordinates that stand for it.
pub(super) fn is_global(value: Value<'_, '_>) -> bool {
    match value_of(ir::type_of(value)).as_ref() {
        Cute::MemRef(view) => view.iter.space == Space::Gmem,
        Cute::CoordTensor(_) => true,
        _ => false,
    }
}

/// Whether a value is a view of memory, not a pointer.
pub(super) fn is_view(value: Value<'_, '_>) -> bool {
    matches!(value_of(ir::type_of(value)).as_ref(), Cute::MemRef(_))
}

/// The views that a view is a part of, from itself on.
pub(super) fn chain<'c>(view: Value<'c, 'c>) -> Vec<Value<'c, 'c>> {
    use OpKind as K;
    let mut all = vec![view];
    while let Some(last) = all.last().copied()
        && let Some(op) = ir::definer(last)
        && let Some(kind) = OpKind::from_name(op_name(op))
    {
        let from = match kind {
            K::Slice
            | K::GroupModes
            | K::MakeView
            | K::GetIter
            | K::RecastIter
            | K::Derefine
            | K::FilterZeros
            | K::Coalesce
            | K::Composition
            | K::LocalTile
            | K::LocalPartition
            | K::AddOffset => 0,
            K::TiledCopyPartitionS
            | K::TiledCopyPartitionD
            | K::TiledCopyRetile
            | K::TiledMmaPartition
            | K::GetCopyS2tSmemDescView => 1,
            K::MmaMakeFragment if maker(last, kind).is_some_and(makes_descriptors) => 1,
            K::TmaPartition => {
                let memory = ir::result(op, 0).map(ir::identity) == Some(ir::identity(last));
                if memory { 3 } else { 4 }
            }
            _ => break,
        };
        let Some(next) = operand(op, from) else { break };
        all.push(next);
    }
    all
}

fn makes_descriptors(op: melior::ir::operation::OperationRef<'_, '_>) -> bool {
    ir::result(op, 0)
        .is_some_and(|made| matches!(value_of(ir::type_of(made)).as_ref(), Cute::SmemDescView(_)))
}
