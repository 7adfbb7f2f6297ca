//! `cute-choose-swizzle`: finds the swizzle of every allocation with `swizzle = auto` by analysing
//! all its accesses.
//!
//! | file | what |
//! |---|---|
//! | `mod` | the pass: accesses, choice, the types that follow |
//! | `thread` | where one thread's accesses go |
//! | `number` | the algebra's leaves as numbers |
//!
//! The address computations of every thread of a block are evaluated numerically (`eval` over
//! numbers), so an access is known whatever views lie between it and the allocation. The bank model
//! of `cute-arch` computes its cost under each swizzle. The pointer gets the swizzle with the
//! lowest cost, and the types of values derived from the pointer are inferred again.

mod thread;

use std::{borrow::Cow, collections::BTreeMap};

use cute_algebra::{Dim, Swizzle, cosize};
use cute_arch::{
    Target,
    banks::{Traffic, part},
};
use cute_dialect::{
    hooks::declared_types,
    ops::{Attributes, Call, OpKind, eval},
    types::{type_of, value_of},
    value::{MemRef, Value as Cute},
};
use cute_ffi::{
    self, Severity,
    ir::{self, op_name, walk},
    rewrite::Rewriter,
};
use melior::ir::{
    attribute::DenseI32ArrayAttribute,
    operation::{OperationLike, OperationRef},
};
use rustc_hash::FxHashSet;

use self::thread::{Thread, Visit};
use crate::{
    Builder, Built,
    values::{bits_of, result, view_of},
};

/// The attribute of an allocation that is to be swizzled.
const AUTO: &str = "auto_swizzle";
/// Threads of a block.
const MOST_THREADS: u32 = Target::MAX_THREADS_PER_BLOCK;

/// Runs the pass.
pub fn run(rewriter: &Rewriter<'_>) -> Built<()> {
    ir::functions(rewriter.root()).into_iter().try_for_each(|f| function(rewriter, f))
}

/// Whether an allocation still needs a swizzle.
pub fn is_open(op: OperationRef<'_, '_>) -> bool {
    op_name(op) == OpKind::MemRefAllocSmem.name() && op.has_attribute(AUTO)
}

fn function<'c>(rewriter: &'c Rewriter<'c>, function: OperationRef<'c, 'c>) -> Built<()> {
    let ops: Vec<_> = walk(function).into_iter().skip(1).collect();
    let open: Vec<_> = ops.iter().copied().filter(|op| is_open(*op)).collect();
    let Some(first) = open.first() else { return Ok(()) };
    let extents = block(function).ok_or(()).or_else(|()| {
        Builder::before(*first).refuse(&format!(
            "swizzle = auto needs the number of threads that access the tile: give the kernel known_block_size, up to {MOST_THREADS} threads",
        ))
    })?;
    let accesses = accesses(&ops, extents, &open)?;
    for (i, allocation) in open.iter().enumerate() {
        let own: Vec<_> = accesses.iter().filter(|access| access.allocation == i).collect();
        let swizzle = choose(*allocation, &own)?;
        swizzled(rewriter, *allocation, swizzle, &ops)?;
    }
    Ok(())
}

/// The threads of a block along x, y and z.
fn block(function: OperationRef<'_, '_>) -> Option<[i64; 3]> {
    let attributes = ir::attribute_dictionary(function);
    let names = ["known_block_size", "gpu.known_block_size", "nvvm.reqntid", "nvvm.maxntid"];
    let size = names.iter().find_map(|name| ir::dictionary_get(attributes, name))?;
    let size = DenseI32ArrayAttribute::try_from(size).ok()?;
    let mut extents = [1; 3];
    for (i, extent) in extents.iter_mut().enumerate().take(size.len().min(3)) {
        *extent = i64::from(size.element(i).ok()?);
    }
    (1..=i64::from(MOST_THREADS)).contains(&cute_arch::volume(extents)).then_some(extents)
}

