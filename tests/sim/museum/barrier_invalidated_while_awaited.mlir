// A thread invalidates a barrier whose phase is over, while other threads may still ask for it.
//
// No public report.
//
// M16: every wait comes before `mbarrier.inval`. That the phase is over does not mean that all threads
// have seen it. Nothing is known to rely on it, and no failure is known. Once a wait has returned, order of
// execution is enough: legal/barrier_invalidated_behind_a_vote.mlir.
//
// launch: 1 64
// finds: mbarrier
// says: mbarrier at byte 0

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    nvvm.mbarrier.init %barriers, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    nvvm.barrier0
    llvm.cond_br %first, ^arrive, ^wait
  ^arrive:
    %s = nvvm.mbarrier.arrive %barriers : !llvm.ptr<3> -> i64
    llvm.br ^wait
  ^wait:
    nvvm.mbarrier.try_wait.parity %barriers, %c0, %ticks : !llvm.ptr<3>, i32, i32
    nvvm.barrier0 // repaired
    llvm.cond_br %first, ^end_of_use, ^end
  ^end_of_use:
    nvvm.mbarrier.inval %barriers : !llvm.ptr<3>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
