// A producer loads the next tile when the last one has come, and not when it has been read.
//
// No public report; the wait for the empty barrier is lost when a loop is peeled.
//
// X4 without its chain: a slot that threads read is theirs until their arrivals are waited for.
//
// launch: 1 64
// args: i32[64]=4 i32[32]
// finds: race or in_flight or deadlock
// says: shared memory @
// gives: 8 8

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    %empty = llvm.getelementptr %barriers[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %there = llvm.addrspacecast %slot : !llvm.ptr<3> to !llvm.ptr<7>
    nvvm.mbarrier.init %barriers, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.init %empty, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
    %produces = llvm.icmp "ult" %t, %c32 : i32
    llvm.cond_br %produces, ^producer, ^consume(%c0, %c0 : i32, i32)
  ^producer:
    llvm.cond_br %first, ^produce(%c0 : i32), ^end
  ^produce(%k: i32):
    %before = llvm.xor %k, %c1 : i32
    nvvm.mbarrier.try_wait.parity %barriers, %before, %ticks : !llvm.ptr<3>, i32, i32 // broken
    nvvm.mbarrier.try_wait.parity %empty, %before, %ticks : !llvm.ptr<3>, i32, i32 // repaired
    nvvm.mbarrier.arrive.expect_tx %barriers, %c128 : !llvm.ptr<3>, i32
    %row = llvm.mul %k, %c32 : i32
    %src = llvm.getelementptr %in[%row] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    nvvm.cp.async.bulk.shared.cluster.global %there, %src, %barriers, %c128 : !llvm.ptr<7>, !llvm.ptr<1>
    %k1 = llvm.add %k, %c1 : i32
    %again = llvm.icmp "ult" %k1, %c2 : i32
    llvm.cond_br %again, ^produce(%k1 : i32), ^end
  ^consume(%n: i32, %sum: i32):
    %lane = llvm.sub %t, %c32 : i32
    nvvm.mbarrier.try_wait.parity %barriers, %n, %ticks : !llvm.ptr<3>, i32, i32
    %a = llvm.getelementptr %slot[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.load %a : !llvm.ptr<3> -> i32
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    %s = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64
    %sum1 = llvm.add %sum, %v : i32
    %n1 = llvm.add %n, %c1 : i32
    %more = llvm.icmp "ult" %n1, %c2 : i32
    llvm.cond_br %more, ^consume(%n1, %sum1 : i32, i32), ^store
  ^store:
    %p = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %sum1, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
