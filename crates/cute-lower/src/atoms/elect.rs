//! Calls that a whole warp reaches and one of its lanes issues. One `elect.sync` serves all that stand side by side, their loops
//! too: ptxas then knows that a single thread issues them, and makes no loop over lanes of each.
//!
//! What stands between the calls computes without effects and stays where it is; the calls move down to the last of them.
//! A branch on an `elect.sync` of the program, with nothing but such computations behind it, takes them in as well.
//!
//! A store or a reduction by a descriptor is issued by whoever calls it, one thread as a rule. Kernels of CuTe DSL let a whole warp come
//! to it. To store a box several times changes nothing; a reduction to which a whole warp provably comes is elected, so that it is done
//! once.

use cute_dialect::{
    atom::{CopyAtom, TmaKind},
    ops::OpKind,
    types::value_of,
    value::Value as Cute,
};
use cute_ffi::{
    ir::{self, op_name},
    predicate::IntPredicate,
    rewrite::Rewriter,
};
use melior::ir::{
    BlockRef, Region, RegionLike, Type, Value,
    operation::{OperationLike, OperationRef},
    r#type::IntegerType,
};

use crate::build::{Build, Built};

/// Puts all elected calls under a branch that one lane takes.
pub(super) fn run(rewriter: &Rewriter<'_>) -> Built<()> {
    let blocks = ir::functions(rewriter.root()).into_iter().flat_map(ir::blocks);
    blocks.into_iter().try_for_each(|block| in_block(rewriter, block, Reach::Warp, false))
}

/// Which threads of a warp come to an op, as far as branches show.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// All, or it is not known.
    Warp,
    /// The lane that `elect.sync` chose.
    Elected,
    /// One with a number, which no `elect.sync` of its warp may find alone.
    Numbered,
}

/// Groups the calls of a block, and those of blocks in it.
/// With `whole`, all lanes of a warp come to it.
fn in_block<'c>(rewriter: &'c Rewriter<'c>, block: BlockRef<'c, 'c>, reach: Reach, whole: bool) -> Built<()> {
    let (mut group, mut host) = (Vec::new(), None);
    let ops = ir::ops(block);
    let whole = reach == Reach::Warp && (whole || ops.iter().any(|op| is_of_warp(*op)));
    for op in ops {
        if is_unit(op, whole) {
            match reach {
                Reach::Warp => group.push(op),
                Reach::Elected => {}
                Reach::Numbered => {
                    return Build::before(first_call(op)).refuse(
                        "stands under a condition on the number of a thread, where one lane would wait for its warp: all lanes of a warp \
                         call a TMA load or a bulk copy, and one of them is elected to issue it; make the condition one on the number of the warp",
                    );
                }
            }
            continue;
        }
        if is_pure(op) {
            continue;
        }
        elect(rewriter, &group, host)?;
        group.clear();
        let then = condition(op).filter(|_| reach == Reach::Warp).map(reached);
        let whole = whole && condition(op).is_some_and(is_uniform);
        for (i, block) in ir::blocks(op).into_iter().enumerate() {
            in_block(rewriter, block, then.filter(|_| i == 0).unwrap_or(reach), whole)?;
        }
        host = Some(op).filter(|op| hosts(*op, block));
    }
    elect(rewriter, &group, host)
}

/// Moves calls under a branch that one lane takes: `host` if there is one, else a new one.
fn elect<'c>(
    rewriter: &'c Rewriter<'c>,
    group: &[OperationRef<'c, 'c>],
    host: Option<OperationRef<'c, 'c>>,
) -> Built<()> {
    let Some(last) = group.last() else { return Ok(()) };
    let branch = match host {
        Some(host) => {
            rewriter.move_before(host, *last);
            host
        }
        None => branch(*last)?,
    };
    let end = ir::body(branch).and_then(|body| ir::ops(body).pop()).expect("the branch ends");
    group.iter().for_each(|op| rewriter.move_before(*op, end));
    Ok(())
}

/// A branch on a new `elect.sync`.
fn branch<'c>(before: OperationRef<'c, 'c>) -> Built<OperationRef<'c, 'c>> {
    let b = Build::before(before);
    let flag: Type = IntegerType::new(b.context(), 1).into();
    let elected = b.typed("nvvm.elect.sync", &[], flag, &[])?;
    let (then, otherwise) = (Region::new(), Region::new());
    then.append_block(ir::block(&[]));
    let op = b.effect("scf.if", &[elected], &[], vec![then, otherwise])?;
    ir::append(op, "scf.yield").expect("the branch has a block");
    Ok(op)
}

