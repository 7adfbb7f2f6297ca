//! Checks whether device code is lowered as far as LLVM needs it: its ops, and the types in them.
//! It contains the list of dialects that LLVM translates.

use cute_dialect::hooks::declared_types;
use cute_ffi::ir::{self, op_name, walk};
use cute_ffi::lowered::is_translatable;
use melior::ir::Type;
use melior::ir::attribute::TypeAttribute;
use melior::ir::operation::{OperationLike, OperationRef};
use rustc_hash::FxHashMap;

use cute_build::Error;

use crate::Built;

/// Dialects of which LLVM translates all ops that are left.
const TRANSLATED: [&str; 2] = ["llvm", "nvvm"];
/// Attributes of these dialects that are types.
const NAMED_TYPES: [&str; 2] = ["elem_type", "global_type"];
/// Ops that a module has beside its functions. MLIR's translation crashes on an instruction there.
const DECLARATIONS: [&str; 9] = [
    "llvm.comdat",
    "llvm.func",
    "llvm.linker_options",
    "llvm.mlir.alias",
    "llvm.mlir.global",
    "llvm.mlir.global_ctors",
    "llvm.mlir.global_dtors",
    "llvm.mlir.ifunc",
    "llvm.module_flags",
];
const CAST: &str = "builtin.unrealized_conversion_cast";
/// Most ops that are reported.
const MOST_ERRORS: usize = 20;

/// Reports each op of a `gpu.module` that no pass lowers.
pub fn check(gpu_module: OperationRef<'_, '_>) -> Built<()> {
    let translated = |op: &OperationRef<'_, '_>| {
        op_name(*op).split_once('.').is_some_and(|(dialect, _)| TRANSLATED.contains(&dialect))
    };
    let context = ir::context(gpu_module);
    let mut unknown: Vec<_> = walk(gpu_module).into_iter().filter(translated).collect();
    // The nvvm dialect accepts ops that it does not know, and the translation has no place to name.
    let mut names = FxHashMap::default();
    unknown.retain(|op| {
        let name = op_name(*op);
        !*names.entry(name).or_insert_with(|| context.is_registered_operation(name))
    });
    for op in unknown.iter().take(MOST_ERRORS) {
        report(*op, "the dialect does not know it");
    }
    if !unknown.is_empty() {
        return Err(Error::Reported);
    }
    let left = walk(gpu_module).into_iter().skip(1).filter(|op| !translated(op));
    let (casts, ops): (Vec<_>, Vec<_>) = left.partition(|op| op_name(*op) == CAST);
    for op in ops.iter().take(MOST_ERRORS) {
        report(*op, "no pass lowers it to the llvm or nvvm dialect");
    }
    // A cast that remains beside an op that was not lowered is not reported. A cast alone is.
    for cast in casts.iter().take(if ops.is_empty() { MOST_ERRORS } else { 0 }) {
        let types = |types: Vec<String>| types.join(", ");
        let from = types(ir::operands(*cast).into_iter().map(|v| ir::type_of(v).to_string()).collect());
        let to = types(declared_types(*cast).iter().map(ToString::to_string).collect());
        report(*cast, &format!("no pass makes {to} of {from}"));
    }
    if !casts.is_empty() || !ops.is_empty() {
        return Err(Error::Reported);
    }
    let direct = ir::blocks(gpu_module).into_iter().flat_map(ir::ops);
    let outside: Vec<_> = direct.filter(|op| !DECLARATIONS.contains(&op_name(*op))).collect();
    for op in outside.iter().take(MOST_ERRORS) {
        report(*op, "it is outside of the functions of its module; move it into a kernel");
    }
    if !outside.is_empty() {
        return Err(Error::Reported);
    }
    let foreign: Vec<_> =
        walk(gpu_module).into_iter().filter_map(|op| Some((op, foreign_type(op)?))).collect();
    for (op, ty) in foreign.iter().take(MOST_ERRORS) {
        report(*op, &format!("LLVM has no type for {ty}"));
    }
    if foreign.is_empty() { Ok(()) } else { Err(Error::Reported) }
}

/// A type in an op that LLVM does not have. The verifier of the llvm dialect does not look into an
/// array, such as `!llvm.array<2 x index>`.
fn foreign_type<'c>(op: OperationRef<'c, '_>) -> Option<Type<'c>> {
    let named = NAMED_TYPES.iter().filter_map(|name| TypeAttribute::try_from(op.attribute(name).ok()?).ok());
    let arguments = ir::blocks(op).into_iter().flat_map(ir::arguments).map(ir::type_of);
    let named = named.map(|attribute| attribute.value());
    named.chain(arguments).chain(declared_types(op)).find(|ty| !is_translatable(*ty))
}

fn report(op: OperationRef<'_, '_>, why: &str) {
    // The location is that of the source; the name is that of the op there, or of the op that
    // canonicalization replaced it by.
    let text = format!("'{}' op: {why}", op_name(op));
    cute_ffi::emit(ir::location(op), cute_ffi::Severity::Error, &text, &[]);
}
