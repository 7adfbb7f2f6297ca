// A consumer advances to the next stage, and still waits at the barrier of the first one.
//
// Reported: https://github.com/NVIDIA/TensorRT-LLM/pull/15338 (a small GEMM gives wrong results
// while other work keeps the copies busy), read 2026-11-23; merged. Confirmed there: the pointer to
// the barrier was computed once before the loop, so the waits passed at once unless the producer
// was ahead.
//
// A stage is full for a thread that has waited for the barrier of this stage.
//
// launch: 1 32
// args: i32[96]=2 i32[32]
// finds: in_flight or race or uninitialised
// says: shared memory @slots
// gives: 6 6

gpu.module @kernels {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<3 x i64>
  llvm.mlir.global internal @slots() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<96 x i32>
  llvm.func @kernel(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %slots = llvm.mlir.addressof @slots : !llvm.ptr<3>
    llvm.cond_br %first, ^init(%c0 : i32), ^ready
  ^init(%b: i32):
    %fb = llvm.getelementptr %full[%b] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    nvvm.mbarrier.init %fb, %c1 : !llvm.ptr<3>, i32
    %b1 = llvm.add %b, %c1 : i32
    %more_b = llvm.icmp "ult" %b1, %c3 : i32
    llvm.cond_br %more_b, ^init(%b1 : i32), ^ready
  ^ready:
    nvvm.barrier0
    llvm.cond_br %first, ^load(%c0 : i32), ^start
  ^load(%l: i32):
    %fl = llvm.getelementptr %full[%l] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %offset = llvm.mul %l, %c32 : i32
    %from = llvm.getelementptr %in[%offset] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %to = llvm.getelementptr %slots[%offset] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %there = llvm.addrspacecast %to : !llvm.ptr<3> to !llvm.ptr<7>
    nvvm.mbarrier.arrive.expect_tx %fl, %c128 : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.shared.cluster.global %there, %from, %fl, %c128 : !llvm.ptr<7>, !llvm.ptr<1>
    %l1 = llvm.add %l, %c1 : i32
    %more_l = llvm.icmp "ult" %l1, %c3 : i32
    llvm.cond_br %more_l, ^load(%l1 : i32), ^start
  ^start:
    llvm.br ^multiply(%c0, %c0 : i32, i32)
  ^multiply(%k: i32, %sum: i32):
    %fk = llvm.getelementptr %full[0] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64 // broken
    %fk = llvm.getelementptr %full[%k] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64 // repaired
    nvvm.mbarrier.try_wait.parity %fk, %c0, %ticks : !llvm.ptr<3>, i32, i32
    %row = llvm.mul %k, %c32 : i32
    %at = llvm.add %row, %t : i32
    %a = llvm.getelementptr %slots[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.load %a : !llvm.ptr<3> -> i32
    %sum1 = llvm.add %sum, %v : i32
    %k1 = llvm.add %k, %c1 : i32
    %more = llvm.icmp "ult" %k1, %c3 : i32
    llvm.cond_br %more, ^multiply(%k1, %sum1 : i32, i32), ^store
  ^store:
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %sum1, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
