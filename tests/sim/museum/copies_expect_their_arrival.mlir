// Arrivals behind copies raise the count of the phase by themselves, where the count has them already.
//
// No public report; `.noinc` is easily forgotten.
//
// M17: `cp.async.mbarrier.arrive` without `.noinc` adds one to the arrivals that are pending before
// it arrives. If the barrier was initialised for these arrivals, the phase never ends.
//
// launch: 1 32
// args: i32[32]=5 i32[32]
// finds: deadlock
// says: whose phase 0 lacks 32 of 32 arrivals
// gives: 5 5

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    nvvm.mbarrier.init %barriers, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
    %a = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %src = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    nvvm.cp.async.shared.global %a, %src, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.mbarrier.arrive %barriers : !llvm.ptr<3> // broken
    nvvm.cp.async.mbarrier.arrive %barriers {noinc = true} : !llvm.ptr<3> // repaired
    nvvm.mbarrier.try_wait.parity %barriers, %c0, %ticks : !llvm.ptr<3>, i32, i32
    %other = llvm.xor %t, %c1 : i32
    %b = llvm.getelementptr %slot[%other] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.load %b : !llvm.ptr<3> -> i32
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
