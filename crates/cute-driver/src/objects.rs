//! Rejects the objects that no device of the target has room for: constants and variables of a
//! module, and the stack of a thread. LLVM would first write them out, and ptxas would then reject
//! the constants, whereas a stack of 4 GB and more wraps around.

use std::collections::HashSet;

use cute_arch::Target;
use cute_ffi::{
    Severity, ir,
    lowered::{MachineType, array_parts, machine_type, vector_parts},
};
use melior::ir::{
    Attribute, Location, Type, Value,
    attribute::{FlatSymbolRefAttribute, IntegerAttribute, TypeAttribute},
    operation::{OperationLike, OperationRef},
};

use crate::{Error, Result, manifest, signature::symbol};

/// The address spaces of variables in global and constant memory.
const GLOBAL: [i64; 2] = [0, 1];
const CONSTANT: i64 = 4;
/// The linkages of what no other module sees. LLVM drops it if nobody uses it.
const HIDDEN: [&str; 2] = ["#llvm.linkage<internal>", "#llvm.linkage<private>"];

/// Rejects what does not fit.
///
/// # Errors
/// [`Error::Reported`], after a diagnostic for each object, or one for all constants.
pub fn check(gpu_module: OperationRef<'_, '_>, target: Target) -> Result<()> {
    let ops = ir::walk(gpu_module);
    let right = [variables(&ops), constants(&ops, target), stacks(gpu_module)];
    if right.into_iter().all(|right| right) { Ok(()) } else { Err(Error::Reported) }
}

/// A variable or a constant that a kernel uses, or that other modules see.
struct Object<'c> {
    place: Location<'c>,
    name: String,
    space: i64,
    bytes: u64,
}

fn objects<'c>(ops: &[OperationRef<'c, 'c>]) -> Vec<Object<'c>> {
    let named = |op: &OperationRef<'c, 'c>| {
        Some(FlatSymbolRefAttribute::try_from(op.attribute("global_name").ok()?).ok()?.value().to_owned())
    };
    let used: HashSet<String> = ops.iter().filter_map(named).collect();
    let object = |op: &OperationRef<'c, 'c>| {
        let name = symbol(*op);
        let hidden = op
            .attribute("linkage")
            .is_ok_and(|own| HIDDEN.iter().any(|text| Attribute::parse(ir::context(*op), text) == Some(own)));
        if !manifest::is_op(*op, "llvm.mlir.global") || hidden && !used.contains(&name) {
            return None;
        }
        let ty = TypeAttribute::try_from(op.attribute("global_type").ok()?).ok()?.value();
        let space = op.attribute("addr_space").ok().and_then(|a| IntegerAttribute::try_from(a).ok());
        let space = space.map_or(0, |space| space.value());
        Some(Object { place: ir::location(*op), name, space, bytes: bytes_of(ty) })
    };
    ops.iter().filter_map(object).collect()
}

fn variables(ops: &[OperationRef<'_, '_>]) -> bool {
    let most = Target::MAX_GLOBAL_MEMORY;
    let too_large = |object: &Object<'_>| GLOBAL.contains(&object.space) && object.bytes > most;
    let wrong: Vec<_> = objects(ops).into_iter().filter(too_large).collect();
    for Object { place, name, bytes, .. } in &wrong {
        let text = format!(
            "'@{name}' has {bytes} bytes of global memory, but no GPU has more than {most} (1 TiB): pass the address of memory that the \
             host allocates"
        );
        cute_ffi::emit(*place, Severity::Error, &text, &[]);
    }
    wrong.is_empty()
}

fn constants(ops: &[OperationRef<'_, '_>], target: Target) -> bool {
    let mut all: Vec<_> = objects(ops).into_iter().filter(|object| object.space == CONSTANT).collect();
    all.sort_by_key(|object| std::cmp::Reverse(object.bytes));
    let (total, most) =
        (all.iter().fold(0u64, |sum, object| sum.saturating_add(object.bytes)), Target::MAX_CONSTANT_MEMORY);
    let Some(largest) = all.first().filter(|_| total > most) else { return true };
    let text = format!(
        "the module declares {total} bytes of constant memory, but {target} has {most}; use global memory (addr_space = 1) for more"
    );
    let part = |object: &Object<'_>| format!("{} bytes: @{}", object.bytes, object.name);
    let notes: Vec<_> = all.iter().map(|object| (object.place, part(object))).collect();
    cute_ffi::emit(largest.place, Severity::Error, &text, &notes);
    false
}

/// Rejects functions whose memory on the stack exceeds that of a thread.
fn stacks(gpu_module: OperationRef<'_, '_>) -> bool {
    let most = u64::from(Target::MAX_LOCAL_MEMORY);
    let mut fits = true;
    for function in ir::functions(gpu_module) {
        let mut sizes: Vec<_> =
            ir::walk(function).into_iter().filter_map(|op| Some((allocated(op)?, op))).collect();
        sizes.sort_by_key(|(bytes, _)| std::cmp::Reverse(*bytes));
        let total = sizes.iter().fold(0u64, |sum, (bytes, _)| sum.saturating_add(*bytes));
        let Some((bytes, largest)) = sizes.first().filter(|_| total > most) else { continue };
        let of_all =
            if sizes.len() > 1 { format!(" of the {total} of this function") } else { String::new() };
        let text = format!(
            "'llvm.alloca' op needs {bytes} bytes{of_all} on the stack of each thread, but a thread has at most {most} of local memory; \
             use memory that the host allocates"
        );
        cute_ffi::emit(ir::location(*largest), Severity::Error, &text, &[]);
        fits = false;
    }
    fits
}

/// The bytes of an `llvm.alloca` of a static size.
fn allocated(op: OperationRef<'_, '_>) -> Option<u64> {
    if !manifest::is_op(op, "llvm.alloca") {
        return None;
    }
    let ty = TypeAttribute::try_from(op.attribute("elem_type").ok()?).ok()?.value();
    let count = number(ir::operands(op).first().copied()?)?;
    Some(bytes_of(ty).saturating_mul(count))
}

fn number(value: Value<'_, '_>) -> Option<u64> {
    let op = ir::definer(value).filter(|op| manifest::is_op(*op, "llvm.mlir.constant"))?;
    let number = IntegerAttribute::try_from(op.attribute("value").ok()?).ok()?;
    u64::try_from(number.value()).ok()
}

/// The bytes of a type, without padding between fields.
fn bytes_of(ty: Type<'_>) -> u64 {
    if let Some((extents, element)) = vector_parts(ty) {
        let count = extents.iter().fold(1, |n: u64, e| n.saturating_mul(e.unsigned_abs()));
        return count.saturating_mul(bytes_of(element));
    }
    if let Some((count, element)) = array_parts(ty) {
        return count.saturating_mul(bytes_of(element));
    }
    match machine_type(ty) {
        Some(MachineType::Struct { fields, .. }) => {
            fields.into_iter().fold(0, |sum: u64, field| sum.saturating_add(bytes_of(field)))
        }
        Some(MachineType::Integer(bits)) => u64::from(bits).div_ceil(8),
        Some(MachineType::F16 | MachineType::Bf16) => 2,
        Some(MachineType::F32) => 4,
        Some(MachineType::F64 | MachineType::Pointer(_) | MachineType::Index) => 8,
        Some(MachineType::Vector(..) | MachineType::Array(..)) | None => 0,
    }
}
