//! `cuda-to-gpu`: turns kernels of CuTe DSL into `gpu.func`, and removes the host functions that
//! launch them. It also decides the ABI of each kernel, and whether its assertions stay, while the
//! origin of the kernel is still known: CuTe DSL compiles no assertions by default.

use cute_arch::Target;
use cute_dialect::{host::FUNCTION_ATTRIBUTES, parameters::Abi};
use cute_ffi::{
    ir::{self, op_name, walk},
    ops::HostOp,
    rewrite::Rewriter,
};
use melior::ir::{
    Attribute, Identifier, Region,
    attribute::{DenseI32ArrayAttribute, StringAttribute},
    operation::{OperationLike, OperationRef},
};

use crate::{Builder, Built, hosts::launches, shared};

/// Runs the pass. Kernels get the ABI of this name. If it is empty, kernels of CuTe DSL get that of
/// CuTe DSL, and others keep their own. Without runtime checks, kernels of CuTe DSL lose their
/// assertions.
pub fn run(rewriter: &Rewriter<'_>, abi: &str, runtime_checks: bool) -> Built<()> {
    let root = rewriter.root();
    let asked = match abi {
        "" => None,
        name => Some(Builder::before(root).ask(name.parse::<Abi>())?),
    };
    shared::resolve_sizes(rewriter)?;
    let ops = walk(root);
    for op in ops.iter().filter(|op| is_of_dsl(**op) || ir::is_kernel(**op)) {
        if let Some(abi) = asked.or_else(|| is_of_dsl(*op).then_some(Abi::Dsl)) {
            let name = StringAttribute::new(ir::context(root), abi.name());
            ir::set_attribute(*op, Abi::ATTRIBUTE, name.into());
        }
    }
    for kernel in ops.iter().filter(|op| is_of_dsl(**op) && !runtime_checks) {
        walk(*kernel).into_iter().filter(|op| op_name(*op) == "cf.assert").for_each(|op| rewriter.erase(op));
    }
    for kernel in ops.iter().filter(|op| is_of_dsl(**op) && has_registers_enough(**op)) {
        walk(*kernel).into_iter().filter(|op| op_name(*op) == REGISTERS).for_each(|op| rewriter.erase(op));
    }
    for host in ops.iter().filter(|op| launches(**op)) {
        rewriter.erase(*host);
    }
    for op in ops {
        match HostOp::from_name(op_name(op)) {
            Some(HostOp::Kernel) => kernel(rewriter, op)?,
            Some(HostOp::Return) => {
                Builder::before(op).effect("gpu.return", &[], &[])?;
                rewriter.erase(op);
            }
            _ => {}
        }
    }
    Ok(())
}

/// The op that moves registers between warps.
const REGISTERS: &str = "nvvm.setmaxregister";
/// Whether each thread of a kernel of CuTe DSL can have all the registers that code can name, so
/// that none need to move. In such a kernel, ptxas ignores `setmaxnreg` unless the kernel specifies
/// blocks per multiprocessor. If ptxas used it, the kernel would begin with as many registers as
/// the largest `setmaxnreg`, and fewer blocks would share a multiprocessor.
fn has_registers_enough(kernel: OperationRef<'_, '_>) -> bool {
    let extents = kernel.attribute("nvvm.reqntid").and_then(DenseI32ArrayAttribute::try_from);
    let threads = extents.map(|e| cute_arch::volume((0..e.len()).filter_map(|i| e.element(i).ok())));
    let asks = ["nvvm.minctasm", "nvvm.maxnreg"].iter().any(|a| kernel.has_attribute(a));
    let fits = |threads: i64| u32::try_from(threads).is_ok_and(has_all_registers);
    threads.is_ok_and(fits) && !asks
}

/// Whether a block of this many threads can have the largest number of registers for each of them,
/// on the targets that have `setmaxnreg`, whose limits are the same.
fn has_all_registers(threads: u32) -> bool {
    let target = Target::Sm90a;
    target.registers_per_thread_of_block(threads.max(1)) == target.max_registers_per_thread()
}

fn is_of_dsl(op: OperationRef<'_, '_>) -> bool {
    HostOp::from_name(op_name(op)) == Some(HostOp::Kernel)
}

/// Turns a kernel into a `gpu.func` with the same attributes, except those that only concern the
/// driver's function object and do not affect the code.
fn kernel<'c>(rewriter: &Rewriter<'c>, op: OperationRef<'c, '_>) -> Built<()> {
    let dropped = [FUNCTION_ATTRIBUTES, "cute.kernel", "sym_visibility", "res_attrs"];
    let context = ir::context(op);
    let is_kept = |name: &Identifier<'_>| name.as_string_ref().as_str().is_ok_and(|n| !dropped.contains(&n));
    let mut attributes: Vec<_> = op.attributes().filter(|(name, _)| is_kept(name)).collect();
    if !op.has_attribute("gpu.kernel") {
        attributes.push((Identifier::new(context, "gpu.kernel"), Attribute::unit(context)));
    }
    let made = Builder::before(op).op("gpu.func").attributes_of(&attributes).regions(vec![Region::new()]);
    rewriter.move_body(op, made.results(&[]).build()?);
    rewriter.erase(op);
    Ok(())
}
