//! Rejects at compile time the kernels that a target cannot run with any launch: too much shared
//! memory or too many threads. A diagnostic at the kernel names the parts that add up.

use cute_arch::Target;
use cute_dialect::DYNAMIC_SHARED_MEMORY;
use cute_ffi::{Severity, ir};
use melior::ir::{Location, operation::OperationRef};

use crate::{
    Error, Result,
    manifest::{self, Kernel, Manifest},
    signature,
};

/// Rejects kernels that cannot run on a target.
///
/// # Errors
/// [`Error::Reported`], after a diagnostic for each kernel.
pub fn check(gpu_module: OperationRef<'_, '_>, manifest: &Manifest, target: Target) -> Result<()> {
    let mut fits = true;
    for (f, kernel) in manifest::kernels(gpu_module).zip(&manifest.kernels) {
        if let Some(why) = threads(kernel, target) {
            cute_ffi::emit(ir::location(f), Severity::Error, &why, &[]);
            fits = false;
        }
        if let Some(why) = memory(kernel, target) {
            cute_ffi::emit(ir::location(f), Severity::Error, &why, &parts(gpu_module, f, kernel));
            fits = false;
        }
    }
    if fits { Ok(()) } else { Err(Error::Reported) }
}

fn threads(kernel: &Kernel, target: Target) -> Option<String> {
    let block = kernel.block.or(kernel.max_block)?.map(|extent| extent.max(0).unsigned_abs());
    target.block_misfit(block, None).map(|why| format!("kernel '{}': {why}", kernel.name))
}

fn memory(kernel: &Kernel, target: Target) -> Option<String> {
    let memory = &kernel.shared_memory;
    let (declared, most) = (memory.r#static, target.max_static_shared_memory());
    let why = match declared > most.into() {
        // ptxas would reject it too, but would not suggest a fix.
        true => Some(format!(
            "it declares {declared} bytes of shared memory, but {target} allows {most}; use dynamic shared memory for more"
        )),
        false => target.shared_memory_misfit(declared.saturating_add(memory.dynamic_size.unwrap_or(0))),
    };
    why.map(|why| format!("kernel '{}': {why}", kernel.name))
}

/// The parts of a kernel's shared memory, the largest first, each with the location of its
/// declaration.
fn parts<'c>(
    gpu_module: OperationRef<'c, '_>,
    f: OperationRef<'c, '_>,
    kernel: &Kernel,
) -> Vec<(Location<'c>, String)> {
    let memory = &kernel.shared_memory;
    let declared = ir::walk(gpu_module).into_iter().filter_map(|op| {
        let symbol = signature::symbol(op);
        let part = memory.parts.iter().find(|p| p.symbol == symbol)?;
        let is_it = part.size > 0 && manifest::is_op(op, "llvm.mlir.global");
        is_it.then(|| (part.size, ir::location(op), format!("@{symbol}")))
    });
    let dynamic = memory.dynamic_size.filter(|n| *n > 0);
    let dynamic = dynamic.map(|n| (n, ir::location(f), DYNAMIC_SHARED_MEMORY.to_owned()));
    let mut parts: Vec<_> = declared.chain(dynamic).collect();
    parts.sort_by_key(|(size, ..)| std::cmp::Reverse(*size));
    parts.into_iter().map(|(size, place, name)| (place, format!("{size} bytes: {name}"))).collect()
}
