// The thread with number 0 arrives, but only if it is elected: no other lane arrives in its place.
//
// No public report. CUTLASS's kernels for sm_90 arrive so (sm90_gemm_tma_warpspecialized_pingpong.hpp:
// `warp_group_thread_idx == 0` within `elect_one_sync()`), and none has been seen to fail.
//
// L1: `elect.sync` elects one lane of the mask, and PTX does not say which. Devices elect the first one.
//
// launch: 1 64
// args: i32[32]=7
// under: reverse
// finds: deadlock
// says: whose phase 0 lacks 1 of 1 arrivals
// gives: 1 1

gpu.module @kernels {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %lane = llvm.urem %t, %c32 : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %loads = llvm.icmp "ult" %t, %c32 : i32
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    nvvm.mbarrier.init %full, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
    llvm.cond_br %loads, ^load, ^wait
  ^load:
    %elected = nvvm.elect.sync -> i1
    %arrives = llvm.and %elected, %first : i1 // broken
    %arrives = llvm.mlir.constant(true) : i1 // repaired
    %both = llvm.and %arrives, %elected : i1
    llvm.cond_br %both, ^arrive, ^end
  ^arrive:
    %s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
    llvm.br ^end
  ^wait:
    nvvm.mbarrier.try_wait.parity %full, %c0, %ticks : !llvm.ptr<3>, i32, i32
    %p = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %c1, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
