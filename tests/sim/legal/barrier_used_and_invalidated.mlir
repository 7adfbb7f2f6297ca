// A whole warp arrives at a barrier that expects 32 arrivals and a copy, all threads wait twice, and one
// thread invalidates the barrier after a barrier of the block.
//
// M5, M16: the arrivals of one instruction fill a phase, and every use comes before the end.
//
// launch: 1 64
// args: i32[32]=5 i32[64]
// gives: 5 5

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %lane = llvm.urem %t, %c32 : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %there = llvm.addrspacecast %slot : !llvm.ptr<3> to !llvm.ptr<7>
    %expected = llvm.mlir.constant(33 : i32) : i32
    nvvm.mbarrier.init %barriers, %expected, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    nvvm.barrier0
    %arrives = llvm.icmp "ult" %t, %c32 : i32
    llvm.cond_br %first, ^copy, ^next
  ^copy:
    nvvm.mbarrier.arrive.expect_tx %barriers, %c128 : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.shared.cluster.global %there, %in, %barriers, %c128 : !llvm.ptr<7>, !llvm.ptr<1>
    llvm.br ^next
  ^next:
    llvm.cond_br %arrives, ^arrive, ^wait
  ^arrive:
    %s = nvvm.mbarrier.arrive %barriers : !llvm.ptr<3> -> i64
    llvm.br ^wait
  ^wait:
    nvvm.mbarrier.try_wait.parity %barriers, %c0, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.mbarrier.try_wait.parity %barriers, %c0, %ticks : !llvm.ptr<3>, i32, i32
    %a = llvm.getelementptr %slot[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.load %a : !llvm.ptr<3> -> i32
    %to = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %to : i32, !llvm.ptr<1>
    nvvm.barrier0
    %last = llvm.icmp "eq" %t, %c32 : i32
    llvm.cond_br %last, ^end_of_use, ^end
  ^end_of_use:
    nvvm.mbarrier.inval %barriers : !llvm.ptr<3>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
