// An elected lane waits for a value, and lane 0 of its warp reads it.
//
// No public report.
//
// M13: only the thread that waits acquires. `elect.sync` may elect another lane than the one that
// reads, as under the schedule that elects the last one, and then nothing but a barrier of the warp
// orders the two.
//
// launch: 1 64
// args: i32[1] i32[1]
// under: reverse
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
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    nvvm.mbarrier.init %barriers, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
    %one = nvvm.elect.sync -> i1
    %writes = llvm.icmp "eq" %t, %c32 : i32
    %reads = llvm.icmp "ult" %t, %c32 : i32
    llvm.cond_br %reads, ^elect, ^other
  ^other:
    llvm.cond_br %writes, ^write, ^end
  ^write:
    llvm.store %c7, %work : i32, !llvm.ptr<1>
    %s = nvvm.mbarrier.arrive %barriers : !llvm.ptr<3> -> i64
    llvm.br ^end
  ^elect:
    llvm.cond_br %one, ^wait, ^met
  ^wait:
    nvvm.mbarrier.try_wait.parity %barriers, %c0, %ticks : !llvm.ptr<3>, i32, i32
    llvm.br ^met
  ^met:
    %all = llvm.mlir.constant(-1 : i32) : i32 // repaired
    nvvm.bar.warp.sync %all : i32 // repaired
    llvm.cond_br %first, ^read, ^end
  ^read:
    %v = llvm.load %work : !llvm.ptr<1> -> i32
    llvm.store %v, %out : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
