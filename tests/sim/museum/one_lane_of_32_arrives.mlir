// A barrier expects 32 arrivals, and only the lane that issues the copy arrives.
//
// Reported: https://github.com/NVIDIA/cutlass/issues/2404 (a producer and a consumer deadlock on
// PipelineTmaAsync), read 2026-11-22; open question there, whose pipeline counts threads where one
// of them arrives.
//
// M2: a phase ends when all arrivals have come that it expects.
//
// launch: 1 64
// finds: deadlock
// says: whose phase 0 lacks 31 of 32 arrivals

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    %count = llvm.mlir.constant(32 : i32) : i32 // broken
    %count = llvm.mlir.constant(1 : i32) : i32 // repaired
    nvvm.mbarrier.init %barriers, %count, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
    %produces = llvm.icmp "ult" %t, %c32 : i32
    llvm.cond_br %first, ^issue, ^other
  ^issue:
    nvvm.mbarrier.arrive.expect_tx %barriers, %c128 : !llvm.ptr<3>, i32
    nvvm.mbarrier.complete_tx %barriers, %c128 : !llvm.ptr<3>, i32
    llvm.br ^end
  ^other:
    llvm.cond_br %produces, ^end, ^consume
  ^consume:
    nvvm.mbarrier.try_wait.parity %barriers, %c0, %ticks : !llvm.ptr<3>, i32, i32
    llvm.br ^end
  ^end:
    llvm.return
  }
}
