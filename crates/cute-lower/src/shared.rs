//! The layout of a kernel's dynamic shared memory: where each `cute.memref.alloca` in shared memory
//! lies, and how many bytes a launch has to provide.
//!
//! Partitions lie one after the other, in the order of their numbers. In each, allocations lie in
//! the order of their ops, each at the alignment of its type. Removing an op never moves another
//! one up, so a size that is computed early is large enough for the code that is emitted later.

use std::{cmp::Reverse, collections::HashMap};

use cute_arch::Target;
use cute_build::Error;
use cute_dialect::{
    types::value_of,
    value::{Space, Value as Cute},
};
use cute_ffi::{
    Severity,
    ir::{self, op_name},
    ops::{HostOp, OpKind},
    rewrite::Rewriter,
};
use melior::ir::{
    attribute::IntegerAttribute,
    operation::{OperationLike, OperationRef},
};

use crate::{Builder, Built, reach::reach};

/// The number of an allocation's partition.
const PARTITION: &str = "smem.partition_id";
/// The partition of an allocation without a number: that of the user's allocations.
const USER: i64 = 1;

/// The dynamic shared memory of a kernel.
#[derive(Default)]
pub struct Shared {
    /// The offset of each allocation, by the identity of its op.
    offsets: HashMap<usize, i64>,
    /// Each partition that has allocations, with the offset at which it ends.
    ends: Vec<(i64, i64)>,
    /// The largest alignment of an allocation.
    pub align: i64,
}

impl Shared {
    /// The memory of a kernel.
    pub fn of(function: OperationRef<'_, '_>) -> Built<Self> {
        let ops = ir::walk(function);
        let mut allocations = Vec::new();
        for op in ops.iter().filter(|op| is_allocation(**op)) {
            allocations.push((partition(*op)?, *op));
        }
        if let Some((_, op)) = allocations.first()
            && ops.iter().any(|op| op_name(*op) == OpKind::GetDynSmem.name())
        {
            return Builder::before(*op).refuse(&format!(
                "allocates dynamic shared memory, and '{}' takes its base: the two would overlap",
                OpKind::GetDynSmem.name()
            ));
        }
        allocations.sort_by_key(|(partition, _)| *partition);
        let mut shared = Self::default();
        let mut end = 0_i64;
        for (partition, op) in allocations {
            let (bytes, align) = size(op)?;
            let offset = end.checked_add(align - 1).map(|n| n / align * align);
            let next = offset.and_then(|n| n.checked_add(bytes)).filter(|n| i32::try_from(*n).is_ok());
            let (Some(offset), Some(next)) = (offset, next) else {
                return Builder::before(op)
                    .refuse(&format!("of {bytes} bytes after {end} bytes is too large"));
            };
            shared.offsets.insert(ir::op_identity(op), offset);
            shared.align = shared.align.max(align);
            end = next;
            match shared.ends.last_mut() {
                Some((last, its_end)) if *last == partition => *its_end = end,
                _ => shared.ends.push((partition, end)),
            }
        }
        Ok(shared)
    }

    /// The offset of an allocation.
    pub fn offset(&self, op: OperationRef<'_, '_>) -> Option<i64> {
        self.offsets.get(&ir::op_identity(op)).copied()
    }

    /// The bytes of all allocations.
    pub fn bytes(&self) -> i64 {
        self.ends.last().map_or(0, |(_, end)| *end)
    }

    /// The bytes up to the end of a partition.
    pub fn bytes_up_to(&self, partition: i64) -> i64 {
        let ends = self.ends.iter().take_while(|(own, _)| *own <= partition);
        ends.last().map_or(0, |(_, end)| *end)
    }
}

/// Whether an op allocates dynamic shared memory.
pub fn is_allocation(op: OperationRef<'_, '_>) -> bool {
    op_name(op) == OpKind::MemRefAlloca.name()
        && ir::result(op, 0).is_some_and(|made| {
            matches!(&*value_of(ir::type_of(made)), Cute::MemRef(view) if view.iter.space == Space::Smem)
        })
}

