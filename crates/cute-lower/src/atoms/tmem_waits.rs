//! Waits for `tcgen05.ld` and `tcgen05.st`. A thread uses the registers of a load without one; but whoever tells another agent that it is done with
//! tensor memory, by an arrival, a barrier, a product or by freeing it, waits first; so does a store behind loads, and a load behind
//! stores. Where the program does not, as CuTe DSL's
//! kernels do not, the wait is put before what tells: it costs nothing where the registers have been used.

use cute_dialect::{atom::CopyAtom, types::value_of, value::Value as Cute};
use cute_ffi::ir::{self, op_name};
use melior::ir::{
    BlockRef,
    operation::{OperationLike, OperationRef},
};

use super::elect::is_product;
use crate::build::{Build, Built};

/// Puts the waits of all functions.
pub(super) fn run(root: OperationRef<'_, '_>) -> Built<()> {
    for function in ir::functions(root) {
        if ir::walk(function).into_iter().any(|op| Access::of(op).is_some()) {
            in_blocks(&ir::blocks(function), Pending::default())?;
        }
    }
    Ok(())
}

/// What a call of an atom does with tensor memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Load,
    Store,
}

impl Access {
    fn of(op: OperationRef<'_, '_>) -> Option<Self> {
        let atom = ir::operands(op)
            .first()
            .filter(|_| op_name(op) == "cute.copy_atom_call")
            .map(|v| ir::type_of(*v))?;
        match value_of(atom).as_ref() {
            Cute::CopyAtom(CopyAtom::Tmem(copy)) if copy.store => Some(Self::Store),
            Cute::CopyAtom(CopyAtom::Tmem(_)) => Some(Self::Load),
            _ => None,
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Load => Self::Store,
            Self::Store => Self::Load,
        }
    }

    /// NVVM's name of the wait.
    fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Store => "store",
        }
    }
}

/// What has not been waited for.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Pending {
    load: bool,
    store: bool,
}

impl Pending {
    fn of(&mut self, access: Access) -> &mut bool {
        match access {
            Access::Load => &mut self.load,
            Access::Store => &mut self.store,
        }
    }

    /// Waits before an op for what is pending of a kind.
    fn wait(&mut self, op: OperationRef<'_, '_>, access: Access) -> Built<()> {
        if std::mem::take(self.of(access)) {
            let b = Build::before(op);
            let kind = b.attribute(&format!("#nvvm.tcgen05_wait<{}>", access.name()));
            b.effect("nvvm.tcgen05.wait", &[], &[("kind", kind)], vec![])?;
        }
        Ok(())
    }

    fn or(self, other: Self) -> Self {
        Self { load: self.load || other.load, store: self.store || other.store }
    }
}

/// Blocks of which any may come first and behind any other: what may be pending behind them.
fn in_blocks(blocks: &[BlockRef<'_, '_>], before: Pending) -> Built<Pending> {
    let mut pending = before;
    loop {
        let mut after = pending;
        for block in blocks {
            after = after.or(in_block(*block, pending)?);
        }
        // A wait that has been put is found the next time.
        if after == pending {
            return Ok(after);
        }
        pending = after;
    }
}

fn in_block(block: BlockRef<'_, '_>, before: Pending) -> Built<Pending> {
    let mut pending = before;
    for op in ir::ops(block) {
        if let Some(access) = Access::of(op) {
            pending.wait(op, access.other())?;
            *pending.of(access) = true;
        } else if op_name(op) == "nvvm.tcgen05.wait" {
            let kind = op.attribute("kind").map(|kind| kind.to_string()).unwrap_or_default();
            for access in [Access::Load, Access::Store] {
                *pending.of(access) &= !kind.contains(access.name());
            }
        } else if ir::walk(op).into_iter().any(tells) {
            pending.wait(op, Access::Load)?;
            pending.wait(op, Access::Store)?;
        }
        pending = in_blocks(&ir::blocks(op), pending)?;
    }
    Ok(pending)
}

/// Whether an op tells another agent that what came before it is done, or lets one overwrite it.
fn tells(op: OperationRef<'_, '_>) -> bool {
    let name = op_name(op);
    let [arrivals, clusters] = ["nvvm.mbarrier.arrive", "nvvm.cluster.arrive"];
    let others = [
        "nvvm.barrier",
        "nvvm.barrier0",
        "nvvm.barrier.arrive",
        "nvvm.bar.warp.sync",
        "gpu.barrier",
        "nvvm.tcgen05.commit",
        "nvvm.tcgen05.cp",
        "nvvm.tcgen05.dealloc",
        "nvvm.tcgen05.mma",
        "cute_nvgpu.arch.sm100.dealloc_tmem",
    ];
    name.starts_with(arrivals)
        || name.starts_with(clusters)
        || others.contains(&name)
        || is_product(op)
        || assembly(op)
            .is_some_and(|text| text.contains("bar.") || text.contains("barrier") || text.contains("arrive"))
}

/// The text of an op of assembly.
fn assembly(op: OperationRef<'_, '_>) -> Option<String> {
    let name = match op_name(op) {
        "llvm.inline_asm" => "asm_string",
        "nvvm.inline_ptx" => "ptxCode",
        _ => return None,
    };
    op.attribute(name).ok().map(|text| text.to_string())
}
