// All 32 lanes arrive at a barrier that expects one arrival.
//
// Reported: https://github.com/triton-lang/triton/pull/9498 (a review comment on the barrier of a
// pair of blocks), read 2026-11-22. Not confirmed by a run there; the mechanism follows from the
// rule.
//
// M5: each arrival completes a phase. The 31 that are too many count in later phases, and the phase
// that others wait for is over and gone.
//
// launch: 1 64
// finds: mbarrier
// says: gets 32 arrivals from 32 lanes of a warp that execute this instruction together, but each of its phases expects 1: let one elected thread execute it

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    nvvm.mbarrier.init %barriers, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
    %arrives = llvm.icmp "ult" %t, %c32 : i32
    %one = nvvm.elect.sync -> i1
    llvm.cond_br %arrives, ^arrive, ^wait // broken
    %leads = llvm.and %arrives, %one : i1 // repaired
    llvm.cond_br %leads, ^arrive, ^other // repaired
  ^other: // repaired
    llvm.cond_br %arrives, ^end, ^wait // repaired
  ^arrive:
    %s = nvvm.mbarrier.arrive %barriers : !llvm.ptr<3> -> i64
    llvm.br ^end
  ^wait:
    nvvm.mbarrier.try_wait.parity %barriers, %c0, %ticks : !llvm.ptr<3>, i32, i32
    llvm.br ^end
  ^end:
    llvm.return
  }
}
