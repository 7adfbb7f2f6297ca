// A tile has no k-blocks, and its consumer waits for the first one all the same.
//
// Reported: https://github.com/facebookexperimental/triton/pull/1141 (hangs of persistent kernels with
// empty splits of K), read 2026-11-22; closed. The first wait had been peeled off the loop.
//
// M2: a phase whose bytes nobody asks for never ends. Both roles have to skip such a tile.
//
// launch: 1 64
// args: i32[32]=3 i32=0 i32[32]
// finds: deadlock
// says: whose phase 0 lacks 1 of 1 arrivals
// gives: 0 0

gpu.module @kernels {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%in: !llvm.ptr<1>, %count: i32, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %there = llvm.addrspacecast %slot : !llvm.ptr<3> to !llvm.ptr<7>
    nvvm.mbarrier.init %full, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
    %lane = llvm.urem %t, %c32 : i32
    %empty = llvm.icmp "eq" %count, %c0 : i32
    %produces = llvm.icmp "ult" %t, %c32 : i32
    llvm.cond_br %produces, ^produce, ^consume
  ^produce:
    %leads = llvm.xor %empty, %first : i1
    llvm.cond_br %empty, ^end, ^leader
  ^leader:
    llvm.cond_br %leads, ^load, ^end
  ^load:
    nvvm.mbarrier.arrive.expect_tx %full, %c128 : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.shared.cluster.global %there, %in, %full, %c128 : !llvm.ptr<7>, !llvm.ptr<1>
    llvm.br ^end
  ^consume:
    llvm.br ^first // broken
    llvm.cond_br %empty, ^store(%c0 : i32), ^first // repaired
  ^first:
    nvvm.mbarrier.try_wait.parity %full, %c0, %ticks : !llvm.ptr<3>, i32, i32
    llvm.cond_br %empty, ^store(%c0 : i32), ^read
  ^read:
    %a = llvm.getelementptr %slot[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.load %a : !llvm.ptr<3> -> i32
    llvm.br ^store(%v : i32)
  ^store(%sum: i32):
    %p = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %sum, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
