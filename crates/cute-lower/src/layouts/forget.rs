//! `cute-forget-layouts`: leaves the layout of every tile of shared memory and the threads of every
//! tiled copy open, to test what `cute-assign-layouts` finds without the author's choices. Atoms,
//! copies of an MMA's operands and the parameters of kernels stay.

use cute_algebra::{Dim, Layout, LayoutLike, Swizzle, cosize};
use cute_dialect::{
    atom::CopyAtom,
    ops::OpKind,
    types::{type_of, value_of},
    value::{MemRef, Space, Value as Cute},
};
use cute_ffi::{
    ir::{self, op_name, walk},
    rewrite::Rewriter,
};
use cute_plan::TileSpec as Plan;
use melior::ir::{Attribute, Value, operation::OperationRef};

use super::{
    fragments,
    program::Program,
    retype::Overlay,
    site::{Choice, Open, Site, extents_of},
};
use crate::{Builder, Built, values::result};

/// Tiles of fewer bytes are barriers and the like.
const LEAST_BYTES: i64 = 256;

/// Runs the pass.
pub fn run(rewriter: &Rewriter<'_>) -> Built<()> {
    ir::functions(rewriter.root())
        .into_iter()
        .filter(|f| ir::is_kernel(*f))
        .try_for_each(|f| function(rewriter, f))
}

fn function<'c>(rewriter: &'c Rewriter<'c>, function: OperationRef<'c, 'c>) -> Built<()> {
    copies_of_parameters(rewriter, function)?;
    for op in walk(function) {
        match OpKind::from_name(op_name(op)) {
            Some(OpKind::MemRefAllocSmem) if !has_alias(rewriter, result(op)) => {
                tile(rewriter, function, op, None)?
            }
            Some(OpKind::MakeView)
                if begins_tile(op) && !is_alias(op) && !has_alias(rewriter, result(op)) =>
            {
                tile(rewriter, function, op, ir::operands(op).first().copied())?
            }
            Some(OpKind::MakeTiledCopy) if is_simple(result(op)) => copy(rewriter, function, op)?,
            _ => {}
        }
    }
    Ok(())
}

/// Whether a view gives raw shared memory its layout, and does not take part of another view.
fn begins_tile(op: OperationRef<'_, '_>) -> bool {
    let operands = ir::operands(op);
    let view = value_of(ir::type_of(result(op))).into_owned();
    matches!(view, Cute::MemRef(view) if view.iter.space == Space::Smem)
        && operands.get(1).is_none_or(|layout| is_given(*layout))
}

/// Whether a layout is computed from static values and parameters, and not from that of a view.
fn is_given(layout: Value<'_, '_>) -> bool {
    let Some(op) = ir::definer(layout) else { return true };
    let is_view = matches!(value_of(ir::type_of(layout)).as_ref(), Cute::MemRef(_) | Cute::Ptr(_));
    !is_view && ir::operands(op).into_iter().all(is_given)
}

/// Whether a view shows the elements of another in another order.
fn is_alias(op: OperationRef<'_, '_>) -> bool {
    let pointer = ir::operands(op).first().copied().and_then(ir::definer);
    pointer.is_some_and(|op| op_name(op) == OpKind::GetIter.name())
}

/// Whether there is such a view of a tile.
fn has_alias<'c>(rewriter: &'c Rewriter<'c>, tile: Value<'c, 'c>) -> bool {
    let iters = rewriter.users(tile).filter(|op| op_name(*op) == OpKind::GetIter.name());
    let mut views = iters.flat_map(|iter| rewriter.users(result(iter)));
    views.any(|op| op_name(op) == OpKind::MakeView.name() && begins_tile(op))
}

/// The layouts that a placeholder may have: no order of modes is better than another.
fn placeholders(tile: &MemRef<'_, Dim>, bits: i64) -> Vec<Layout<Dim>> {
    let Some(outer) = tile.layout.outer().to_const() else { return Vec::new() };
    let Some(shape) = extents_of(&outer) else { return Vec::new() };
    let plan = Plan { shape, bits, most: cosize(&outer).ok(), vector: 1 };
    let candidates = cute_plan::tiles(&plan).into_iter();
    let plain = candidates.filter_map(|candidate| Some(candidate.layout.as_plain()?.map(|n| Dim::fixed(*n))));
    plain.filter(|layout| Some(layout) != tile.layout.as_plain()).collect()
}

