// All lanes of a warp store, and one elected lane arrives for them.
//
// Reported: https://github.com/NVIDIA/cudnn-frontend/pull/426 (a handoff between two warps through
// shared memory), read 2026-11-23; merged. Confirmed there by racecheck. Also
// https://github.com/triton-lang/triton/pull/9871, known as a reference; the thread was not read.
//
// An arrival publishes what its own thread has done or learned. `bar.warp.sync` passes the stores of
// the other lanes on to the elected one.
//
// launch: 1 64
// args: i32[32]
// finds: race
// says: shared memory @slot
// gives: 0 1 2

gpu.module @kernels {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %cm1 = llvm.mlir.constant(-1 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %lane = llvm.urem %t, %c32 : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %stores = llvm.icmp "ult" %t, %c32 : i32
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %a = llvm.getelementptr %slot[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    nvvm.mbarrier.init %full, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
    llvm.cond_br %stores, ^store, ^load
  ^store:
    llvm.store %lane, %a : i32, !llvm.ptr<3>
    nvvm.bar.warp.sync %cm1 : i32 // repaired
    %elected = nvvm.elect.sync -> i1
    llvm.cond_br %elected, ^arrive, ^end
  ^arrive:
    %s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
    llvm.br ^end
  ^load:
    nvvm.mbarrier.try_wait.parity %full, %c0, %ticks : !llvm.ptr<3>, i32, i32
    %v = llvm.load %a : !llvm.ptr<3> -> i32
    %p = llvm.getelementptr %out[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    llvm.return
  }
}
