// Two warps read a slot, and both release it, but the barrier expects one release.
//
// No public report. Related: https://github.com/NVIDIA/cutlass/issues/2418, where an arrival count
// of one is used with several consumers, read 2026-11-22.
//
// M5, M12: the second release counts in the next phase. Since the warps meet before they release, the
// first one covers the reads of both, and no data is lost until the phases have drifted by a whole
// iteration. Which release ends a phase is a matter of chance from the first iteration.
//
// launch: 1 96
// args: i32[64]
// finds: mbarrier
// says: has phases that too many threads may end: phase 0 expects 1 arrival
// gives: 1 1 1

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %lane = llvm.urem %t, %c32 : i32
    %is_0 = llvm.icmp "eq" %lane, %c0 : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    %empty = llvm.getelementptr %barriers[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    nvvm.mbarrier.init %barriers, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.init %empty, %c1, predicate = %first : !llvm.ptr<3>, i32, i1 // broken
    nvvm.mbarrier.init %empty, %c2, predicate = %first : !llvm.ptr<3>, i32, i1 // repaired
    nvvm.barrier0
    %a = llvm.getelementptr %slot[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %produces = llvm.icmp "ult" %t, %c32 : i32
    llvm.cond_br %produces, ^produce(%c0 : i32), ^consume(%c0, %c0 : i32, i32)
  ^produce(%i: i32):
    %free = llvm.xor %i, %c1 : i32
    nvvm.mbarrier.try_wait.parity %empty, %free, %ticks : !llvm.ptr<3>, i32, i32
    llvm.store %i, %a : i32, !llvm.ptr<3>
    %s = nvvm.mbarrier.arrive %barriers : !llvm.ptr<3> -> i64
    %i1 = llvm.add %i, %c1 : i32
    %again = llvm.icmp "ult" %i1, %c2 : i32
    llvm.cond_br %again, ^produce(%i1 : i32), ^end
  ^consume(%k: i32, %sum: i32):
    nvvm.mbarrier.try_wait.parity %barriers, %k, %ticks : !llvm.ptr<3>, i32, i32
    %v = llvm.load %a : !llvm.ptr<3> -> i32
    %sum1 = llvm.add %sum, %v : i32
    nvvm.barrier id = %c1 number_of_threads = %c64
    llvm.cond_br %is_0, ^release, ^next
  ^release:
    %e = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64
    llvm.br ^next
  ^next:
    %k1 = llvm.add %k, %c1 : i32
    %more = llvm.icmp "ult" %k1, %c2 : i32
    llvm.cond_br %more, ^consume(%k1, %sum1 : i32, i32), ^store
  ^store:
    %place = llvm.sub %t, %c32 : i32
    %p = llvm.getelementptr %out[%place] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %sum1, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
