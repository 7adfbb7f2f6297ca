//! Uses that a tile with an open layout must not have.

use cute_algebra::cosize;
use cute_arch::Target;
use cute_dialect::{
    ops::OpKind,
    types::value_of,
    value::{Space, Value as Cute},
};
use cute_ffi::ir::{self, op_name};
use melior::ir::{Value, operation::OperationRef};

use super::{
    problem::Choices,
    site::{Open, Site},
};
use crate::values::{result, view_of};

/// Bytes of static shared memory that a block can have, on all targets.
const MOST_BYTES: u32 = Target::Sm90a.max_static_shared_memory();

/// Bytes of static shared memory that a block can have beside the allocations whose layout is
/// given.
pub fn room(ops: &[OperationRef<'_, '_>]) -> u64 {
    u64::from(MOST_BYTES).saturating_sub(allocated(ops))
}

/// The op that takes the address of a tile with an open layout, so that code which does not know
/// the layout may access it.
pub fn escape<'a, 'c>(choices: &'a Choices<'_, 'c>) -> Option<(OperationRef<'c, 'c>, &'a Site<'c>)> {
    let is_address = |value: &Value<'c, 'c>| match value_of(ir::type_of(*value)).as_ref() {
        Cute::MemRef(view) => view.iter.space == Space::Smem,
        Cute::Ptr(ptr) => ptr.space == Space::Smem,
        _ => false,
    };
    let leaves = |op: OperationRef<'c, 'c>| match OpKind::from_name(op_name(op)) {
        Some(kind) => kind == OpKind::PtrToInt,
        None => !op_name(op).starts_with("scf."),
    };
    let tiles = choices.sites.iter().zip(&choices.dependent).filter(|(site, _)| site.tile().is_some());
    tiles.into_iter().find_map(|(site, reached)| {
        let taken = |value: &Value<'c, 'c>| {
            is_address(value) && choices.program.sources(*value).any(|source| reached[source])
        };
        let op =
            choices.program.ops.iter().find(|op| leaves(**op) && ir::operands(**op).iter().any(taken))?;
        Some((*op, site))
    })
}

/// A view that gives memory with an open layout another one, which does not derive from it.
pub fn alias<'a, 'c>(choices: &'a Choices<'_, 'c>) -> Option<(OperationRef<'c, 'c>, &'a Site<'c>)> {
    if let Some(found) = choices.sites.iter().find_map(|site| Some((other_view(choices, site)?, site))) {
        return Some(found);
    }
    let defined = |value, reached: &[bool]| choices.program.sources(value).any(|op| reached[op]);
    let tiles = choices.sites.iter().zip(&choices.dependent).filter(|(site, _)| site.tile().is_some());
    tiles.into_iter().find_map(|(site, reached)| {
        let view = choices.program.ops.iter().find(|op| {
            let is_site = Open::of(**op).is_some();
            if is_site || op_name(**op) != OpKind::MakeView.name() {
                return false;
            }
            let operands = ir::operands(**op);
            let of_layout = operands.get(1).is_some_and(|layout| defined(*layout, reached));
            operands.first().is_some_and(|iter| defined(*iter, reached)) && !of_layout
        })?;
        Some((*view, site))
    })
}

/// Bytes of the allocations of static shared memory that leave no choice.
fn allocated(ops: &[OperationRef<'_, '_>]) -> u64 {
    let given = ops.iter().filter(|op| is_static(**op) && Open::of(**op).is_none());
    let bytes = given.filter_map(|op| {
        let view = view_of(result(*op));
        let elements = cosize(&view.layout).ok()?.as_static()?;
        u64::try_from(elements.checked_mul(view.iter.bits()?.into())?).ok().map(|bits| bits.div_ceil(8))
    });
    bytes.fold(0, u64::saturating_add)
}

/// Whether an op allocates static shared memory.
fn is_static(op: OperationRef<'_, '_>) -> bool {
    op_name(op) == OpKind::MemRefAllocSmem.name()
}

/// A view of the elements of a tile that a view has by its pointer, unless the pointer is recast
/// for other elements.
fn other_view<'c>(choices: &Choices<'_, 'c>, site: &Site<'c>) -> Option<OperationRef<'c, 'c>> {
    let is_view = |op: OperationRef<'c, 'c>| op_name(op) == OpKind::MakeView.name();
    let pointer = ir::operands(site.op).first().copied().filter(|_| is_view(site.op))?;
    if let Some(op) = ir::definer(pointer).filter(|op| op_name(*op) == OpKind::GetIter.name()) {
        return Some(op);
    }
    let takes = |op: OperationRef<'c, 'c>| {
        ir::operands(op).first().is_some_and(|first| ir::identity(*first) == ir::identity(pointer))
    };
    let others = choices.program.ops.iter().filter(|op| ir::op_identity(**op) != ir::op_identity(site.op));
    others.copied().find(|op| is_view(*op) && takes(*op))
}