/// Whether an op is a call that is elected, or a loop of nothing else. Of `whole` warps, reductions are.
fn is_unit(op: OperationRef<'_, '_>, whole: bool) -> bool {
    match op_name(op) {
        "cute.copy_atom_call" | "cute.prefetch_atom_call" => {
            let atom = ir::operands(op).first().map(|atom| value_of(ir::type_of(*atom)));
            let Some(Cute::CopyAtom(atom)) = atom.as_deref() else { return false };
            atom.is_elected() || whole && atom.as_tma().is_some_and(|tma| tma.kind == TmaKind::Reduce)
        }
        "scf.for" if op.result_count() == 0 => {
            let Some(body) = ir::body(op) else { return false };
            let ops = ir::ops(body);
            let is_unit = |op: &OperationRef<'_, '_>| is_unit(*op, whole);
            ops.iter().any(is_unit)
                && ops.iter().all(|op| is_unit(op) || is_pure(*op) || op_name(*op) == "scf.yield")
        }
        _ => false,
    }
}

/// The first call in a unit.
fn first_call<'c, 'a>(unit: OperationRef<'c, 'a>) -> OperationRef<'c, 'a> {
    ir::walk(unit)
        .into_iter()
        .find(|op| op_name(*op).starts_with("cute.") && is_unit(*op, false))
        .unwrap_or(unit)
}

/// Whether an op only computes.
fn is_pure(op: OperationRef<'_, '_>) -> bool {
    let name = op_name(op);
    match OpKind::from_name(name) {
        Some(kind) => !kind.reads() && !kind.writes(),
        None => name.starts_with("arith.") || name == "builtin.unrealized_conversion_cast",
    }
}

/// Whether an op is one that all lanes of a warp execute together, or none.
fn is_of_warp(op: OperationRef<'_, '_>) -> bool {
    match op_name(op) {
        "nvvm.barrier" | "nvvm.elect.sync" | "cute_nvgpu.arch.make_warp_uniform" => true,
        "cute.copy_atom_call" => {
            let atom = ir::operands(op).first().map(|atom| value_of(ir::type_of(*atom)));
            matches!(atom.as_deref(), Some(Cute::CopyAtom(CopyAtom::Matrix(_) | CopyAtom::Tmem(_))))
        }
        _ => false,
    }
}

/// Whether all lanes of a warp provably have the same value.
fn is_uniform(value: Value<'_, '_>) -> bool {
    let Some(op) = ir::definer(value) else { return false };
    match op_name(op) {
        "arith.constant" | "cute_nvgpu.arch.make_warp_uniform" => true,
        name if name.starts_with("arith.") => ir::operands(op).into_iter().all(is_uniform),
        _ => false,
    }
}

/// The condition of a branch that has one.
fn condition<'c, 'a>(op: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    ir::operands(op).into_iter().next().filter(|_| op_name(op) == "scf.if")
}

/// Who comes through a condition.
fn reached(condition: Value<'_, '_>) -> Reach {
    let Some(op) = ir::definer(condition) else { return Reach::Warp };
    match op_name(op) {
        "nvvm.elect.sync" => Reach::Elected,
        "arith.andi" => {
            let reaches: Vec<_> = ir::operands(op).into_iter().map(reached).collect();
            [Reach::Elected, Reach::Numbered].into_iter().find(|r| reaches.contains(r)).unwrap_or(Reach::Warp)
        }
        "arith.cmpi" if is_equal(op) && ir::operands(op).into_iter().any(is_thread) => Reach::Numbered,
        _ => Reach::Warp,
    }
}

fn is_equal(op: OperationRef<'_, '_>) -> bool {
    op.attribute("predicate").ok() == Some(IntPredicate::Eq.attribute(ir::context(op)).1)
}

/// Whether a value is the number of a thread in its block or warp.
fn is_thread(value: Value<'_, '_>) -> bool {
    const NUMBERS: [&str; 3] = ["nvvm.read.ptx.sreg.tid.x", "nvvm.read.ptx.sreg.laneid", "gpu.lane_id"];
    let Some(op) = ir::definer(value) else { return false };
    match op_name(op) {
        "arith.index_cast" => ir::operands(op).into_iter().any(is_thread),
        "gpu.thread_id" => op.attribute("dimension").is_ok_and(|d| d.to_string() == "#gpu<dim x>"),
        name => NUMBERS.contains(&name),
    }
}

/// Whether a branch is on an `elect.sync` of the block that it is in, which no lane has left since, and gives nothing back.
fn hosts(op: OperationRef<'_, '_>, block: BlockRef<'_, '_>) -> bool {
    let elected = condition(op).and_then(ir::definer).filter(|op| op_name(*op) == "nvvm.elect.sync");
    let is_here =
        elected.and_then(ir::block_of).is_some_and(|b| ir::block_identity(b) == ir::block_identity(block));
    is_here && op.result_count() == 0 && ir::blocks(op).len() == 1
}
