// Threads send values to the block beside them, whose barrier is told of an arrival and not of their bytes.
//
// No public report; mbarrier.arrive is what such a receiver does for any other message.
//
// M3: the phase ends with its arrival and with no byte missing. Bytes that nobody expected keep it from
// ending if they come before the arrival, and come too late for it if they come behind.
//
// launch: 2 32 2
// args: i32[64]
// finds: race or deadlock
// says: shared memory @
// gives: 32 33

gpu.module @kernels {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    nvvm.mbarrier.init %full, %c1, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait {aligned}
    %peer = llvm.xor %rank, %c1 : i32
    %own = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %far = nvvm.mapa %own, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %counts = nvvm.mapa %full, %peer : !llvm.ptr<3> -> !llvm.ptr<7>
    %base = llvm.mul %rank, %c32 : i32
    %at = llvm.add %base, %t : i32
    llvm.cond_br %first, ^expect, ^send
  ^expect:
    %token = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64 // broken
    nvvm.mbarrier.arrive.expect_tx %full, %c128 : !llvm.ptr<3>, i32 // repaired
    llvm.br ^send
  ^send:
    llvm.inline_asm has_side_effects "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [$0], $1, [$2];", "r,r,r" %far, %at, %counts : (!llvm.ptr<7>, i32, !llvm.ptr<7>) -> ()
    nvvm.mbarrier.try_wait.parity %full, %c0, %ticks : !llvm.ptr<3>, i32, i32
    %v = llvm.load %own : !llvm.ptr<3> -> i32
    %p = llvm.getelementptr %out[%at] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    llvm.return
  }
}
