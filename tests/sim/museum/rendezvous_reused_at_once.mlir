// Two blocks meet at one barrier again and again: who is late misses a phase and waits for ever.
//
// Reported: https://github.com/triton-lang/triton/pull/10669 (barriers of clusters in
// warp-specialized kernels), read 2026-11-22. The fix alternates between two barriers; merged.
//
// M8: a wait by parity can ask only for the current phase and the one before. Here the early block
// completes the next phase before the late one has looked.
//
// launch: 2 32 2
// finds: deadlock
// says: lacks 1 of 1 arrivals

gpu.module @kernels {
  llvm.mlir.global internal @barriers() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<2 x i64>
  llvm.func @kernel() attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    %barriers = llvm.mlir.addressof @barriers : !llvm.ptr<3>
    %second = llvm.getelementptr %barriers[1] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i64
    nvvm.mbarrier.init %barriers, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.mbarrier.init %second, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait {aligned}
    %other = llvm.xor %rank, %c1 : i32
    llvm.cond_br %first, ^round(%c0 : i32), ^end
  ^round(%i: i32):
    %which = llvm.and %i, %c0 : i32 // broken
    %which = llvm.and %i, %c1 : i32 // repaired
    %own = llvm.getelementptr %barriers[%which] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i64
    %peer = nvvm.mapa %own, %other : !llvm.ptr<3> -> !llvm.ptr<7>
    nvvm.mbarrier.arrive %peer : !llvm.ptr<7>
    %half = llvm.lshr %i, %c0 : i32 // broken
    %half = llvm.lshr %i, %c1 : i32 // repaired
    %phase = llvm.and %half, %c1 : i32
    nvvm.mbarrier.try_wait.parity %own, %phase, %ticks : !llvm.ptr<3>, i32, i32
    %i1 = llvm.add %i, %c1 : i32
    %more = llvm.icmp "ult" %i1, %c64 : i32
    llvm.cond_br %more, ^round(%i1 : i32), ^end
  ^end:
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    llvm.return
  }
}
