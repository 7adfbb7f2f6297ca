// Blocks meet at a relaxed barrier of their cluster once the initialisations of their barriers are fenced.
//
// Legal: `fence.mbarrier_init` publishes the initialisation, so that the arrival at the barrier of
// the cluster need not. A fence for another barrier takes nothing of that back.
//
// launch: 2 32 2

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    nvvm.mbarrier.init %barriers, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait {aligned}
    %own = llvm.getelementptr %barriers[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
    nvvm.mbarrier.init %own, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    %is1 = llvm.icmp "eq" %rank, %c1 : i32
    %arrives = llvm.and %is1, %first : i1
    %there = nvvm.mapa %barriers, %c0 : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.cond_br %arrives, ^arrive, ^other
  ^arrive:
    nvvm.mbarrier.arrive %there : !llvm.ptr<7>
    llvm.br ^end
  ^other:
    llvm.cond_br %is1, ^end, ^wait
  ^wait:
    nvvm.mbarrier.try_wait.parity %barriers, %c0, %ticks : !llvm.ptr<3>, i32, i32
    llvm.br ^end
  ^end:
    llvm.return
  }
}
