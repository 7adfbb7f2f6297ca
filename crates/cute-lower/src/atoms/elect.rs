//! Elects the lane that issues a call which a whole warp reaches. One `elect.sync` serves all
//! adjacent calls, including their loops: ptxas then recognises that a single thread issues them,
//! and does not make a loop over lanes for each.
//!
//! Ops between the calls compute without effects and stay where they are; the calls move down to
//! the last of them. A branch on an `elect.sync` in the program, with only such computations in
//! between, takes the calls in as well. For example, a `tcgen05.commit` follows the MMAs that
//! it commits. Several such branches become one.
//!
//! A loop of calls may also compute, for instance the state of an atom that each iteration changes.
//! If results of that are used after the loop, the loop is duplicated: once with the calls, under
//! the branch, and once without them.
//!
//! A store or a reduction by a descriptor is issued by every thread that calls it, which is usually
//! one thread. Kernels of CuTe DSL let a whole warp reach it. Storing a box several times is
//! harmless, but a reduction that a whole warp provably reaches is elected, so that it is executed
//! once.

use cute_build::predicate::{self, IntPredicate};
use cute_dialect::{
    atom::{CopyAtom, TmaKind},
    ops::OpKind,
    types::value_of,
    value::Value as Cute,
};
use cute_ffi::{
    ir::{self, op_name},
    lowered::keyword,
    rewrite::Rewriter,
};
use melior::ir::{
    BlockRef, Type, Value,
    operation::{OperationLike, OperationRef},
    r#type::IntegerType,
};

use crate::{Builder, Built, values::result};

/// Chooses a lane of a warp.
const ELECT: &str = "nvvm.elect.sync";

/// Puts all elected calls under a branch that one lane takes.
pub(super) fn run(rewriter: &Rewriter<'_>) -> Built<()> {
    let blocks = ir::functions(rewriter.root()).into_iter().flat_map(ir::blocks);
    blocks.into_iter().try_for_each(|block| in_block(rewriter, block, Reach::Warp, false))
}

/// The threads of a warp that reach an op, as far as branches show.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// All, or unknown.
    Warp,
    /// The lane that `elect.sync` chose.
    Elected,
    /// One thread selected by its number, which an `elect.sync` of its warp may not elect.
    Numbered,
}

/// Groups the calls of a block, and those of nested blocks. With `whole`, all lanes of a warp reach
/// it.
fn in_block<'c>(rewriter: &'c Rewriter<'c>, block: BlockRef<'c, 'c>, reach: Reach, whole: bool) -> Built<()> {
    let mut chain = Chain { rewriter, branch: None, units: Vec::new() };
    let ops = ir::ops(block);
    let whole = reach == Reach::Warp && (whole || ops.iter().any(|op| is_of_warp(*op)));
    for op in ops {
        if is_unit(op, whole) {
            match reach {
                Reach::Warp => chain.push(op, whole),
                Reach::Elected => {}
                Reach::Numbered => {
                    return Builder::before(first_call(op)).refuse(
                        "stands under a condition on the number of a thread, where one lane would wait for its warp: all lanes of a warp \
                         call a TMA load, a bulk copy or a tcgen05.mma, and one of them is elected to issue it; make the condition one on the \
                         number of the warp",
                    );
                }
            }
            continue;
        }
        if is_pure(op) || op_name(op) == ELECT {
            continue;
        }
        let is_host = reach == Reach::Warp && hosts(op, block);
        if is_host {
            chain.move_into(op)
        } else {
            chain.elect()?
        }
        let then = condition(op).filter(|_| reach == Reach::Warp).map(reached);
        let whole = whole && condition(op).is_some_and(is_uniform);
        for (i, block) in ir::blocks(op).into_iter().enumerate() {
            in_block(rewriter, block, then.filter(|_| i == 0).unwrap_or(reach), whole)?;
        }
        chain.branch = Some(op).filter(|_| is_host);
    }
    chain.elect()
}

/// The ops that one lane issues, in order.
struct Chain<'c> {
    rewriter: &'c Rewriter<'c>,
    /// A branch on an `elect.sync`, before all units.
    branch: Option<OperationRef<'c, 'c>>,
    units: Vec<OperationRef<'c, 'c>>,
}

impl<'c> Chain<'c> {
    /// Adds a unit. A loop whose results are used stays for them without its calls, after a copy of
    /// it that is a unit.
    fn push(&mut self, op: OperationRef<'c, 'c>, whole: bool) {
        let mut results = (0..op.result_count()).filter_map(|i| ir::result(op, i));
        if !results.any(|value| self.rewriter.is_used(value)) {
            return self.units.push(op);
        }
        self.units.push(ir::insert_before(op, (*op).clone()));
        ir::walk(op).into_iter().filter(|op| is_call(*op, whole)).for_each(|call| self.rewriter.erase(call));
    }

    /// Moves the units under a branch that one lane takes: that of the chain if there is one,
    /// otherwise a new one.
    fn elect(&mut self) -> Built<()> {
        let Some(last) = self.units.last().copied() else {
            self.branch = None;
            return Ok(());
        };
        let branch = match self.branch.take() {
            Some(branch) => {
                self.rewriter.move_before(branch, last);
                branch
            }
            None => branch(last)?,
        };
        let end = ir::body(branch).and_then(|body| ir::ops(body).pop()).expect("the branch ends");
        self.units.drain(..).for_each(|op| self.rewriter.move_before(op, end));
        Ok(())
    }

