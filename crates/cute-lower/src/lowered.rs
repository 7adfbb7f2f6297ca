//! Checks whether device code is lowered as far as LLVM needs it. It contains the list of dialects
//! that LLVM translates.

use cute_dialect::answer::declared_types;
use cute_ffi::ir::{self, op_name, walk};
use melior::ir::operation::OperationRef;

use cute_build::Error;

use crate::Built;

/// Dialects of which LLVM translates all ops that are left.
const TRANSLATED: [&str; 2] = ["llvm", "nvvm"];
const CAST: &str = "builtin.unrealized_conversion_cast";
/// Most ops that are reported.
const MOST_ERRORS: usize = 20;

/// Reports each op of a `gpu.module` that no pass lowers.
pub fn check(gpu_module: OperationRef<'_, '_>) -> Built<()> {
    let translated = |op: &OperationRef<'_, '_>| {
        op_name(*op).split_once('.').is_some_and(|(dialect, _)| TRANSLATED.contains(&dialect))
    };
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
    if casts.is_empty() && ops.is_empty() { Ok(()) } else { Err(Error::Reported) }
}

fn report(op: OperationRef<'_, '_>, why: &str) {
    // The location is that of the source; the name is that of the op there, or of the op that
    // canonicalization replaced it by.
    let text = format!("'{}' op: {why}", op_name(op));
    cute_ffi::emit(ir::location(op), cute_ffi::Severity::Error, &text, &[]);
}
