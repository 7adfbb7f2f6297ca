//! `swizzle = auto`: the layout of a tile is given, and its pointer gets the swizzle with the
//! lowest cost.

use std::collections::BTreeMap;

use cute_algebra::{Dim, Swizzle, cosize};
use cute_arch::banks::{Traffic, part};
use cute_dialect::value::{MemRef, Value as Cute};
use cute_ffi::{
    self, Severity,
    ir::{self, op_name, walk},
    rewrite::Rewriter,
};
use melior::ir::operation::OperationRef;

use super::{
    program::{Program, State},
    retype::Overlay,
    site::{Open, whole},
    threads,
    visit::{How, Visit},
};
use crate::{
    Builder, Built,
    values::{bits_of, result, swizzle_of_bytes, view_of},
};

/// Chooses the swizzles of a function.
pub fn function<'c>(rewriter: &'c Rewriter<'c>, function: OperationRef<'c, 'c>) -> Built<()> {
    let ops: Vec<_> = walk(function).into_iter().skip(1).collect();
    let open: Vec<_> = ops.iter().copied().filter(|op| Open::of(*op) == Some(Open::Swizzle)).collect();
    let Some(first) = open.first() else { return Ok(()) };
    let extents = threads(function, *first, Open::Swizzle)?;
    let memories: Vec<_> = open.iter().map(|op| result(*op)).collect();
    let program = Program::new(ops, extents, &memories);
    let accesses = accesses(&program, &open)?;
    for (i, allocation) in open.iter().enumerate() {
        let own: Vec<_> = accesses.iter().filter(|access| access.allocation == i).collect();
        let swizzle = choose(*allocation, &own)?;
        swizzled(rewriter, *allocation, swizzle, &program.ops)?;
    }
    Ok(())
}

/// One access of all threads.
struct Access<'c> {
    op: OperationRef<'c, 'c>,
    allocation: usize,
    traffic: Traffic,
}

fn accesses<'c>(program: &Program<'c>, open: &[OperationRef<'c, 'c>]) -> Built<Vec<Access<'c>>> {
    let refuse =
        |op: usize, why: &str| Builder::before(program.ops[op]).fail(&format!("swizzle = auto {why}"));
    let all = program.all();
    let uniform = program.uniform(&all);
    let mut by_op: BTreeMap<(usize, usize), Vec<Visit>> = BTreeMap::new();
    for t in 0..program.threads() {
        let (_, visits) =
            program.thread(t, &[&uniform], State::default(), &all).or_else(|(op, why)| refuse(op, &why))?;
        for (op, visit) in visits.into_iter().filter(|(_, visit)| visit.memory.is_some()) {
            by_op.entry((op, visit.operand)).or_default().push(visit);
        }
    }
    let mut accesses = Vec::new();
    for ((i, _), visits) in by_op {
        let (op, first) = (&program.ops[i], &visits[0]);
        let Some(allocation) = first.memory else { continue };
        let (vector, values) = match &first.how {
            How::Vectors { vector, offsets, .. } => (*vector, offsets.len()),
            How::Descriptor(what) => {
                return Builder::before(*op).fail(&format!(
                    "'{}' op: {what} determines the swizzle of its tile itself, so swizzle = auto does not apply",
                    op_name(*op)
                ));
            }
        };
        let bits = bits_of(&Builder::before(open[allocation]), &tile(open[allocation]))?;
        // All threads use views of one type, so each has the same number of offsets.
        let offset = |visit: &Visit, value: usize| match &visit.how {
            How::Vectors { offsets, .. } => offsets.get(value).copied(),
            How::Descriptor(_) => None,
        };
        let offsets =
            (0..values).flat_map(|value| visits.iter().filter_map(move |visit| offset(visit, value)));
        let traffic = Traffic::of_vectors(visits.len(), offsets.collect(), bits, vector);
        let traffic =
            traffic.or_else(|why| Builder::before(*op).refuse(&format!("for swizzle = auto: {why}")))?;
        accesses.push(Access { op: *op, allocation, traffic });
    }
    Ok(accesses)
}

fn tile<'c>(allocation: OperationRef<'c, 'c>) -> MemRef<'c, Dim> {
    view_of(result(allocation))
}

/// The swizzle of element offsets with the lowest cost, reported in a remark; a warning if accesses
/// keep conflicts.
fn choose<'c>(allocation: OperationRef<'c, 'c>, accesses: &[&Access<'c>]) -> Built<Swizzle> {
    let tile = tile(allocation);
    let end = cosize(&tile.layout).ok().and_then(|end| end.as_static());
    let end = end.expect("the verifier lets static layouts alone be allocated");
    let traffic: Vec<Traffic> = accesses.iter().map(|access| access.traffic.clone()).collect();
    let swizzle = part(&traffic, end, bits_of(&Builder::before(allocation), &tile)?);
    let total = |swizzle: Swizzle| traffic.iter().map(|t| t.swizzled(swizzle).passes).sum::<u64>();
    let (before, after) = (total(Swizzle::IDENTITY), total(swizzle));
    let left: Vec<_> =
        accesses.iter().filter(|access| access.traffic.swizzled(swizzle).excess() > 0).collect();
    let how = if swizzle.is_identity() {
        format!("none, {after} passes of a block's accesses")
    } else {
        format!("{swizzle} of elements, {after} passes of a block's accesses, {before} without")
    };
    if left.is_empty() {
        let text = format!("swizzle = auto is {how}; no bank conflicts");
        cute_ffi::emit(ir::location(allocation), Severity::Remark, &text, &[]);
    } else {
        let text = format!("swizzle = auto is {how}; no swizzle frees all accesses of bank conflicts");
        let notes: Vec<_> = left
            .iter()
            .map(|access| (ir::location(access.op), access.traffic.swizzled(swizzle).to_string()))
            .collect();
        cute_ffi::emit(ir::location(allocation), Severity::Warning, &text, &notes);
    }
    Ok(swizzle)
}

/// Swizzles the allocation's pointer, and infers the types of dependent values again.
fn swizzled<'c>(
    rewriter: &'c Rewriter<'c>,
    allocation: OperationRef<'c, 'c>,
    swizzle: Swizzle,
    ops: &[OperationRef<'c, 'c>],
) -> Built<()> {
    let mut tile = tile(allocation);
    ir::remove_attribute(allocation, Open::Swizzle.attribute());
    if swizzle.is_identity() {
        return Ok(());
    }
    let bits = bits_of(&Builder::before(allocation), &tile)?;
    let Some(of_bytes) = swizzle_of_bytes(swizzle, bits) else {
        return Builder::before(allocation)
            .refuse(&format!("{swizzle} of elements is not a swizzle of bytes"));
    };
    tile.iter.align = tile.iter.align.max(whole(of_bytes));
    tile.iter.swizzle = of_bytes;
    let chosen = [(result(allocation), Cute::MemRef(tile))];
    let overlay = Overlay::of(chosen, ops.iter().copied(), Open::Swizzle.spelling());
    overlay.or_else(|refused| Builder::before(refused.op).refuse(&refused.why))?.write(rewriter);
    Ok(())
}
