//! `cute-assign-layouts`: makes the choices that ops leave open by `auto`, by analysing all
//! accesses of all threads of a block.
//!
//! | file | what |
//! |---|---|
//! | `mod` | the pass: functions with choices, the search, what is written |
//! | `site` | the ops that leave a choice, and their candidates |
//! | `atoms` | the atoms that may copy instead of another one |
//! | `program` | a function, evaluated over numbers for each thread |
//! | `visit` | the elements that a thread accesses at an op |
//! | `problem` | the accesses as a problem of `cute-plan`: what each choice costs |
//! | `pins` | what the tensor maps of host functions demand of a tile |
//! | `retype` | the types that follow a choice |
//! | `rules` | what tiles with an open layout must not be used for |
//! | `report` | what was chosen, why, what it costs, and what came second |
//! | `swizzle` | `swizzle = auto`, where the layout is given |
//! | `fragments` | registers that tie a tiled copy to the threads that it has |
//! | `forget` | `cute-forget-layouts`, a pass for tests that leaves everything open |
//!
//! The address computations of every thread of a block are evaluated numerically (`eval` over
//! numbers), so an access is known whatever views lie between it and the allocation. An element of
//! a tile is known by its index, so that one evaluation serves all candidates for the tile.

mod atoms;
mod forget;
mod fragments;
mod pins;
mod problem;
mod program;
mod report;
mod retype;
mod rules;
mod site;
mod swizzle;
mod visit;

use cute_arch::Target;
use cute_dialect::{
    ops::OpKind,
    types::{type_of, value_of},
    value::Value as Cute,
};
use cute_ffi::{
    ir::{self, op_name, walk},
    rewrite::Rewriter,
};
use cute_plan::Solution;
use melior::ir::{attribute::DenseI32ArrayAttribute, operation::OperationRef};

use self::{
    problem::Choices,
    program::Program,
    site::{Open, Site},
};
use crate::{Builder, Built, values::result};

pub use forget::run as forget;

/// The pass alone, as MLIR parses it.
pub const PIPELINE: &str = "builtin.module(cute-assign-layouts)";
/// Threads of a block.
const MOST_THREADS: u32 = Target::MAX_THREADS_PER_BLOCK;
/// The most combinations of choices that a search looks at.
const MOST_NODES: u64 = 1 << 16;

/// Runs the pass.
pub fn run(rewriter: &Rewriter<'_>) -> Built<()> {
    // Most functions leave nothing open.
    let leaves_choices =
        |function: &OperationRef<'_, '_>| walk(*function).into_iter().any(|op| Open::of(op).is_some());
    let functions: Vec<_> = ir::functions(rewriter.root()).into_iter().filter(leaves_choices).collect();
    for function in &functions {
        assign(rewriter, *function)?;
    }
    functions.into_iter().try_for_each(|function| swizzle::function(rewriter, function))
}

/// Only finds swizzles.
pub fn swizzles(rewriter: &Rewriter<'_>) -> Built<()> {
    ir::functions(rewriter.root()).into_iter().try_for_each(|function| swizzle::function(rewriter, function))
}

/// How an op is written whose choice nobody has made.
pub fn is_open(op: OperationRef<'_, '_>) -> Option<&'static str> {
    Open::of(op).map(Open::spelling)
}

