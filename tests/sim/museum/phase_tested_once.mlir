// A thread tests a phase once, drops the answer, and reads what the phase hands over.
//
// No public report.
//
// M10: a test whose answer decides nothing may have found the phase incomplete.
//
// launch: 1 64
// args: i32[1] i32[1]
// finds: race
// says: nothing orders it with
// gives: 7

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.func @kernel(%work: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c7 = llvm.mlir.constant(7 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    nvvm.mbarrier.init %barriers, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
    %writes = llvm.icmp "eq" %t, %c0 : i32
    %reads = llvm.icmp "eq" %t, %c32 : i32
    llvm.cond_br %writes, ^write, ^other
  ^write:
    llvm.store %c7, %work : i32, !llvm.ptr<1>
    %s = nvvm.mbarrier.arrive %barriers : !llvm.ptr<3> -> i64
    llvm.br ^end
  ^other:
    llvm.cond_br %reads, ^test, ^end
  ^test:
    %done = nvvm.mbarrier.test.wait %barriers, %c0 : !llvm.ptr<3>, i32 -> i1
    llvm.br ^read // broken
    llvm.cond_br %done, ^read, ^test // repaired
  ^read:
    %v = llvm.load %work : !llvm.ptr<1> -> i32
    llvm.store %v, %out : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
