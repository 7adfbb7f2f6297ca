// The two blocks of a pair run different numbers of k-blocks, and each waits for the other in every one.
//
// Reported: https://github.com/deepseek-ai/DeepGEMM/pull/429 (a grouped GEMM deadlocks when a pair
// of blocks straddles two groups), read 2026-11-22. Confirmed there with cuda-gdb on an H100.
// Related: https://github.com/deepseek-ai/DeepGEMM/pull/415.
//
// M2: a phase that expects an arrival of both blocks never ends once one of them has stopped.
//
// launch: 2 32 2
// finds: deadlock
// says: whose phase 3 lacks 1 of 2 arrivals

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    nvvm.mbarrier.init %barriers, %c2, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait {aligned}
    %blocks = llvm.sub %c4, %rank : i32 // broken
    %blocks = llvm.add %c4, %c0 : i32 // repaired
    %own = nvvm.mapa %barriers, %rank : !llvm.ptr<3> -> !llvm.ptr<7>
    %other = llvm.xor %rank, %c1 : i32
    %peer = nvvm.mapa %barriers, %other : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.cond_br %first, ^block(%c0 : i32), ^end
  ^block(%k: i32):
    nvvm.mbarrier.arrive %own : !llvm.ptr<7>
    nvvm.mbarrier.arrive %peer : !llvm.ptr<7>
    %phase = llvm.and %k, %c1 : i32
    nvvm.mbarrier.try_wait.parity %barriers, %phase, %ticks : !llvm.ptr<3>, i32, i32
    %k1 = llvm.add %k, %c1 : i32
    %more = llvm.icmp "ult" %k1, %blocks : i32
    llvm.cond_br %more, ^block(%k1 : i32), ^end
  ^end:
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    llvm.return
  }
}