/// Makes the choices of a function but swizzles, which follow.
fn assign<'c>(rewriter: &'c Rewriter<'c>, function: OperationRef<'c, 'c>) -> Built<()> {
    let ops: Vec<_> = walk(function).into_iter().skip(1).collect();
    let mut sites: Vec<_> = ops.iter().filter_map(|op| Site::of(*op)).collect();
    sites.retain(|site| site.open != Open::Swizzle);
    let Some((first, open)) = sites.first().map(|site| (site.op, site.open)) else { return Ok(()) };
    let extents = threads(function, first, open)?;
    for site in sites.iter_mut().filter(|site| site.open.is_copy()) {
        site.copies().or_else(|why| Builder::before(site.op).refuse(&format!("auto {why}")))?;
    }
    for site in &sites {
        let checked = site.indices();
        checked.or_else(|why| Builder::before(site.op).refuse(&format!("{} {why}", site.open.spelling())))?;
    }
    // Memory whose layout is given has accesses by open copies, too.
    let given = ops.iter().filter(|op| Open::of(**op).is_none() && is_memory(**op)).map(|op| result(*op));
    let memories: Vec<_> = sites.iter().map(Site::value).chain(given).collect();
    let program = Program::new(ops, extents, &memories);
    for site in sites.iter().filter(|site| site.open == Open::Copy) {
        if let Some(user) = fragments::tie(rewriter, &program, site.value()) {
            return report::tied(site, user);
        }
    }
    let spelling = open.spelling();
    let choices = Choices::new(&program, sites);
    let mut choices = choices
        .or_else(|(op, why)| Builder::before(program.ops[op]).refuse(&format!("for {spelling}: {why}")))?;
    if let Some((view, site)) = rules::alias(&choices) {
        return report::aliased(site, view);
    }
    if let Some((op, site)) = rules::escape(&choices) {
        return report::escaped(site, op);
    }
    let solution = search(&mut choices, rewriter.root())?;
    report::unused(&choices);
    let overlay = choices
        .types(&solution.choice)
        .or_else(|refused| Builder::before(refused.op).refuse(&refused.why))?;
    report::chosen(&choices, &solution);
    for site in &choices.sites {
        ir::remove_attribute(site.op, site.open.attribute());
    }
    overlay.write(rewriter);
    choices.sites.iter().try_for_each(|site| operand(rewriter, site))
}

/// Whether an op is where shared memory comes from.
fn is_memory(op: OperationRef<'_, '_>) -> bool {
    matches!(OpKind::from_name(op_name(op)), Some(OpKind::MemRefAllocSmem | OpKind::GetDynSmem))
}

/// Finds candidates for the tiles, and the best choice. Candidates with flat modes come first. If
/// none of them is possible, because coordinates have the nested modes of the placeholder, the
/// candidates are nested like the placeholder.
fn search<'c>(choices: &mut Choices<'_, 'c>, root: OperationRef<'c, 'c>) -> Built<Solution> {
    let flat = choices.sites.iter().all(Site::is_flat);
    for nested in [false, true] {
        let is_last = nested || flat;
        for i in 0..choices.sites.len() {
            let vector = choices.vector(i);
            let by_pointer =
                choices.uses.iter().any(|used| used.tile == Some(i) && used.descriptor.is_some());
            let site = &mut choices.sites[i];
            let (op, spelling) = (site.op, site.open.spelling());
            let found = site.tiles(vector, by_pointer, nested);
            found.or_else(|why| Builder::before(op).refuse(&format!("{spelling} {why}")))?;
        }
        pins::apply(choices, root, is_last)?;
        choices.prune();
        match cute_plan::search(choices, MOST_NODES) {
            Ok(solution) => return Ok(solution),
            Err(none) if is_last => return report::none(choices, &none),
            Err(_) => {}
        }
    }
    Err(cute_build::Error::Reported)
}

/// The threads of a block along x, y and z; an error at `op` if the kernel does not say.
fn threads(function: OperationRef<'_, '_>, op: OperationRef<'_, '_>, open: Open) -> Built<[i64; 3]> {
    block(function).ok_or(()).or_else(|()| {
        Builder::before(op).refuse(&format!(
            "{} needs the number of threads that access the tile: give the kernel known_block_size, up to {MOST_THREADS} threads",
            open.spelling()
        ))
    })
}

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

/// A view with a swizzle takes a pointer with that swizzle, and a tiled copy its atom.
fn operand<'c>(rewriter: &'c Rewriter<'c>, site: &Site<'c>) -> Built<()> {
    let (op, c) = (site.op, ir::context(site.op));
    let operands = ir::operands(op);
    let Some(first) = operands.first().copied() else { return Ok(()) };
    let wanted = match value_of(ir::type_of(site.value())).into_owned() {
        Cute::MemRef(view) if op_name(op) == OpKind::MakeView.name() => Cute::Ptr(view.iter),
        Cute::TiledCopy(copy) => Cute::CopyAtom(copy.atom),
        _ => return Ok(()),
    };
    let t = type_of(c, &wanted);
    if ir::type_of(first) == t {
        return Ok(());
    }
    let made = match wanted {
        Cute::Ptr(_) => Builder::before(op).typed("cute.recast_iter", &[first], t, &[])?,
        _ => Builder::before(op).typed("cute.make_atom", &[], t, &[])?,
    };
    let changed: Vec<_> = std::iter::once(made).chain(operands.into_iter().skip(1)).collect();
    rewriter.set_operands(op, &changed);
    Ok(())
}
