// Another block arrives at a barrier whose initialisation was never published.
//
// Reported: https://github.com/mlc-ai/TIRx-kernels/pull/9 (the fence behind the initialisation of a
// GEMM's barriers), read 2026-11-22; merged, tested there with synccheck and racecheck. Also
// https://github.com/MoonshotAI/FlashKDA/pull/25, read 2026-11-23; merged, after an audit.
//
// M15: `fence.mbarrier_init` and then the barrier of the cluster come between `mbarrier.init` and
// its use by another block.
//
// launch: 2 32 2
// finds: race
// says: `nvvm.mbarrier.init`

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    nvvm.mbarrier.init %barriers, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init // repaired
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait {aligned}
    %is1 = llvm.icmp "eq" %rank, %c1 : i32
    %arrives = llvm.and %is1, %first : i1
    %there = nvvm.mapa %barriers, %c0 : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.cond_br %arrives, ^arrive, ^end
  ^arrive:
    nvvm.mbarrier.arrive %there : !llvm.ptr<7>
    llvm.br ^end
  ^end:
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    llvm.return
  }
}