    /// Moves all units to the beginning of a branch that one lane takes.
    fn move_into(&mut self, branch: OperationRef<'c, 'c>) {
        let first = ir::body(branch).and_then(ir::first_op).expect("the branch ends");
        if let Some(own) = self.branch.take() {
            let mut ops = ir::body(own).map(ir::ops).unwrap_or_default();
            ops.pop();
            ops.into_iter().for_each(|op| self.rewriter.move_before(op, first));
            let elected = condition(own).and_then(ir::definer);
            self.rewriter.erase(own);
            if let Some(elected) = elected.filter(|op| !self.rewriter.is_used(result(*op))) {
                self.rewriter.erase(elected);
            }
        }
        self.units.drain(..).for_each(|op| self.rewriter.move_before(op, first));
    }
}

/// A branch on a new `elect.sync`.
fn branch<'c>(before: OperationRef<'c, 'c>) -> Built<OperationRef<'c, 'c>> {
    let b = Builder::before(before);
    let flag: Type = IntegerType::new(b.context(), 1).into();
    let elected = b.typed(ELECT, &[], flag, &[])?;
    let end = b.conditional(elected)?.anchor();
    Ok(ir::block_of(end).and_then(ir::parent_of).expect("the end of a branch is in it"))
}

/// Whether an op is a call that is elected. If `whole` warps reach it, that includes reductions.
fn is_call(op: OperationRef<'_, '_>, whole: bool) -> bool {
    if !matches!(op_name(op), "cute.copy_atom_call" | "cute.prefetch_atom_call" | "cute.mma_atom_call") {
        return false;
    }
    let Some(atom) = ir::operands(op).first().map(|atom| value_of(ir::type_of(*atom))) else { return false };
    match atom.as_ref() {
        Cute::CopyAtom(atom) => {
            atom.is_elected() || whole && atom.as_tma().is_some_and(|tma| tma.kind == TmaKind::Reduce)
        }
        _ => is_product(op),
    }
}

/// Whether an op is a call of `tcgen05.mma`.
pub(super) fn is_product(op: OperationRef<'_, '_>) -> bool {
    let atom =
        ir::operands(op).first().filter(|_| op_name(op) == "cute.mma_atom_call").map(|v| ir::type_of(*v));
    match atom.map(value_of).as_deref() {
        Some(Cute::MmaAtom(atom)) => atom.is_elected(),
        Some(Cute::TiledMma(tiled)) => tiled.atom.is_elected(),
        _ => false,
    }
}

/// Whether an op is a call that is elected, or a loop of such calls and computations.
fn is_unit(op: OperationRef<'_, '_>, whole: bool) -> bool {
    if op_name(op) != "scf.for" {
        return is_call(op, whole);
    }
    let ops = ir::body(op).map(ir::ops).unwrap_or_default();
    let is_unit = |op: &OperationRef<'_, '_>| is_unit(*op, whole);
    ops.iter().any(is_unit) && ops.iter().all(|op| is_unit(op) || is_pure(*op))
}

/// The first call in a unit.
fn first_call<'c, 'a>(unit: OperationRef<'c, 'a>) -> OperationRef<'c, 'a> {
    ir::walk(unit).into_iter().find(|op| is_call(*op, false)).unwrap_or(unit)
}

/// Whether an op only computes.
pub(super) fn is_pure(op: OperationRef<'_, '_>) -> bool {
    let name = op_name(op);
    match (OpKind::from_name(name), name) {
        (Some(kind), _) => !kind.reads() && !kind.writes(),
        (_, "scf.for" | "scf.if") => ir::blocks(op).into_iter().flat_map(ir::ops).all(is_pure),
        (_, "scf.yield" | "builtin.unrealized_conversion_cast") => true,
        (None, name) => name.starts_with("arith."),
    }
}

/// Whether an op is one that either all or none of the lanes of a warp execute.
fn is_of_warp(op: OperationRef<'_, '_>) -> bool {
    match op_name(op) {
        "nvvm.barrier" | ELECT | "cute_nvgpu.arch.make_warp_uniform" => true,
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

/// The threads for which a condition is true.
fn reached(condition: Value<'_, '_>) -> Reach {
    let Some(op) = ir::definer(condition) else { return Reach::Warp };
    match op_name(op) {
        ELECT => Reach::Elected,
        "arith.andi" => {
            let reaches: Vec<_> = ir::operands(op).into_iter().map(reached).collect();
            [Reach::Elected, Reach::Numbered].into_iter().find(|r| reaches.contains(r)).unwrap_or(Reach::Warp)
        }
        "arith.cmpi" if is_equal(op) && ir::operands(op).into_iter().any(is_thread) => Reach::Numbered,
        _ => Reach::Warp,
    }
}

fn is_equal(op: OperationRef<'_, '_>) -> bool {
    op.attribute("predicate").ok() == Some(predicate::attribute(ir::context(op), IntPredicate::Eq.number()).1)
}

/// Whether a value is the number of a thread in its block or warp.
fn is_thread(value: Value<'_, '_>) -> bool {
    const NUMBERS: [&str; 3] = ["nvvm.read.ptx.sreg.tid.x", "nvvm.read.ptx.sreg.laneid", "gpu.lane_id"];
    let Some(op) = ir::definer(value) else { return false };
    match op_name(op) {
        "arith.index_cast" => ir::operands(op).into_iter().any(is_thread),
        "gpu.thread_id" => op.attribute("dimension").ok().and_then(keyword) == Some("x"),
        name => NUMBERS.contains(&name),
    }
}

/// Whether an op is a branch without results on an `elect.sync` of its own block, with all lanes
/// still active.
fn hosts(op: OperationRef<'_, '_>, block: BlockRef<'_, '_>) -> bool {
    let elected = condition(op).and_then(ir::definer).filter(|op| op_name(*op) == ELECT);
    let is_here =
        elected.and_then(ir::block_of).is_some_and(|b| ir::block_identity(b) == ir::block_identity(block));
    is_here && op.result_count() == 0 && ir::blocks(op).len() == 1
}