fn partition(op: OperationRef<'_, '_>) -> Built<i64> {
    let Ok(attribute) = op.attribute(PARTITION) else { return Ok(USER) };
    match IntegerAttribute::try_from(attribute).map(|n| n.value()) {
        Ok(n) if n >= 0 => Ok(n),
        _ => Builder::before(op)
            .refuse(&format!("'{PARTITION}' must be an integer from 0 on, found {attribute}")),
    }
}

/// The bytes of an allocation, and its alignment.
fn size<'c>(op: OperationRef<'c, '_>) -> Built<(i64, i64)> {
    let made = ir::result(op, 0).expect("an allocation has a result");
    let Cute::MemRef(view) = value_of(ir::type_of(made)).into_owned() else {
        return Builder::before(op).refuse("does not make a view");
    };
    let elements = reach(op, &view.layout)?;
    let bits = view.iter.bits().and_then(|bits| elements.checked_mul(bits.into()));
    match bits.and_then(|bits| bits.checked_add(7)) {
        Some(bits) => Ok((bits / 8, view.iter.align.max(1))),
        None => Builder::before(op).refuse(&format!("of {elements} elements is too large")),
    }
}

/// Rejects the kernels whose allocations are more than a block of a target has. The notes name the
/// allocations, the largest first.
pub fn check(root: OperationRef<'_, '_>, target: Target) -> Built<()> {
    let mut fits = Ok(());
    for kernel in ir::functions(root).into_iter().filter(|function| ir::is_kernel(*function)) {
        let needed = u64::try_from(Shared::of(kernel)?.bytes()).unwrap_or_default();
        let Some(why) = target.shared_memory_misfit(needed) else { continue };
        let allocations = ir::walk(kernel).into_iter().filter(|op| is_allocation(*op));
        let mut parts: Vec<_> =
            allocations.map(|op| Ok((size(op)?.0, ir::location(op), op_name(op)))).collect::<Built<_>>()?;
        parts.sort_by_key(|(bytes, ..)| Reverse(*bytes));
        let notes: Vec<_> =
            parts.into_iter().map(|(bytes, place, op)| (place, format!("{bytes} bytes: {op}"))).collect();
        let text = format!("kernel '{}': {why}", ir::symbol_name(kernel).unwrap_or_default());
        cute_ffi::emit(ir::location(kernel), Severity::Error, &text, &notes);
        fits = Err(Error::Reported);
    }
    fits
}

/// Replaces each size of a kernel's shared memory by a constant, while all kernels have their
/// bodies.
pub fn resolve_sizes(rewriter: &Rewriter<'_>) -> Built<()> {
    for op in ir::walk(rewriter.root()) {
        if op_name(op) != OpKind::KernelSmemSize.name() {
            continue;
        }
        let b = Builder::before(op);
        let Ok(symbol) = op.attribute("kernel_name") else { return b.refuse("has no kernel_name") };
        let kernel = ir::resolve(op, symbol);
        let is_kernel = |kernel: &OperationRef<'_, '_>| {
            HostOp::from_name(op_name(*kernel)) == Some(HostOp::Kernel) || ir::is_kernel(*kernel)
        };
        let Some(kernel) = kernel.filter(is_kernel) else {
            return b.refuse(&format!("names {symbol}, which is not a kernel of this module"));
        };
        let bytes = Shared::of(kernel)?.bytes();
        let made = ir::result(op, 0).expect("the op has a result");
        let constant = IntegerAttribute::new(ir::type_of(made), bytes);
        let constant = b.typed("arith.constant", &[], ir::type_of(made), &[("value", constant.into())])?;
        rewriter.replace_uses(made, constant);
        rewriter.erase(op);
    }
    Ok(())
}
