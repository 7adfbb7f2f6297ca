// A multicast load names two blocks, and the cluster has one.
//
// Reported for commits of tensor memory: https://github.com/NVIDIA/cutlass/issues/3658, read 2026-11-22.
// The mask is that of a larger cluster, which the launch did not ask for.
//
// M18: a bit of the mask for a block that the cluster does not have is a fault.
//
// launch: 1 32 1
// args: i32[32]=5 i32[32]
// finds: cluster_rank
// says: names block 1 of the cluster, but the cluster has one block
// gives: 5 5

gpu.module @kernels {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %mask = llvm.mlir.constant(3 : i16) : i16 // broken
    %mask = llvm.mlir.constant(1 : i16) : i16 // repaired
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %there = llvm.addrspacecast %slot : !llvm.ptr<3> to !llvm.ptr<7>
    nvvm.mbarrier.init %full, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    nvvm.barrier0
    llvm.cond_br %first, ^load, ^wait
  ^load:
    nvvm.mbarrier.arrive.expect_tx %full, %c128 : !llvm.ptr<3>, i32
    nvvm.cp.async.bulk.shared.cluster.global %there, %in, %full, %c128 multicast_mask = %mask : !llvm.ptr<7>, !llvm.ptr<1>
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