/// One access of all threads.
struct Access<'c> {
    op: OperationRef<'c, 'c>,
    allocation: usize,
    traffic: Traffic,
}

fn accesses<'c>(
    ops: &[OperationRef<'c, 'c>],
    extents: [i64; 3],
    open: &[OperationRef<'c, 'c>],
) -> Built<Vec<Access<'c>>> {
    let [width, height, depth] = extents;
    let mut by_op: BTreeMap<(usize, usize), Vec<Visit>> = BTreeMap::new();
    for t in 0..width * height * depth {
        let mut thread = Thread::new([t % width, t / width % height, t / (width * height)], extents, open);
        for (i, op) in ops.iter().enumerate() {
            let visits = thread.run(*op).or_else(|why| Builder::before(*op).fail(&why))?;
            visits.into_iter().for_each(|visit| by_op.entry((i, visit.operand)).or_default().push(visit));
        }
    }
    let mut accesses = Vec::new();
    for ((i, _), visits) in by_op {
        let (op, first) = (&ops[i], &visits[0]);
        let (allocation, vector) = (first.allocation, first.vector);
        let bits = bits_of(&Builder::before(open[allocation]), &tile(open[allocation]))?;
        // All threads use views of one type, so each has the same number of offsets.
        let offsets =
            (0..first.offsets.len()).flat_map(|value| visits.iter().map(move |visit| visit.offsets[value]));
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
    let c = ir::context(allocation);
    let mut tile = tile(allocation);
    ir::remove_attribute(allocation, AUTO);
    if swizzle.is_identity() {
        return Ok(());
    }
    let bytes = i64::from(bits_of(&Builder::before(allocation), &tile)?.ilog2()) - 3;
    let (bits, base, shift) =
        (i64::from(swizzle.bits()), i64::from(swizzle.base()) + bytes, i64::from(swizzle.shift()));
    let of_bytes = Swizzle::new(bits, base, shift);
    let of_bytes = of_bytes.or_else(|why| Builder::before(allocation).refuse(&why.to_string()))?;
    // The bits that are read are the offset's only if the tile begins at a multiple of all of them.
    tile.iter.align = tile.iter.align.max(1 << (base + shift.abs() + bits));
    tile.iter.swizzle = of_bytes;
    let result = result(allocation);
    rewriter.set_type(result, type_of(c, &Cute::MemRef(tile)));
    let mut changed = FxHashSet::from_iter([ir::identity(result)]);
    for op in ops {
        let operands = ir::operands(*op);
        if !operands.iter().any(|v| changed.contains(&ir::identity(*v))) {
            continue;
        }
        let Some(kind) = OpKind::from_name(op_name(*op)) else {
            return Builder::before(*op).refuse(
                "takes a view of memory with swizzle = auto: its type would change; make the view where it is used",
            );
        };
        let values: Vec<_> = operands.iter().map(|v| value_of(ir::type_of(*v))).collect();
        let declared: Vec<_> = declared_types(*op).into_iter().map(value_of).collect();
        let call = Call {
            kind,
            operands: &values,
            attributes: &Attributes::of(*op),
            declared: &declared,
            context: c,
        };
        let made = eval::<Dim>(&call).or_else(|why| Builder::before(*op).refuse(&why.to_string()))?;
        for (i, mut value) in made.into_iter().enumerate() {
            let Some(result) = ir::result(*op, i) else { continue };
            if let (OpKind::RecastIter, Cute::Ptr(to), Some(Cute::Ptr(from))) =
                (kind, &mut value, values.first().map(Cow::as_ref))
            {
                to.swizzle = from.swizzle;
            }
            let t = type_of(c, &value);
            if matches!(value, Cute::Ptr(_) | Cute::MemRef(_)) && t != ir::type_of(result) {
                rewriter.set_type(result, t);
                changed.insert(ir::identity(result));
            }
        }
    }
    Ok(())
}
