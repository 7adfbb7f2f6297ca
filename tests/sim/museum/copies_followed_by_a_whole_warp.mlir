// All lanes of a warp arrive behind their copies where the barrier expects one arrival.
//
// No public report.
//
// M5, M17: with `.noinc` each lane is one arrival. The barrier must be initialised with the number of
// lanes.
//
// launch: 1 32
// args: i32[32]=5 i32[32]
// finds: mbarrier
// says: gets 32 arrivals from 32 lanes of a warp that execute this instruction together, but each of its phases expects 1
// gives: 5 5

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
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
    nvvm.mbarrier.init %barriers, %c1, predicate = %first : !llvm.ptr<3>, i32, i1 // broken
    nvvm.mbarrier.init %barriers, %c32, predicate = %first : !llvm.ptr<3>, i32, i1 // repaired
    nvvm.barrier0
    %from = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %a = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    nvvm.cp.async.shared.global %a, %from, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.mbarrier.arrive %barriers {noinc = true} : !llvm.ptr<3>
    nvvm.mbarrier.try_wait.parity %barriers, %c0, %ticks : !llvm.ptr<3>, i32, i32
    %v = llvm.load %a : !llvm.ptr<3> -> i32
    %to = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %to : i32, !llvm.ptr<1>
    llvm.return
  }
}
