// An elected thread issues a copy that elects a thread of the whole warp again.
//
// Reported: https://github.com/NVIDIA/cudnn-frontend/pull/382 (a backward kernel hangs after an
// update of CuTe DSL), read 2026-11-23; merged. Confirmed there with cuda-gdb. `cute.copy` of
// CuTe DSL 4.6.0 and 4.6.1 elects a thread itself, see
// https://github.com/NVIDIA/cutlass/issues/3391 and
// https://github.com/Dao-AILab/flash-attention/pull/2689.
//
// All lanes of the mask of `elect.sync` execute it together. In the branch of an elected thread one
// lane is left, and waits for the others forever.
//
// launch: 1 32
// args: i32[32]=6 i32[32]
// finds: divergence
// says: move it out of the divergent branch
// gives: 6 6

gpu.module @kernels {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %there = llvm.addrspacecast %slot : !llvm.ptr<3> to !llvm.ptr<7>
    nvvm.mbarrier.init %full, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.barrier0
    %elected = nvvm.elect.sync -> i1
    llvm.cond_br %elected, ^load, ^wait
  ^load:
    nvvm.mbarrier.arrive.expect_tx %full, %c128 : !llvm.ptr<3>, i32
    %one = nvvm.elect.sync -> i1 // broken
    %one = llvm.mlir.constant(true) : i1 // repaired
    llvm.cond_br %one, ^copy, ^wait
  ^copy:
    nvvm.cp.async.bulk.shared.cluster.global %there, %in, %full, %c128 : !llvm.ptr<7>, !llvm.ptr<1>
    llvm.br ^wait
  ^wait:
    nvvm.mbarrier.try_wait.parity %full, %c0, %ticks : !llvm.ptr<3>, i32, i32
    %a = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %v = llvm.load %a : !llvm.ptr<3> -> i32
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.return
  }
}