/// Leaves the layout of a tile open.
fn tile<'c>(
    rewriter: &'c Rewriter<'c>,
    function: OperationRef<'c, 'c>,
    op: OperationRef<'c, 'c>,
    pointer: Option<Value<'c, 'c>>,
) -> Built<()> {
    let Cute::MemRef(own) = value_of(ir::type_of(result(op))).into_owned() else { return Ok(()) };
    let elements = cosize(&own.layout).ok().and_then(|n| n.as_static());
    let bits = own.iter.bits().map(i64::from);
    let (Some(elements), Some(bits)) = (elements, bits) else { return Ok(()) };
    if elements.saturating_mul(bits) / 8 < LEAST_BYTES {
        return Ok(());
    }
    let ops: Vec<_> = walk(function).into_iter().skip(1).collect();
    for layout in placeholders(&own, bits) {
        let mut memory = own.clone();
        memory.layout = layout.into();
        memory.iter.swizzle = Swizzle::IDENTITY;
        let chosen = [(result(op), Cute::MemRef(memory.clone()))];
        let overlay = Overlay::of(chosen, ops.iter().copied(), "layout = auto");
        let Ok(overlay) = overlay else { continue };
        overlay.write(rewriter);
        let c = ir::context(op);
        ir::set_attribute(op, Open::Layout.attribute(), Attribute::unit(c));
        if let Some(pointer) = pointer {
            let t = type_of(c, &Cute::Ptr(memory.iter));
            let pointer = if ir::type_of(pointer) == t {
                pointer
            } else {
                Builder::before(op).typed("cute.recast_iter", &[pointer], t, &[])?
            };
            rewriter.set_operands(op, &[pointer]);
        }
        return Ok(());
    }
    Ok(())
}

/// Whether a tiled copy moves elements of single threads, and nothing else takes its layout.
fn is_simple(copy: Value<'_, '_>) -> bool {
    match value_of(ir::type_of(copy)).as_ref() {
        Cute::TiledCopy(copy) => matches!(copy.atom, CopyAtom::Universal(_) | CopyAtom::Async(_)),
        _ => false,
    }
}

/// Leaves the threads of a tiled copy open.
fn copy<'c>(
    rewriter: &'c Rewriter<'c>,
    function: OperationRef<'c, 'c>,
    op: OperationRef<'c, 'c>,
) -> Built<()> {
    let ops: Vec<_> = walk(function).into_iter().skip(1).collect();
    let program = Program::new(ops.clone(), [1; 3], &[]);
    if fragments::tie(rewriter, &program, result(op)).is_some() {
        return Ok(());
    }
    let own = ir::type_of(result(op));
    let mut site = Site::of_copy(op);
    if site.copies().is_err() {
        return Ok(());
    }
    let c = ir::context(op);
    ir::set_attribute(op, Open::Copy.attribute(), Attribute::unit(c));
    // The last candidate is the one that a search would look at last.
    let atom = site.placeholder.clone();
    let keeps_atom = |choice: &Choice<'c>| match (&choice.value, &atom) {
        (Cute::TiledCopy(other), Cute::TiledCopy(own)) => other.atom == own.atom,
        _ => false,
    };
    let others = site.choices.into_iter().rev().filter(|choice| type_of(c, &choice.value) != own);
    for choice in others.filter(keeps_atom) {
        let chosen = [(result(op), choice.value)];
        if let Ok(overlay) = Overlay::of(chosen, ops.iter().copied(), "auto") {
            overlay.write(rewriter);
            break;
        }
    }
    Ok(())
}

/// Makes the tiled copies that a kernel takes as parameters in the kernel, so that they can change
/// without the host.
fn copies_of_parameters<'c>(rewriter: &'c Rewriter<'c>, function: OperationRef<'c, 'c>) -> Built<()> {
    let Some(body) = ir::body(function) else { return Ok(()) };
    let Some(first) = ir::first_op(body) else { return Ok(()) };
    for parameter in ir::arguments(body).into_iter().filter(|p| is_simple(*p)) {
        let Cute::TiledCopy(copy) = value_of(ir::type_of(parameter)).into_owned() else { continue };
        let build = Builder::before(first);
        let c = ir::context(function);
        let atom = build.typed("cute.make_atom", &[], type_of(c, &Cute::CopyAtom(copy.atom)), &[])?;
        let made = build.typed("cute.make_tiled_copy", &[atom], ir::type_of(parameter), &[])?;
        rewriter.replace_uses(parameter, made);
    }
    Ok(())
}
