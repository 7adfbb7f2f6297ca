//! Rejects values that are too large for LLVM's code generation, which makes a node of each scalar:
//! its time grows with the square of their number, and beyond some size it crashes.

use cute_ffi::{
    Severity, ir,
    lowered::{MachineType, machine_type, vector_parts},
};
use melior::ir::{Type, Value, operation::OperationRef};

use crate::{Error, Result};

/// The most scalars of a value. A thread has 255 registers.
const MOST_SCALARS: u64 = 4096;

/// The most bits of an integer. Multiplication takes a number of instructions that grows with their
/// square.
const MOST_BITS: u32 = 4096;

/// Reports each value of a function that is too large.
///
/// # Errors
/// [`Error::Reported`], after a diagnostic for each op that has such a result, and each function or
/// block that has such an argument.
pub fn check(gpu_module: OperationRef<'_, '_>) -> Result<()> {
    let mut fits = true;
    for function in ir::functions(gpu_module) {
        for op in ir::walk(function) {
            let results = (0..).map_while(|i| ir::result(op, i));
            let arguments = ir::blocks(op).into_iter().flat_map(ir::arguments);
            let results = results.map(|value| ("a result", value));
            let mut values = results.chain(arguments.map(|value| ("an argument", value)));
            if let Some(why) = values.find_map(|(what, value)| too_large(what, value)) {
                let text = format!("'{}' op has {why}", ir::op_name(op));
                cute_ffi::emit(ir::location(op), Severity::Error, &text, &[]);
                fits = false;
            }
        }
    }
    if fits { Ok(()) } else { Err(Error::Reported) }
}

fn too_large(what: &str, value: Value<'_, '_>) -> Option<String> {
    let ty = ir::type_of(value);
    let bits = widest(ty);
    if bits > MOST_BITS {
        return Some(format!(
            "{what} of type {ty}, with an integer of {bits} bits; compiled code can have at most {MOST_BITS}"
        ));
    }
    let count = scalars(ty);
    (count > MOST_SCALARS).then(|| {
        format!(
            "{what} of type {ty}, which is {count} scalars for each thread; compiled code can have at most \
             {MOST_SCALARS} in one value: use smaller vectors, or a loop"
        )
    })
}

/// The parts of a type, each with the number of times that it occurs; none for a scalar.
fn parts<'c>(ty: Type<'c>) -> Vec<(u64, Type<'c>)> {
    if let Some((extents, element)) = vector_parts(ty) {
        let count = extents.iter().fold(1, |n: u64, e| n.saturating_mul(e.unsigned_abs()));
        return vec![(count, element)];
    }
    match machine_type(ty) {
        Some(MachineType::Array(count, element)) => vec![(count.into(), element)],
        Some(MachineType::Struct { fields, .. }) => fields.into_iter().map(|field| (1, field)).collect(),
        _ => Vec::new(),
    }
}

fn scalars(ty: Type<'_>) -> u64 {
    match parts(ty).as_slice() {
        [] => 1,
        parts => {
            parts.iter().fold(0, |n, (count, part)| n.saturating_add(count.saturating_mul(scalars(*part))))
        }
    }
}

/// The bits of the widest integer in a type.
fn widest(ty: Type<'_>) -> u32 {
    match machine_type(ty) {
        Some(MachineType::Integer(bits)) => bits,
        _ => parts(ty).into_iter().map(|(_, part)| widest(part)).max().unwrap_or(0),
    }
}
