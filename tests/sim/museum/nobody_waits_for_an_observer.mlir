// A third warp waits for each phase of a ring, but releases no slot, so that the ring may be two phases further before
// it asks.
//
// No public report. Related: https://github.com/triton-lang/triton/issues/10669, where a block of a cluster is late,
// read 2026-11-22.
//
// M8: the next phase must end after every wait for this one.
//
// launch: 1 96
// args: i32[32]
// finds: missed_phase or deadlock
// says: of the mbarrier at byte 0 of shared memory @full
// gives: 6 6 6

gpu.module @kernels {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.mlir.global internal @empty() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 4 : i64} : !llvm.array<1 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %lane = llvm.urem %t, %c32 : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %leads = llvm.icmp "eq" %lane, %c0 : i32
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %empty = llvm.mlir.addressof @empty : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    nvvm.mbarrier.init %full, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.init %empty, %c1, predicate = %first : !llvm.ptr<3>, i32, i1 // broken
    nvvm.mbarrier.init %empty, %c2, predicate = %first : !llvm.ptr<3>, i32, i1 // repaired
    nvvm.barrier0
    %produces = llvm.icmp "ult" %t, %c32 : i32
    %consumes = llvm.icmp "ult" %t, %c64 : i32
    llvm.cond_br %produces, ^producer, ^other_roles
  ^other_roles:
    llvm.cond_br %consumes, ^consume(%c0, %c0 : i32, i32), ^observe(%c0 : i32)
  ^producer:
    %elected = nvvm.elect.sync -> i1
    llvm.br ^produce(%c0 : i32)
  ^produce(%i: i32):
    %even = llvm.and %i, %c1 : i32
    %free = llvm.xor %even, %c1 : i32
    nvvm.mbarrier.try_wait.parity %empty, %free, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.bar.warp.sync %all : i32
    llvm.cond_br %elected, ^fill, ^filled
  ^fill:
    llvm.store %i, %slot : i32, !llvm.ptr<3>
    %s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
    llvm.br ^filled
  ^filled:
    %i1 = llvm.add %i, %c1 : i32
    %again = llvm.icmp "ult" %i1, %c4 : i32
    llvm.cond_br %again, ^produce(%i1 : i32), ^end
  ^consume(%k: i32, %sum: i32):
    %q = llvm.and %k, %c1 : i32
    nvvm.mbarrier.try_wait.parity %full, %q, %ticks : !llvm.ptr<3>, i32, i32
    %v = llvm.load %slot : !llvm.ptr<3> -> i32
    %sum1 = llvm.add %sum, %v : i32
    nvvm.bar.warp.sync %all : i32
    llvm.cond_br %leads, ^release, ^consumed
  ^release:
    %e = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64
    llvm.br ^consumed
  ^consumed:
    %k1 = llvm.add %k, %c1 : i32
    %more = llvm.icmp "ult" %k1, %c4 : i32
    llvm.cond_br %more, ^consume(%k1, %sum1 : i32, i32), ^store
  ^store:
    %p = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %sum1, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^observe(%n: i32):
    %r = llvm.and %n, %c1 : i32
    nvvm.mbarrier.try_wait.parity %full, %r, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.bar.warp.sync %all : i32 // repaired
    llvm.cond_br %leads, ^seen, ^observed // repaired
    llvm.br ^observed // broken
  ^seen: // repaired
    %o = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64 // repaired
    llvm.br ^observed // repaired
  ^observed:
    %n1 = llvm.add %n, %c1 : i32
    %on = llvm.icmp "ult" %n1, %c4 : i32
    llvm.cond_br %on, ^observe(%n1 : i32), ^end
  ^end:
    llvm.return
  }
}
