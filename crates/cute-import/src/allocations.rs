//! Shared memory that a kernel allocates by an op, `cute_nvgpu.arch.alloc_smem`, while its host
//! function asks for none: CuTe DSL's compiler makes static memory of it, of which a kernel may
//! have 48 KiB. Here it is dynamic memory like that of `cute.memref.alloca`, and each launch asks
//! for as much as the kernel allocates.

use std::collections::HashSet;

use cute_algebra::{AnyLayout, Dim, Layout};
use cute_dialect::{
    types::{type_of, value_of},
    value::{MemRef, Space, Value},
};
use cute_ffi::{ir, rewrite::Rewriter};
use melior::ir::{
    Identifier,
    attribute::IntegerAttribute,
    operation::{OperationBuilder, OperationLike, OperationRef},
};

use crate::site::{Rewritten, Site};

/// The op, in the dialect in which it is parsed.
pub const NAME: &str = "cute_drift.arch.alloc_smem";

/// Rewrites these ops and the launches of their kernels, and counts them. The error is about an op.
pub fn rewrite<'c, 'a>(rewriter: &'a Rewriter<'c>) -> Result<usize, (OperationRef<'c, 'a>, String)> {
    let ops = ir::walk(rewriter.root());
    let allocations: Vec<_> = ops.iter().copied().filter(|op| ir::op_name(*op) == NAME).collect();
    let mut kernels = HashSet::new();
    for op in &allocations {
        kernels.extend(ir::enclosing_isolated(*op).map(ir::op_identity));
        allocate(&Site::new(rewriter, *op)).map_err(|why| (*op, why))?;
    }
    for launch in ops.iter().filter(|op| ir::op_name(**op) == "cuda.launch_ex") {
        let callee = launch.attribute("callee").ok().and_then(|callee| ir::resolve(*launch, callee));
        if callee.is_some_and(|kernel| kernels.contains(&ir::op_identity(kernel))) {
            provide(rewriter, *launch).map_err(|why| (*launch, why))?;
        }
    }
    Ok(allocations.len())
}

/// `alloc_smem(N) : !cute.ptr<T, smem, align<A>>` is memory for N elements of T. Without a number,
/// it is for one.
fn allocate(op: &Site<'_, '_>) -> Rewritten {
    let [made] = op.results()[..] else { return Err("needs one result".into()) };
    let Value::Ptr(iter) = value_of(made).into_owned() else {
        return Err(format!("makes {made}, which is not a pointer"));
    };
    if iter.space != Space::Smem {
        return Err(format!("makes a pointer to {}, not to smem", iter.space.name()));
    }
    let count = match op.attribute("input").map(IntegerAttribute::try_from) {
        None => 1,
        Some(Ok(count)) => count.value(),
        Some(Err(_)) => return Err("has a number of elements that is not an integer".into()),
    };
    let layout = Layout::identity(Dim::fixed(count)).map_err(|why| format!("of {count} elements: {why}"))?;
    let view = Value::MemRef(MemRef { iter, layout: AnyLayout::from(layout) });
    let view = op.value("cute.memref.alloca", &[], &[], type_of(op.context(), &view))?;
    op.become_op("cute.get_iter", &[view], &[])
}

/// Makes a launch ask for the memory that its kernel allocates, if it asks for less.
fn provide<'c>(rewriter: &Rewriter<'c>, launch: OperationRef<'c, '_>) -> Result<(), String> {
    let config = ir::operands(launch).first().and_then(|config| ir::definer(*config));
    let Some(config) = config.filter(|op| ir::op_name(*op) == "cuda.launch_cfg.create") else {
        return Err(
            "launches a kernel that allocates shared memory, and its configuration is not made in the \
                    same function"
                .into(),
        );
    };
    let context = ir::context(launch);
    let mut operands = ir::operands(config);
    let asked = operands[SHARED_BYTES];
    let callee = launch.attribute("callee").ok().ok_or("names no kernel")?;
    let size = OperationBuilder::new("cute.kernel_smem_size", ir::location(launch))
        .add_attributes(&[(Identifier::new(context, "kernel_name"), callee)])
        .add_results(&[ir::type_of(asked)])
        .build()
        .map_err(|why| why.to_string())?;
    let size = ir::result(ir::insert_before(config, size), 0).ok_or("has no size")?;
    operands[SHARED_BYTES] =
        Site::new(rewriter, config).value("arith.maxsi", &[asked, size], &[], ir::type_of(asked))?;
    rewriter.set_operands(config, &operands);
    Ok(())
}

/// The operand of `cuda.launch_cfg.create` with the bytes of dynamic shared memory.
const SHARED_BYTES: usize = 3;
