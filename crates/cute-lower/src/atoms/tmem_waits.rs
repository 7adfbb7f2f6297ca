//! Inserts waits for `tcgen05.ld` and `tcgen05.st`. A thread may use the registers of a load
//! without a wait. But a thread must wait before it signals to another agent that it has finished
//! with tensor memory: by an arrival, a barrier, an MMA, or by freeing the memory. A store after
//! loads and a load after stores must wait as well. If the program has no such wait, as in kernels
//! of CuTe DSL, this pass inserts one before the signal. The wait costs nothing if the registers
//! have already been used.

use cute_dialect::{atom::CopyAtom, types::value_of, value::Value as Cute};
use cute_ffi::ir::{self, op_name};
use cute_ffi::lowered::keyword;
use cute_ptx::{Keyword, Spelling, TensorWait};
use melior::ir::{
    BlockRef,
    operation::{OperationLike, OperationRef},
};

use super::elect::is_product;
use crate::{Builder, Built};

/// Puts the waits of all functions.
pub(super) fn run(root: OperationRef<'_, '_>) -> Built<()> {
    for function in ir::functions(root) {
        if ir::walk(function).into_iter().any(|op| Access::of(op).is_some()) {
            in_blocks(&ir::blocks(function), Pending::default())?;
        }
    }
    Ok(())
}

/// The effect of an atom's call on tensor memory.
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

    fn wait(self) -> TensorWait {
        match self {
            Self::Load => TensorWait::Load,
            Self::Store => TensorWait::Store,
        }
    }
}

/// Operations that have not been waited for.
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

    /// Waits before an op for pending operations of a kind.
    fn wait(&mut self, op: OperationRef<'_, '_>, access: Access) -> Built<()> {
        if std::mem::take(self.of(access)) {
            let b = Builder::before(op);
            let kind = b.attribute(&access.wait().nvvm_attribute())?;
            b.effect("nvvm.tcgen05.wait", &[], &[("kind", kind)])?;
        }
        Ok(())
    }

    fn or(self, other: Self) -> Self {
        Self { load: self.load || other.load, store: self.store || other.store }
    }
}

/// Operations that may be pending after blocks that may execute in any order, such as those of a
/// loop.
fn in_blocks(blocks: &[BlockRef<'_, '_>], before: Pending) -> Built<Pending> {
    let mut pending = before;
    loop {
        let mut after = pending;
        for block in blocks {
            after = after.or(in_block(*block, pending)?);
        }
        // The next iteration finds a wait that has been inserted.
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
            let kind = op.attribute("kind").ok().and_then(keyword);
            let kind = kind.and_then(|word| TensorWait::read(Spelling::Nvvm, word));
            for access in [Access::Load, Access::Store] {
                *pending.of(access) &= kind != Some(access.wait());
            }
        } else if ir::walk(op).into_iter().any(tells) {
            pending.wait(op, Access::Load)?;
            pending.wait(op, Access::Store)?;
        }
        pending = in_blocks(&ir::blocks(op), pending)?;
    }
    Ok(pending)
}

/// Whether an op signals to another agent that earlier operations are complete, or allows one to
/// overwrite the memory.
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
fn assembly<'c>(op: OperationRef<'c, '_>) -> Option<&'c str> {
    let name = match op_name(op) {
        "llvm.inline_asm" => "asm_string",
        "nvvm.inline_ptx" => "ptxCode",
        _ => return None,
    };
    op.attribute(name).ok().and_then(ir::string)
}
