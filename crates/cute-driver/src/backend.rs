//! The PTX version that LLVM writes for each target. The version satisfies both LLVM and the
//! instructions of the target.

use cute_arch::Target;

/// PTX version to write, ten times: 86 is `.version 8.6`.
///
/// It is the lowest version that both LLVM 22 accepts for the target (`NVPTX.td`) and the
/// instructions of the target need (PTX ISA, "PTX ISA Notes"): 8.7 for `mma.sync` on e4m3 and e5m2
/// with f16 accumulators, 8.8 for accesses of 256 bits. The ptxas of CUDA 13.0 and newer accepts
/// all of them.
///
/// ```
/// use cute_arch::Target;
/// use cute_driver::backend::version;
/// assert_eq!([Target::Sm80, Target::Sm90a, Target::Sm110a].map(version), [78, 87, 90]);
/// ```
pub const fn version(target: Target) -> u32 {
    match target.compute_capability() {
        (8, 0..=7) => 78,
        (10 | 12, _) => 88,
        (11, _) => 90,
        _ => 87,
    }
}

/// LLVM's feature for [`version`]: `+ptx87`.
pub fn llvm_features(target: Target) -> String {
    format!("+ptx{}", version(target))
}
