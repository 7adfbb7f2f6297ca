// Two blocks load halves of a slot for both, hand it back with arrivals of their own scope, and drain at the end.
//
// Legal: a producer begins with a wait for parity 1. The peer's bytes may come before the own ones
// are expected. An arrival at the other block's barrier says that reads are over, whatever its
// scope. A producer that waits for the last releases needs no barrier of the cluster before it
// returns.
//
// The proxy fence between the reads and the next load is what X4 asks for; it needs no wider scope.
//
// launch: 2 64 2
// args: i32[96]=2 i32[64]
// gives: 6 6

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %empty = llvm.getelementptr %barriers[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
    nvvm.mbarrier.init %barriers, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.init %empty, %c2, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait {aligned}
    %half = llvm.mul %rank, %c16 : i32
    %both = llvm.mlir.constant(3 : i16) : i16
    %mine = llvm.getelementptr %slot[%half] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %target = llvm.addrspacecast %mine : !llvm.ptr<3> to !llvm.ptr<7>
    %produces = llvm.icmp "ult" %t, %c32 : i32
    llvm.cond_br %produces, ^producer, ^consume(%c0, %c0 : i32, i32)
  ^producer:
    llvm.cond_br %first, ^produce(%c0 : i32), ^end
  ^produce(%k: i32):
    %odd = llvm.and %k, %c1 : i32
    %free = llvm.xor %odd, %c1 : i32
    nvvm.mbarrier.try_wait.parity %empty, %free, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.mbarrier.arrive.expect_tx %barriers, %c128 : !llvm.ptr<3>, i32
    %row = llvm.mul %k, %c32 : i32
    %from = llvm.add %row, %half : i32
    %src = llvm.getelementptr %in[%from] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    nvvm.cp.async.bulk.shared.cluster.global %target, %src, %barriers, %c64 multicast_mask = %both : !llvm.ptr<7>, !llvm.ptr<1>
    %k1 = llvm.add %k, %c1 : i32
    %again = llvm.icmp "ult" %k1, %c3 : i32
    llvm.cond_br %again, ^produce(%k1 : i32), ^drain
  ^drain:
    nvvm.mbarrier.try_wait.parity %empty, %c0, %ticks : !llvm.ptr<3>, i32, i32
    llvm.br ^end
  ^consume(%n: i32, %sum: i32):
    %lane = llvm.urem %t, %c32 : i32
    %phase = llvm.and %n, %c1 : i32
    nvvm.mbarrier.try_wait.parity %barriers, %phase, %ticks : !llvm.ptr<3>, i32, i32
    %a = llvm.getelementptr %slot[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.load %a : !llvm.ptr<3> -> i32
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    %all = llvm.mlir.constant(-1 : i32) : i32
    nvvm.bar.warp.sync %all : i32
    %leads = nvvm.elect.sync -> i1
    llvm.cond_br %leads, ^release, ^next
  ^release:
    %e0 = nvvm.mapa %empty, %c0 : !llvm.ptr<3> -> !llvm.ptr<7>
    %e1 = nvvm.mapa %empty, %c1 : !llvm.ptr<3> -> !llvm.ptr<7>
    nvvm.mbarrier.arrive %e0 : !llvm.ptr<7>
    nvvm.mbarrier.arrive %e1 : !llvm.ptr<7>
    llvm.br ^next
  ^next:
    %sum1 = llvm.add %sum, %v : i32
    %n1 = llvm.add %n, %c1 : i32
    %more = llvm.icmp "ult" %n1, %c3 : i32
    llvm.cond_br %more, ^consume(%n1, %sum1 : i32, i32), ^store
  ^store:
    %start = llvm.mul %rank, %c32 : i32
    %to = llvm.add %start, %lane : i32
    %p = llvm.getelementptr %out[%to] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %sum1, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
