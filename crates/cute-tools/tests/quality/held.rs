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

/// The second and the third descriptor are sums with the first one.
#[test]
fn a_descriptor_is_advanced_by_one_sum() {
    const FIRST: i64 = 0x4000_4040_0001_0000;
    let mut body = String::new();
    for step in [0, 2, 4] {
        let bits = FIRST + step;
        body += &format!(
            "%bits{step} = arith.constant {bits} : i64
             %word{step} = arith.ori %wide, %bits{step} : i64
             nvvm.tcgen05.mma %d, %word{step}, %word{step}, %word, %yes {{kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>}} : (!llvm.ptr<6>, i64, i64, i32, i1)\n"
        );
    }
    let text = compiled(
        &format!(
            "gpu.module @m {{
               gpu.func @k(%at: i32, %x: i32, %word: i32) kernel attributes {{nvvm.reqntid = array<i32: 32, 1, 1>}} {{
                 %d = llvm.inttoptr %at : i32 to !llvm.ptr<6>
                 %yes = arith.constant true
                 %mask = arith.constant 16368 : i32
                 %low = arith.andi %x, %mask : i32
                 %wide = arith.extui %low : i32 to i64
                 {body}
                 gpu.return
               }}
             }}"
        ),
        Target::Sm100a,
    );
    assert_eq!(text.matches(&FIRST.to_string()).count(), 1, "{text}");
    for step in [2, 4] {
        let sums = text.lines().filter(|l| l.contains("add.s64") && l.ends_with(&format!(", {step};")));
        assert_eq!(sums.count(), 1, "{text}");
    }
    // A descriptor is a register: `%rd1+2` would be an address.
    assert!(!text.lines().any(|l| l.contains("tcgen05.mma") && l.contains('+')), "{text}");
}
