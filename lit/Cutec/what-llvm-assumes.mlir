// REQUIRES: cutec
// RUN: %cutec --emit ptx --target sm_100a %s | FileCheck %s

// To LLVM, `tcgen05.mma` only writes: of two that are the same it would keep one. And it takes for granted that a variable of
// more than 16 bytes lies at a multiple of 16, which its backend does not write.

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32} : !llvm.array<3 x i64>

  // CHECK-LABEL: .entry products(
  // CHECK: tcgen05.mma.
  // CHECK: tcgen05.mma.
  // CHECK-NOT: tcgen05.mma.
  llvm.func @products(%d: i32, %a: i64, %b: i64, %kind: i32) attributes {nvvm.kernel} {
    %yes = llvm.mlir.constant(true) : i1
    %sums = llvm.inttoptr %d : i32 to !llvm.ptr<6>
    nvvm.tcgen05.mma %sums, %a, %b, %kind, %yes {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    nvvm.tcgen05.mma %sums, %a, %b, %kind, %yes {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
    llvm.return
  }

  // CHECK-LABEL: .entry aligned(
  // CHECK: .shared .align 8 .b8 barriers[24]
  // CHECK: and.b32 {{.*}}, -16777224;
  llvm.func @aligned(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %even = llvm.mlir.constant(-16777217 : i32) : i32
    %full = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    %at = llvm.ptrtoint %full : !llvm.ptr<3> to i32
    %leader = llvm.and %at, %even : i32
    llvm.store %leader, %out : i32, !llvm.ptr<1>
    llvm.return
  }
}
