// A thread asks once whether its data is there, and does not look at the answer.
//
// No public report; the answer of `try_wait` is often lost when a loop around it is simplified
// away.
//
// M10: `try_wait` may answer "no" at any time, so it belongs into a loop.
//
// launch: 1 64
// args: i32[32]
// finds: mbarrier
// says: whose result is not used
// gives: 0 1 2 3

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    nvvm.mbarrier.init %barriers, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
    %lane = llvm.urem %t, %c32 : i32
    %a = llvm.getelementptr %slot[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %produces = llvm.icmp "ult" %t, %c32 : i32
    llvm.cond_br %produces, ^produce, ^consume
  ^produce:
    llvm.store %t, %a : i32, !llvm.ptr<3>
    %s = nvvm.mbarrier.arrive %barriers : !llvm.ptr<3> -> i64
    llvm.br ^end
  ^consume:
    %ok = nvvm.mbarrier.try_wait %barriers, %c0 : !llvm.ptr<3>, i32 -> i1 // broken
    llvm.br ^ask // repaired
  ^ask: // repaired
    %ok = nvvm.mbarrier.try_wait %barriers, %c0 : !llvm.ptr<3>, i32 -> i1 // repaired
    llvm.cond_br %ok, ^there, ^ask // repaired
  ^there: // repaired
    %v = llvm.load %a : !llvm.ptr<3> -> i32
    %p = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
