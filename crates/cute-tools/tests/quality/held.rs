//! Values that are computed once and kept in registers.

use cute_kernels::gemm::{sm90::GemmSm90, sm100::GemmSm100};
use cute_mlir::Target;

use crate::{compiled, example, ptx, ptx_for};

/// Lines of PTX that use a variable in shared memory, without declarations.
fn uses(ptx: &str) -> Vec<&str> {
    let declares = |line: &str| line.contains(".align") || line.starts_with("//");
    ptx.lines().map(str::trim).filter(|l| l.contains("cute_") && l.contains("smem") && !declares(l)).collect()
}

/// Kernels of one function, whose names do not contain the name of a variable.
#[test]
fn the_address_of_shared_memory_is_in_one_register() {
    let texts = [
        example("hopper/wgmma", Target::Sm90a),
        example("hopper/warp_roles", Target::Sm90a),
        example("blackwell/umma", Target::Sm100a),
        example("tma/gemm", Target::Sm120a),
        example("attention", Target::Sm90a),
        ptx(|c| GemmSm90::default().build(c)),
        ptx_for(Target::Sm100a, |c| GemmSm100::default().build(c)),
    ];
    for text in texts {
        let mut used = uses(&text);
        assert!(!used.is_empty(), "{text}");
        assert!(used.iter().all(|line| line.starts_with("mov.")), "{used:?}");
        let count = used.len();
        used.sort_by_key(|line| line.rsplit(' ').next().map(str::to_owned));
        used.dedup_by_key(|line| line.rsplit(' ').next().map(str::to_owned));
        assert_eq!(used.len(), count, "one register for each variable: {used:?}");
    }
}

/// The second block uses the address at an offset, which is part of the instruction.
#[test]
fn a_constant_offset_stays_in_the_address() {
    let text = compiled(
        "gpu.module @m {
           gpu.func @k(%value: i32, %again: i1) kernel {
             %base = cute_nvgpu.arch.get_dyn_smem() : !cute.ptr<i8, smem, align<1024>>
             %p = builtin.unrealized_conversion_cast %base : !cute.ptr<i8, smem, align<1024>> to !llvm.ptr<3>
             %far = llvm.getelementptr %p[24] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
             llvm.store volatile %value, %p : i32, !llvm.ptr<3>
             llvm.store volatile %value, %far : i32, !llvm.ptr<3>
             scf.if %again {
               llvm.store volatile %value, %far : i32, !llvm.ptr<3>
             }
             gpu.return
           }
         }",
        Target::Sm90a,
    );
    assert_eq!(uses(&text).len(), 1, "{text}");
    assert_eq!(text.matches("+24], ").count(), 2, "{text}");
}
