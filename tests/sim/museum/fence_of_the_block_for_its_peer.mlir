// A block writes to the shared memory of another one, and tells it by a relaxed arrival behind a fence whose scope is
// its own block.
//
// No public report.
//
// M14: a fence publishes writes only within its scope, and so to no other block here, whatever the scope of the arrival.
//
// launch: 2 32 2
// args: i32[32]
// finds: race
// says: nothing orders it with the write by thread
// gives: 0 1

gpu.module @kernels {
  llvm.mlir.global internal @full() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>
  llvm.mlir.global internal @slot() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<32 x i32>
  llvm.func @kernel(%out: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %ticks = llvm.mlir.constant(10000 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %first = llvm.icmp "eq" %t, %c0 : i32
    %full = llvm.mlir.addressof @full : !llvm.ptr<3>
    %slot = llvm.mlir.addressof @slot : !llvm.ptr<3>
    %rank = nvvm.read.ptx.sreg.cluster.ctarank : i32
    nvvm.mbarrier.init %full, %c32, predicate = %first : !llvm.ptr<3>, i32, i1
    nvvm.fence.mbarrier.init
    nvvm.cluster.arrive.relaxed {aligned}
    nvvm.cluster.wait {aligned}
    %own = llvm.getelementptr %slot[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %sends = llvm.icmp "eq" %rank, %c1 : i32
    llvm.cond_br %sends, ^send, ^wait
  ^send:
    %far = nvvm.mapa %own, %c0 : !llvm.ptr<3> -> !llvm.ptr<7>
    %counts = nvvm.mapa %full, %c0 : !llvm.ptr<3> -> !llvm.ptr<7>
    llvm.store %t, %far : i32, !llvm.ptr<7>
    llvm.inline_asm has_side_effects "fence.acq_rel.cta; mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [$0];", "r" %counts : (!llvm.ptr<7>) -> () // broken
    llvm.inline_asm has_side_effects "fence.acq_rel.cluster; mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [$0];", "r" %counts : (!llvm.ptr<7>) -> () // repaired
    llvm.br ^end
  ^wait:
    llvm.inline_asm has_side_effects "{ .reg .pred P; AGAIN: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 P, [$0], $1; @!P bra AGAIN; }", "r,r" %full, %c0 : (!llvm.ptr<3>, i32) -> ()
    %v = llvm.load %own : !llvm.ptr<3> -> i32
    %p = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    llvm.br ^end
  ^end:
    nvvm.cluster.arrive {aligned}
    nvvm.cluster.wait {aligned}
    llvm.return
  }
}
