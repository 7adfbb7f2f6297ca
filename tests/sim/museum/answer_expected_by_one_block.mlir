// A request for another cluster answers both blocks, and one of them does not expect the bytes.
//
// Reported: https://github.com/facebookexperimental/triton/pull/908 (hangs of odd blocks in kernels
// with cluster launch control), read 2026-11-22; closed. Confirmed there.
//
// C8: with multicast the response of 16 bytes goes to each block of the cluster, and the barrier of
// each counts them: each has to expect them, and to arrive.
//
// launch: 2 32 2
// args: i32[64]
// finds: deadlock or mbarrier
// says: mbarrier at byte 0 of shared memory @full
// gives: 1 1

gpu.module @kernels {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.mlir.global internal @answer() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<4 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %leads = llvm.icmp "eq" %rank, %c0 : i32
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %answer = llvm.mlir.addressof @answer : !llvm.ptr<3>
    nvvm.mbarrier.init %full, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait {aligned}
    llvm.cond_br %first, ^one, ^wait
  ^one:
    llvm.cond_br %leads, ^expect, ^ask // broken
    llvm.br ^expect // repaired
  ^expect:
    nvvm.mbarrier.arrive.expect_tx %full, %c16 : !llvm.ptr<3>, i32
    llvm.br ^ask
  ^ask:
    llvm.cond_br %leads, ^cancel, ^wait
  ^cancel:
    nvvm.clusterlaunchcontrol.try.cancel multicast, %answer, %full
    llvm.br ^wait
  ^wait:
    nvvm.mbarrier.try_wait.parity %full, %c0, %ticks : !llvm.ptr<3>, i32, i32
    %r = llvm.load %answer : !llvm.ptr<3> -> i128
    %canceled = nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %r : i1
    %n = llvm.zext %canceled : i1 to i32
    %v = llvm.xor %n, %c1 : i32
    %base = llvm.mul %rank, %c32 : i32
    %at = llvm.add %base, %t : i32
    %p = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    llvm.return
  }
}
