//! Patterns of MLIR's that no pass of its own and no C API offers.

use melior::ir::operation::OperationRef;
use mlir_sys::MlirOperation;

unsafe extern "C" {
    fn cuteApplyPatterns(op: MlirOperation, which: i32) -> bool;
}

/// A set of patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patterns {
    /// Functions of the `math` dialect, of f32, by polynomials and the like.
    Polynomials,
    /// `vector.multi_reduction` by ops of vectors, `gpu.subgroup_reduce` by shuffles.
    Reductions,
}

/// Rewrites what is below an op, which must be isolated from above, until no pattern applies. Whether that came to an end.
pub fn apply(op: OperationRef<'_, '_>, which: Patterns) -> bool {
    // SAFETY: `op` is live and owned by the caller's pass; the numbers are those of `CutePatterns`.
    unsafe { cuteApplyPatterns(op.to_raw(), which as i32) }
}
